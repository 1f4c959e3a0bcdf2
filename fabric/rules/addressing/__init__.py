"""Rules about addresses and the pools they come from."""
