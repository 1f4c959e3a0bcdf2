"""intent -> design: topology, addressing, classes, buffers; pure, each value with its origin."""
