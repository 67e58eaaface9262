"""Pictures to tiles, sets and table states."""
