"""A fabric of network namespaces on this machine."""
