"""Recordings that are reviewed in the background, each in a process of its own."""
