"""From pictures in time to a refereed game."""
