"""Rules about what both ends of a link must agree on."""
