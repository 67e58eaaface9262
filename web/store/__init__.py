"""What is kept on disk: matches as events in SQLite, pictures as files."""
