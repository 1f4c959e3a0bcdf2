"""Rules about pauses: who sends them, who obeys them, and what ends those that do not end."""
