"""How fast the dashboard answers with a room full of people, measured from outside."""
