"""Pages of the documentation, and the scripts that fill them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))


@pytest.fixture(scope="session")
def written() -> dict[str, str]:
    """Every page that a person wrote, under its path below docs."""
    docs = ROOT / "docs"
    paths = (path for path in sorted(docs.rglob("*.md")) if path.parent.name != "reference")
    return {str(path.relative_to(docs)): path.read_text(encoding="utf-8") for path in paths}
