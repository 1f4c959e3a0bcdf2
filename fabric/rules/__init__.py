"""Rules judge an intent, a design or a network; one rule is one file, found by its place."""
