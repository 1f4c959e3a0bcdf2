"""Talk: what is said on stderr, never data."""

from __future__ import annotations

import sys


def tell(text: str) -> None:
    """Say something on stderr."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
