"""One folder per switch system; the folder's name is its name."""
