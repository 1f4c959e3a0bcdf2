"""One folder per host system; the folder's name is its name."""
