"""Talk: what is said on stderr, never data."""

from __future__ import annotations

import sys


def tell(text: str) -> None:
    """Say something on stderr."""
    if sys.stderr is not None:  # closed by the caller
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
