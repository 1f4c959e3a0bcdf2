"""Rules about DCQCN: what NICs are set to, and how it settles on the thresholds of the switches."""
