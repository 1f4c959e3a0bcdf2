"""Names that refer to other names of the file.

These look at the plain data and pass over whatever has the wrong type: that is said elsewhere, and all at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from fabric.errors import Problem
from fabric.intent.quantities import format_dscps, parse_dscps
from fabric.intent.spelling import nearest
from fabric.intent.tree import Path, Tree, dotted

DEFAULT: Final = "default"
_SHOWN: Final = 40


def reference_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what refers to nothing, and what does not go together in one entry."""
    yield from _roles(tree)
    yield from _classes(tree)
    yield from _named_classes(tree)
    yield from _edges(tree)
    yield from _jumps(tree)


def _roles(tree: Tree) -> Iterator[Problem]:
    switches, hosts = tree.mapping("topology", "switches"), tree.mapping("topology", "hosts")
    for role in hosts:
        if role in switches:
            path = ("topology", "hosts", role)
            yield Problem(
                f"topology.hosts.{role}: the name is given to switches as well",
                tree.key_place(path),
                f"rename one; the other is at {tree.key_place(('topology', 'switches', role))}",
            )


def _classes(tree: Tree) -> Iterator[Problem]:
    classes = tree.mapping("classes")
    if classes and DEFAULT not in classes:
        yield Problem(
            f"classes.{DEFAULT} is missing",
            tree.key_place(("classes",)),
            f"add {DEFAULT}: it takes every DSCP that no other class names",
        )
    for name, keys in classes.items():
        if isinstance(keys, dict):
            yield from _class(tree, name)


def _class(tree: Tree, name: str) -> Iterator[Problem]:
    path = ("classes", name)
    keys = tree.mapping(*path)
    if name == DEFAULT and "dscp" in keys:
        said = f"classes.{name}.dscp: {DEFAULT} is the class of every DSCP that no other class names"
        yield Problem(said, tree.key_place((*path, "dscp")), "leave dscp out here, or give the class another name")
    if name != DEFAULT and "dscp" not in keys:
        hint = f"add dscp: without one no packet is ever in this class (only {DEFAULT} has none)"
        yield Problem(f"classes.{name}.dscp is missing", tree.key_place(path), hint)
    yield from _mark(tree, name)


def _mark(tree: Tree, name: str) -> Iterator[Problem]:
    mark = tree.get("classes", name, "mark")
    try:
        dscps = _dscps(tree, name)
    except ValueError:
        return  # said by the models
    if name == DEFAULT and mark is None:
        return  # what hosts send by themselves
    if mark is None and len(dscps) > 1:
        said = f"classes.{name}.mark is missing: dscp names {len(dscps)}"
        yield Problem(said, tree.key_place(("classes", name)), "add mark: the one DSCP that hosts send")
    elif type(mark) is int and mark not in dscps:
        said = f"classes.{name}.mark: found {mark}, which is not a DSCP of the class"
        yield Problem(said, tree.value_place(("classes", name, "mark")), f"allowed: {format_dscps(dscps)}")


def _dscps(tree: Tree, name: str) -> tuple[int, ...]:
    """Return the DSCPs of a class, for the default class those that no other one names; ValueError as `parse_dscps`."""
    if name != DEFAULT:
        return parse_dscps(tree.get("classes", name, "dscp"))
    others = [other for other in tree.mapping("classes") if other != DEFAULT]
    named = {dscp for other in others for dscp in _dscps(tree, other)}
    return tuple(dscp for dscp in range(64) if dscp not in named)


def _named_classes(tree: Tree) -> Iterator[Problem]:
    """Yield what jobs and tenants call a class and is none."""
    paths: list[Path] = [("jobs", "nccl", "class")]
    paths += [("jobs", "nccl", "communicators", name) for name in tree.mapping("jobs", "nccl", "communicators")]
    paths += _entries(tree, "tenants", "classes")
    known = tree.mapping("classes")
    for path in paths if known else ():
        yield from _unknown(tree, path, known, "class", "classes")


def _edges(tree: Tree) -> Iterator[Problem]:
    hosts = tree.mapping("topology", "hosts")
    for path in _entries(tree, "classes", "edge") if hosts else ():
        role = tree.get(*path)
        if isinstance(role, str) and role in tree.mapping("topology", "switches"):
            said = f"{dotted(path)}: {role!r} is a role of switches"
            hint = f"edges are ports to hosts; host roles: {', '.join(hosts)}"
            yield Problem(said, tree.value_place(path), hint)
        else:
            yield from _unknown(tree, path, hosts, "host role", "host roles")


def _jumps(tree: Tree) -> Iterator[Problem]:
    known = tree.mapping("access", "jump")
    for group in ("switches", "hosts"):
        yield from _unknown(tree, ("access", group, "jump"), known, "jump host", "access.jump has")


def _entries(tree: Tree, above: str, key: str) -> list[Path]:
    """Return the paths of all entries of the lists ``above.*.key``."""
    return [(above, name, key, i) for name in tree.mapping(above) for i, _ in enumerate(tree.items(above, name, key))]


def _unknown(tree: Tree, path: Path, known: Collection[str], kind: str, offered: str) -> Iterator[Problem]:
    """Yield that a name refers to nothing, with the nearest of the known ones."""
    named = tree.get(*path)
    if not isinstance(named, str) or named in known:
        return
    meant = nearest(named, known)
    start = f"did you mean {meant}? " if meant else ""
    said = f"{dotted(path)}: there is no {kind} {named[:_SHOWN]!r}"
    yield Problem(said, tree.value_place(path), f"{start}{offered}: {', '.join(known) or 'nothing'}")
