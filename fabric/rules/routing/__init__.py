"""Rules about routing."""
