"""Checks of routing sessions and routes."""
