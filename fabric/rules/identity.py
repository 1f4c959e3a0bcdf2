"""Identity: what an object is called so that it is known again when other things come, go or change places.

Paths of the intent count the entries of lists (``topology.cables.1``), and an entry that is put before another one
moves it. So an entry goes by what it is about: ``topology.cables[leaf to spine]``, with a number only where several
entries are about the same.
"""

from __future__ import annotations

import re

from fabric.intent.document import Document
from fabric.intent.models import Intent
from fabric.intent.sections.tenants import ExternalIntent, WaiverIntent
from fabric.intent.sections.topology import Cable, CableEntry, CableList

_ENTRY = re.compile(r"(topology\.cables|external|waivers)\.(\d+)(.*)")


def identity(path: str, document: Document | None) -> str:
    """Return a path with what each entry of a list is about in the place of its number."""
    found = _ENTRY.fullmatch(path)
    if found is None or document is None:
        return path
    entries = _entries(document.intent, found[1])
    at = int(found[2])
    if at >= len(entries):
        return path
    return f"{found[1]}[{_numbered(entries, at)}]{found[3]}"


def numbered(text: str, earlier: int) -> str:
    """Tell a text from equal ones before it: the second is ``TEXT #2``."""
    return f"{text} #{earlier + 1}" if earlier else text


def _numbered(entries: tuple[str, ...], at: int) -> str:
    return numbered(entries[at], entries[:at].count(entries[at]))


def _entries(intent: Intent, section: str) -> tuple[str, ...]:
    """Return what each entry of a list is about."""
    if section == "topology.cables":
        return tuple(map(_cables, intent.topology.cables))
    return tuple(map(_external, intent.external)) if section == "external" else tuple(map(_waiver, intent.waivers))


def _cables(entry: CableEntry) -> str:
    if isinstance(entry, Cable):
        return f"{entry.from_} to {entry.to}"
    return f"file {entry.file}" if isinstance(entry, CableList) else f"match {entry.match}"


def _external(entry: ExternalIntent) -> str:
    return " ".join(str(part) for part in (entry.node, entry.neighbor, entry.port) if part is not None)


def _waiver(entry: WaiverIntent) -> str:
    return f"{entry.rule} at {entry.at}"
