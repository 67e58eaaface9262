"""Rules, turns, games and scores of Rummikub; it never sees a picture."""
