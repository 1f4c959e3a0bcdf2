"""Checks of which port is really cabled to which."""
