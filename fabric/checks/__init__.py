"""Checks compare the design with what nodes report; one check is one file, found by its place."""
