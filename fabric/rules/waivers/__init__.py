"""Rules about what the user accepts."""
