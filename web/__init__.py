"""The dashboard: draws, asks and stores; judges nothing."""
