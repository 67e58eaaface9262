"""What can be wrong with this computer, its camera, or the view of the table; found out, and how to mend it."""
