"""Cables join known roles, and tiers follow from them: leaves are what hosts attach to, spines what leaves lead to.

Cables that are listed in a file name nodes and not roles: what they join is judged by the design.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from fabric.errors import Problem
from fabric.intent.spelling import nearest
from fabric.intent.tree import Tree

_HIGHEST_TIER: Final = 5


@dataclass(frozen=True, slots=True)
class Joint:
    """A cable entry whose two roles are known; either may be the upper one."""

    index: int
    one: str
    other: str


def cabling_problems(tree: Tree) -> Iterator[Problem]:
    """Yield cables between roles that do not exist or cannot be joined, and roles that no tier can be found for."""
    yield from _unknown_roles(tree)
    joints = tuple(_joints(tree))
    yield from _misjoined(tree, joints)
    if 0 < len(joints) == _generating(tree):  # else a list, or a cable that is wrong, may explain it
        yield from _uncabled(tree, joints)
        yield from _tiers(tree, joints)


def tiers(hosts: Iterable[str], joints: Iterable[Joint]) -> dict[str, int]:
    """Return the tier of each role that can be reached: its distance from the hosts in cables, hosts being 0."""
    pairs = [(joint.one, joint.other) for joint in joints]
    pairs += [(other, one) for one, other in pairs]
    found = dict.fromkeys(hosts, 0)
    near = set(found)
    while near:
        far = {other for one, other in pairs if one in near} - set(found)
        found |= dict.fromkeys(sorted(far), max(found.values()) + 1)
        near = far
    return found


def _generating(tree: Tree) -> int:
    """Return how many entries make cables: all but changes of single cables."""
    return sum(1 for entry in tree.items("topology", "cables") if not (isinstance(entry, dict) and "match" in entry))


def _unknown_roles(tree: Tree) -> Iterator[Problem]:
    known = [*tree.mapping("topology", "switches"), *tree.mapping("topology", "hosts")]
    for index, _ in enumerate(tree.items("topology", "cables")):
        for key in ("from", "to"):
            path = ("topology", "cables", index, key)
            role = tree.get(*path)
            if not isinstance(role, str) or role in known or not known:
                continue
            meant = nearest(role, known)
            start = f"did you mean {meant}? " if meant else ""
            message = f"topology.cables.{index}.{key}: {role[:40]!r} is no role"
            yield Problem(message, tree.value_place(path), f"{start}roles: {', '.join(known)}")


def _joints(tree: Tree) -> Iterator[Joint]:
    known = {*tree.mapping("topology", "switches"), *tree.mapping("topology", "hosts")}
    for index, _ in enumerate(tree.items("topology", "cables")):
        one, other = (tree.get("topology", "cables", index, key) for key in ("from", "to"))
        if isinstance(one, str) and isinstance(other, str) and {one, other} <= known:
            yield Joint(index, one, other)


def _misjoined(tree: Tree, joints: tuple[Joint, ...]) -> Iterator[Problem]:
    hosts = tree.mapping("topology", "hosts")
    pairs: dict[frozenset[str], int] = {}
    attached: dict[str, str] = {}
    for joint in joints:
        at = f"topology.cables.{joint.index}"
        place = tree.key_place(("topology", "cables", joint.index))
        first = pairs.setdefault(frozenset({joint.one, joint.other}), joint.index)
        host, switch = (joint.one, joint.other) if joint.one in hosts else (joint.other, joint.one)
        if joint.one == joint.other:
            yield Problem(f"{at}: {joint.one} is cabled to itself", place, "cables run from a role to another one")
        elif host in hosts and switch in hosts:
            yield Problem(f"{at}: {joint.one} and {joint.other} are both hosts", place, "hosts are cabled to switches")
        elif first != joint.index:
            said = f"{at}: {joint.one} and {joint.other} are cabled already by topology.cables.{first}"
            yield Problem(said, place, "keep one of the two; several cables between two nodes are per_pair")
        elif host in hosts and attached.setdefault(host, switch) != switch:
            said = f"{at}: {host} is cabled to switches of another role, {attached[host]}, already"
            hint = f"hosts of one role attach to one role of switches; further NICs: a host role with of: {host}"
            yield Problem(said, place, hint)


def _uncabled(tree: Tree, joints: tuple[Joint, ...]) -> Iterator[Problem]:
    for role in tree.mapping("topology", "hosts"):
        if not any(role in {joint.one, joint.other} for joint in joints):
            hint = f"add to topology.cables: {{from: {role}, to: SWITCH-ROLE, speed: 400G}}"
            said = f"topology.hosts.{role}: no cables lead from this role"
            yield Problem(said, tree.key_place(("topology", "hosts", role)), hint)


def _tiers(tree: Tree, joints: tuple[Joint, ...]) -> Iterator[Problem]:
    hosts = tree.mapping("topology", "hosts")
    found = tiers(hosts, joints)
    for role in tree.mapping("topology", "switches"):
        place = tree.key_place(("topology", "switches", role))
        if role not in found:
            said = f"topology.switches.{role}: no cables lead from hosts up to this role"
            yield Problem(said, place, "add cables to it, or take the role out")
        elif found[role] > _HIGHEST_TIER:
            said = f"topology.switches.{role}: this is tier {found[role]} above the hosts"
            yield Problem(said, place, f"a fabric has at most {_HIGHEST_TIER} tiers of switches")
    for joint in joints:
        tier = found.get(joint.one, 0)
        if tier and tier == found.get(joint.other) and joint.one != joint.other:
            path = ("topology", "cables", joint.index)
            said = f"topology.cables.{joint.index}: {joint.one} and {joint.other} are both tier {tier}"
            hint = "cables lead from one tier up to another: take these out, or those that make the roles equal"
            yield Problem(said, tree.key_place(path), hint)
