"""What passes between the layers: commands, readings, rendered texts, deltas, steps, changes, plans, runs."""
