"""The sections of the intent file, one module each."""
