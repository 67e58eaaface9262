"""What changes while people look on: the stream of states, the live picture, the watching of the table."""
