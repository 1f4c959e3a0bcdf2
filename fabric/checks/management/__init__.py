"""Checks of the way to the nodes."""
