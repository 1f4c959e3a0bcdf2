"""Checks of links and of what passes through them."""
