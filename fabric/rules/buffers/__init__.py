"""Rules about switch buffers."""
