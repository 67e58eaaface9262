"""The commands, one module each; their docstrings are their help."""
