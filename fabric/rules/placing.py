"""Placing: where in the user's files stands what a finding is about, as near to its cause as can be said."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from fabric.design.overrides import Overrides
from fabric.places import Place
from fabric.rules.contract import Subjects
from fabric.settings.known import FACETS
from fabric.settings.network import Node

# Where a facet comes from of which a node has no row that could say so itself.
_SECTIONS: Final = {
    "addresses": "addressing",
    "buffers": "buffers",
    "pools": "buffers",
    "watchdog": "pfc.watchdog",
    "maps": "classes",
    "queues": "classes",
    "pfc": "classes",
    "ecn": "classes",
    "nic": "nic_settings",
    "dcqcn": "nic_settings",
}
# Where the fields of all rows of a facet are written, as far as they are.
_FIELDS: Final = _SECTIONS | {"links": "addressing"}


class Placing:
    """The places of what is judged together."""

    def __init__(self, subjects: Subjects) -> None:
        self._document = subjects.document
        self._design = subjects.design

    def of(self, path: str) -> Place | None:
        """Return where a path of the intent or of the design comes from; ``None`` where nothing of it is in a file.

        The nearest goes first: the key itself, what ``nodes`` or the section of the facet says of that field of a port,
        the origin of the row, the nearest key around it, the section, the role of its node.
        """
        document, design = self._document, self._design
        if document is not None and path in document.places:
            return document.places[path]
        if place := self._given(path) or self._of_all(path):
            return place
        for nearest in _enclosing(path):
            origin = design.origins.get(nearest) if design is not None else None
            if origin is not None and origin.place is not None:
                return origin.place
        if document is None:
            return None
        node, facet, _ = self._row(path)
        around = (document.place(each) for each in (path, _SECTIONS.get(facet, ""), _role_path(node)))
        return next((place for place in around if place is not None), None)

    def _given(self, path: str) -> Place | None:
        """Return where ``nodes`` gives a field of a port (``leaf01.links.swp1.mtu``), by name or by pattern."""
        node, _, row = self._row(path)
        port, _, field = row.rpartition(".")
        if node is None or not port or self._design is None or self._overrides is None or self._document is None:
            return None
        key = self._overrides.origin(self._design.places.get(node.name, node.name), f"ports.{port}.{field}")
        return self._document.place(key) if key else None

    def _of_all(self, path: str) -> Place | None:
        """Return where the section of a facet gives a field of all of its rows (``leaf01.buffers.swp1.alpha``)."""
        _, facet, row = self._row(path)
        key = f"{_FIELDS.get(facet, '')}.{row.rpartition('.')[2]}"
        return self._document.places.get(key) if self._document is not None and "." in row else None

    def _row(self, path: str) -> tuple[Node | None, str, str]:
        """Return node, facet and row of a path, each empty where the path names none."""
        nodes = self._design.network.nodes if self._design is not None else {}
        # Names may hold dots: of those that a path begins with, the longest is meant.
        node = next((nodes[name] for name in _enclosing(path) if name in nodes), None)
        if node is None:
            return None, "", ""
        facet, _, row = path.removeprefix(node.name).removeprefix(".").partition(".")
        return node, facet if facet in FACETS else "", row

    @cached_property
    def _overrides(self) -> Overrides | None:
        return Overrides(self._document) if self._document is not None and self._document.intent.nodes else None


def _role_path(node: Node | None) -> str:
    return "" if node is None else f"topology.{'switches' if node.kind == 'switch' else 'hosts'}.{node.role}"


def _enclosing(path: str) -> Iterator[str]:
    """Yield a path and all that it lies in, from the inside out."""
    while path:
        yield path
        path = path.rpartition(".")[0]
