"""One folder per NIC driver; the folder's name is its name."""
