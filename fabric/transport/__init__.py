"""Transport: sessions with nodes over SSH, on this machine or from a recording; who is reached how; the runner."""
