"""Rules about marking thresholds."""
