"""Recorded games: how they are made, and their truth."""
