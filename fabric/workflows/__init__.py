"""plan, apply, verify: order, waves, gates, undo, journal; they drive the pure layers and the transport."""
