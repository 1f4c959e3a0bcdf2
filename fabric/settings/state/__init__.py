"""What nodes report about themselves and their surroundings, in the form of facets."""
