"""Rules about how nodes are reached."""
