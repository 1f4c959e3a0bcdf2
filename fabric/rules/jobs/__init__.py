"""Rules about what jobs are told."""
