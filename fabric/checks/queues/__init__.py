"""Checks of the queues that traffic classes pass through."""
