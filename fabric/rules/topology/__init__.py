"""Rules about the shape of the fabric: who is connected to whom, and how well."""
