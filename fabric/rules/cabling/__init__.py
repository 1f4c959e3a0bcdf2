"""Rules about which port is cabled to which."""
