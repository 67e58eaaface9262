"""Measuring the reader against labelled photographs and rendered pictures; needs a clone of the repository."""
