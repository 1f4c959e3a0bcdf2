"""Notice files of the other distribution that owns the import name `fabric`, before they confuse us."""

from __future__ import annotations

from pathlib import Path

# What our package holds at its top. A test compares it with the tree.
OURS = frozenset(
    {"__init__", "__main__", "analysis", "changes", "checks", "cli", "design", "diff", "errors", "hardware", "intent"}
    | {"lab", "places", "platforms", "probe", "rdma", "render", "ranges", "report", "results", "rules", "settings"}
    | {"transport", "units", "workflows"}
)
PACKAGE = Path(__file__).resolve().parents[1]


def foreign_files(folder: Path = PACKAGE) -> tuple[str, ...]:
    """Return the names of files and folders that Python would import from ``folder`` and that are not ours, sorted.

    Data, caches and copies that editors leave are nobody's concern.
    """
    return tuple(sorted(entry.name for entry in folder.iterdir() if _importable(entry) and entry.stem not in OURS))


def _importable(entry: Path) -> bool:
    return entry.suffix == ".py" or (entry / "__init__.py").exists()
