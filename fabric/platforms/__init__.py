"""Systems and drivers: how to read, change and undo, as values with pure functions. They never open a session."""
