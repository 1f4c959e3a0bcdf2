"""Circles of buffers that wait for each other, and what leads to them."""
