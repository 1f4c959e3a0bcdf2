"""Rules about queues and how they share a link."""
