"""Rules about the settings of NICs."""
