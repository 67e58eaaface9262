"""Who may do what, and what is refused before anything is read. SECURITY.md says what is defended."""
