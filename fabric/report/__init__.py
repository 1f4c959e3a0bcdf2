"""One file per format: results in, text out."""
