"""Rules about tenants."""
