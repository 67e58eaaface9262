"""What can be asked over HTTP; docs/dashboard-api.md describes it."""
