"""Checks of what stands within a host."""
