"""The file that a command works on."""

from __future__ import annotations

import os
from pathlib import Path


def intent_file(given: Path | None) -> Path:
    """Return the file that a command works on."""
    return given or Path(os.environ.get("FABRIC_FILE") or "fabric.yaml")
