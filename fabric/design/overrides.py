"""Overrides: what ``nodes`` says of one place: its own entry before patterns, and no two patterns about one value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from fnmatch import translate
from typing import Any

from fabric.design.faults import fault
from fabric.design.layout import Member
from fabric.errors import DesignError
from fabric.intent.document import Document
from fabric.intent.sections.nodes import NodeIntent, PortIntent

NOTHING = NodeIntent()
PORTS = "ports"
_ONLY = {
    **dict.fromkeys(("asn", "loopback", "model", "release", "headroom", "alpha"), "switch"),
    **dict.fromkeys(("nic", "interfaces"), "host"),
}


class Overrides:
    """What ``nodes`` says, by place. Which keys were of use is kept, so that those of none can be refused."""

    def __init__(self, document: Document) -> None:
        self._document = document
        nodes = document.intent.nodes
        self._exact = {key: entry for key, entry in nodes.items() if not _is_pattern(key)}
        self._patterns = {key: re.compile(translate(key)) for key in nodes if _is_pattern(key)}
        self._used: dict[str, set[str]] = {}

    def keys(self, place: str) -> list[str]:
        """Return the keys that speak of a place, its own last."""
        keys = [key for key, pattern in self._patterns.items() if pattern.match(place)]
        return [*keys, place] if place in self._exact else keys

    def of(self, place: str, kind: str) -> NodeIntent:
        """Return all that is said of a place, that of a switch or host; DesignError when two patterns set one value."""
        keys = self.keys(place)
        if not keys:
            return NOTHING
        for key in keys:
            self._used.setdefault(key, set()).add(kind)
        entries = {key: self._document.intent.nodes[key] for key in keys}
        return next(iter(entries.values())) if len(entries) == 1 else self._merged(place, entries)

    def origin(self, place: str, field: str) -> str:
        """Return the path of the intent that sets a field (or ``ports.<port>.<field>``) of a place; empty for none."""
        for key in reversed(self.keys(place)):
            if field in dict(_values(self._document.intent.nodes[key])):
                return f"nodes.{key}.{field}"
        return ""

    def unused(self, places: Iterable[str]) -> Iterator[DesignError]:
        """Yield a fault per key that was of no use, with the places that are spelt most alike."""
        known = tuple(places)
        for key in self._document.intent.nodes:
            if key in self._used:
                continue
            near = get_close_matches(key, known, n=3)
            meant = f"did you mean {' or '.join(near)}? " if near else ""
            yield fault(
                self._document,
                f"nodes.{key}",
                f"nodes.{key}: no node has this place",
                f"{meant}places are <role>01, in pods p1-<role>01",
            )

    def useless(self) -> Iterator[DesignError]:
        """Yield a fault per value that means nothing on any node that it is said of."""
        for key, kinds in self._used.items():
            for field, _ in _values(self._document.intent.nodes[key]):
                kind = _ONLY.get(field.rpartition(".")[2] if field.startswith(f"{PORTS}.") else field)
                if kind is not None and kind not in kinds:
                    path = f"nodes.{key}.{field}"
                    said = f"{path} means nothing on a {next(iter(kinds))}"
                    yield fault(self._document, path, said, f"it belongs to a {kind}: leave it out here")

    def _merged(self, place: str, entries: Mapping[str, NodeIntent]) -> NodeIntent:
        setters: dict[str, str] = {}
        found: dict[str, Any] = {}
        for key, entry in entries.items():
            for field, value in _values(entry):
                earlier = setters.get(field)
                if earlier is not None and key != place:
                    raise fault(
                        self._document,
                        f"nodes.{key}.{field}",
                        f"nodes.{key}.{field}: {place} is given this by nodes.{earlier} as well",
                        f"write it under nodes.{place}, or make one pattern narrower",
                    )
                setters[field] = key
                found[field] = value
        return _built(found)


def path_of(document: Document, node: Member, field: str) -> str:
    """Return the path of the intent that sets a field of a node; that of its own entry where nothing does."""
    return Overrides(document).origin(node.place, field) or f"nodes.{node.place}.{field}"


def _is_pattern(key: str) -> bool:
    return "*" in key or "?" in key


def _values(entry: NodeIntent) -> Iterator[tuple[str, Any]]:
    """Yield what an entry sets, ports field by field (``ports.swp7.mtu``)."""
    for field in sorted(entry.model_fields_set - {PORTS}):
        if getattr(entry, field) is not None:
            yield field, getattr(entry, field)
    for port, settings in entry.ports.items():
        for field in sorted(settings.model_fields_set):
            if getattr(settings, field) is not None:
                yield f"{PORTS}.{port}.{field}", getattr(settings, field)


def _built(found: Mapping[str, Any]) -> NodeIntent:
    ports: dict[str, dict[str, Any]] = {}
    plain: dict[str, Any] = {}
    for path, value in found.items():
        if path.startswith(f"{PORTS}."):
            port, _, field = path.removeprefix(f"{PORTS}.").rpartition(".")
            ports.setdefault(port, {})[field] = value
        else:
            plain[path] = value
    made = {port: PortIntent.model_construct(set(fields), **fields) for port, fields in ports.items()}
    return NodeIntent.model_construct(set(plain) | ({PORTS} if made else set()), **plain, ports=made)
