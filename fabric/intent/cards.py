"""NICs of host roles: how many ports, which devices, whose machines they are in, and which leaves they share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fabric.errors import Problem
from fabric.intent.spelling import nearest
from fabric.intent.tree import Path, Tree, dotted

_OF_THE_MACHINE: Final = ("count", "per", "system")


def card_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what does not go together in one host role, and ``of`` that names no role."""
    for name, keys in tree.mapping("topology", "hosts").items():
        if isinstance(keys, dict):
            role: Path = ("topology", "hosts", name)
            yield from _machines(tree, role)
            yield from _interfaces(tree, role)
            yield from _bond(tree, role)
            yield from _leaves(tree, role)


def ports_of(tree: Tree, role: Path) -> int | None:
    """Return how many NIC ports each host of a role has, ``None`` where the file does not say it in numbers."""
    keys = tree.mapping(*role)
    nics, ports = keys.get("nics", 1), keys.get("ports", 1)
    return nics * ports if type(nics) is int and type(ports) is int else None


def _machines(tree: Tree, role: Path) -> Iterator[Problem]:
    """Yield a role without machines, and one that has them from another role and says it again."""
    keys, hosts = tree.mapping(*role), tree.mapping("topology", "hosts")
    of = keys.get("of")
    if "of" not in keys:
        if "count" not in keys:
            yield Problem(f"{dotted(role)}.count is missing", tree.key_place(role), "add count: how many hosts")
        return
    for key in _OF_THE_MACHINE:
        if key in keys:
            hint = f"the machines are those of {str(of)[:40]}, and it says so there: leave it out"
            yield Problem(f"{dotted(role)}.{key} beside of", tree.key_place((*role, key)), hint)
    if not isinstance(of, str):
        return
    place, mains = tree.value_place((*role, "of")), [name for name in hosts if not _is_further(tree, name)]
    if of not in hosts:
        meant = nearest(of, mains)
        start = f"did you mean {meant}? " if meant else ""
        said = f"{dotted(role)}.of: there is no host role {of[:40]!r}"
        yield Problem(said, place, f"{start}host roles: {', '.join(mains)}")
    elif of not in mains:
        said = f"{dotted(role)}.of: {of[:40]!r} has its machines from another role itself"
        hint = f"name the role that has count: {', '.join(mains)}" if mains else "leave of out, and give it a count"
        yield Problem(said, place, hint)


def _is_further(tree: Tree, name: str) -> bool:
    return "of" in tree.mapping("topology", "hosts", name)


def _interfaces(tree: Tree, role: Path) -> Iterator[Problem]:
    keys, wanted = tree.mapping(*role), ports_of(tree, role)
    path = (*role, "interfaces")
    names = tree.items(*path)
    if names and wanted is not None and len(names) != wanted:
        nics, ports = keys.get("nics", 1), keys.get("ports", 1)
        reason = f"nics is {nics}" if ports == 1 else f"{nics} nics with {ports} ports have {wanted}"
        hint = "name one network device per NIC, in order" if ports == 1 else "name one per port, NIC by NIC, in order"
        yield Problem(f"{dotted(path)}: found {len(names)}, but {reason}", tree.value_place(path), hint)
    seen: set[str] = set()
    for index, name in enumerate(names):
        if isinstance(name, str) and name in seen:
            said = f"{dotted(path)}.{index}: {name!r} is named twice"
            yield Problem(said, tree.value_place((*path, index)), "each NIC has a device of its own")
        elif isinstance(name, str):
            seen.add(name)


def _bond(tree: Tree, role: Path) -> Iterator[Problem]:
    if tree.get(*role, "bond") == "lacp" and tree.mapping(*role).get("ports", 1) == 1:
        hint = "a bond joins the ports of one NIC: set ports to 2 or 4, or leave bond out"
        yield Problem(f"{dotted(role)}.bond: lacp, and each NIC has one port", tree.value_place((*role, "bond")), hint)


def _leaves(tree: Tree, role: Path) -> Iterator[Problem]:
    """Yield leaves of a group that NIC ports cannot be spread over, and a stride shorter than the group."""
    attach, ports = tree.get(*role, "attach"), ports_of(tree, role)
    leaves, stride = tree.whole(*role, "leaves"), tree.whole(*role, "stride")
    path, place = dotted(role), tree.value_place((*role, "leaves"))
    if leaves is not None and attach in {"leaf", "dual"}:
        width = {"leaf": "one leaf", "dual": "two leaves"}[str(attach)]
        yield Problem(
            f"{path}.leaves means nothing here", place, f"attach: {attach} uses {width} a group; leave it out"
        )
        return
    if leaves is not None and ports is not None and ports % leaves:
        dividing = ", ".join(str(n) for n in range(1, ports + 1) if ports % n == 0)
        said = f"{path}.leaves: found {leaves}, and {ports} NIC ports cannot be spread evenly over them"
        yield Problem(said, place, f"allowed: {dividing}")
        return
    width_of = {"rail": leaves or ports, "leaf": 1, "dual": 2}
    needed = width_of.get(str(attach))
    if stride is not None and needed is not None and stride < needed:
        said = f"{path}.stride: found {stride}, and a group has {needed} leaves"
        hint = f"give at least {needed}, and room for further NICs; a later change would move hosts to other leaves"
        yield Problem(said, tree.value_place((*role, "stride")), hint)
