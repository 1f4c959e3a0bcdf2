"""Which nodes a command is limited to: ``--limit leaf*,rail:3,role:gpu``."""

from __future__ import annotations

from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from fabric.errors import UsageError

if TYPE_CHECKING:
    from fabric.design.model import Design


def select(design: Design, limit: str | None) -> tuple[str, ...]:
    """Return the names of the nodes that ``limit`` selects, in design order; all nodes without a limit.

    ``limit`` is a list with commas. Each entry is a name or glob of names, ``role:NAME`` (a glob as well), or
    ``rail:N``: the leaves that NIC N of hosts lands on. UsageError when an entry selects nothing.
    """
    names = tuple(design.network.nodes)
    if limit is None:
        return names
    found: set[str] = set()
    for entry in limit.split(","):
        chosen = _matching(design, entry.strip())
        if not chosen:
            raise UsageError(f"--limit {entry.strip()!r} selects no node of {design.fabric}", hint=_hint(design, entry))
        found |= chosen
    return tuple(name for name in names if name in found)


def _matching(design: Design, entry: str) -> frozenset[str]:
    kind, colon, what = entry.partition(":")
    nodes = design.network.nodes
    if not colon:
        return frozenset(name for name in nodes if fnmatchcase(name, entry))
    if kind == "role":
        return frozenset(name for name, node in nodes.items() if fnmatchcase(node.role, what))
    if kind == "rail":
        return frozenset(rail.leaf for rail in design.rails if str(rail.rail) == what)
    raise UsageError(f"--limit {entry!r}: unknown kind {kind!r}", hint="write a name, a glob, role:NAME or rail:N")


def _hint(design: Design, entry: str) -> str:
    nodes = design.network.nodes
    kind, colon, what = entry.strip().partition(":")
    if kind == "rail" and colon:
        return f"rails: 1 to {max(rail.rail for rail in design.rails)}"
    roles = tuple(dict.fromkeys(node.role for node in nodes.values()))
    near = get_close_matches(what if colon else kind, roles if colon else tuple(nodes), n=2)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{meant}roles: {', '.join(roles)}"
