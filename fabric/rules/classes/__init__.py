"""Rules about traffic classes."""
