"""Analysis: what follows from a network, designed or read: paths, loops of buffers, budgets, how DCQCN settles."""
