"""Rules about what nodes run."""
