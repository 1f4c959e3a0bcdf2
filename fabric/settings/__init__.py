"""Vendor-neutral values of a node, by facet; scope, facts, network and state."""
