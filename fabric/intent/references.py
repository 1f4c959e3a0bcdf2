"""Names that refer to other names of the file, and lists that must be as long as a number says.

These look at the plain data and pass over whatever has the wrong type: that is said elsewhere, and all at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fabric.errors import Problem
from fabric.intent.quantities import format_dscps, parse_dscps
from fabric.intent.spelling import nearest
from fabric.intent.tree import Tree

DEFAULT: Final = "default"


def reference_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what refers to nothing, and what does not go together in one entry."""
    yield from _roles(tree)
    yield from _interfaces(tree)
    yield from _classes(tree)
    yield from _jobs(tree)


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


def _interfaces(tree: Tree) -> Iterator[Problem]:
    for role in tree.mapping("topology", "hosts"):
        path = ("topology", "hosts", role)
        nics = tree.mapping(*path).get("nics", 1)
        names = tree.items(*path, "interfaces")
        if names and isinstance(nics, int) and len(names) != nics:
            yield Problem(
                f"topology.hosts.{role}.interfaces: found {len(names)}, but nics is {nics}",
                tree.value_place((*path, "interfaces")),
                "name one network device per NIC, in order",
            )
        for index, name in enumerate(names):
            if name in names[:index] and isinstance(name, str):
                yield Problem(
                    f"topology.hosts.{role}.interfaces.{index}: {name!r} is named twice",
                    tree.value_place((*path, "interfaces", index)),
                    "each NIC has a device of its own",
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


def _jobs(tree: Tree) -> Iterator[Problem]:
    named, classes = tree.get("jobs", "nccl", "class"), tree.mapping("classes")
    if not isinstance(named, str) or not classes or named in classes:
        return
    meant = nearest(named, classes)
    start = f"did you mean {meant}? " if meant else ""
    yield Problem(
        f"jobs.nccl.class: there is no class {named[:40]!r}",
        tree.value_place(("jobs", "nccl", "class")),
        f"{start}classes: {', '.join(classes)}",
    )
