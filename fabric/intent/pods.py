"""Pods: roles that are there once in each, and the numbers that are set aside so that each pod can grow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fabric.errors import Problem
from fabric.intent.tree import Path, Tree, dotted

STRIDE: Final = 64
"""Places set aside per pod where a role does not say how many."""
_ROLES: Final[tuple[Path, ...]] = (("topology", "switches"), ("topology", "hosts"))


def pod_problems(tree: Tree) -> Iterator[Problem]:
    """Yield ``per: pod`` without pods, pods without ``per: pod``, and strides that are too short or mean nothing."""
    podded = [(*roles, role) for roles in _ROLES for role in tree.mapping(*roles) if is_podded(tree, (*roles, role))]
    pods: Path = ("topology", "pods")
    if pods not in tree.keys:
        for path in podded:
            said = f"{dotted(path)}.per: pod, and there are no pods"
            yield Problem(said, tree.value_place((*path, "per")), "add topology.pods: how many pods there are")
    elif not podded:
        hint = "add per: pod to the roles that are there once in each pod, or leave pods out"
        yield Problem("topology.pods: no role has per: pod", tree.value_place(pods), hint)
    for role in tree.mapping("topology", "switches"):
        yield from _switches(tree, ("topology", "switches", role))


def is_podded(tree: Tree, role: Path) -> bool:
    """Tell whether a role is there once in each pod."""
    return tree.get(*role, "per") == "pod"


def _switches(tree: Tree, role: Path) -> Iterator[Problem]:
    stride, asn = (*role, "stride"), (*role, "asn", "stride")
    podded, per = is_podded(tree, role), tree.get(*role, "asn", "per")
    if per == "pod" and not podded:
        hint = f"add per: pod to {dotted(role)}, or choose per: tier or per: device here"
        yield Problem(
            f"{dotted(role)}.asn.per: pod, and the role has no pods", tree.value_place((*asn[:-1], "per")), hint
        )
    if stride in tree.keys and not podded:
        hint = f"places are set aside per pod: leave it out, or add per: pod to {dotted(role)}"
        yield Problem(f"{dotted(stride)} means nothing here", tree.key_place(stride), hint)
    if asn in tree.keys and per in {"tier", "pod", "device"} and not (podded and per == "device"):
        hint = (
            "AS numbers are set aside for pods whose switches have one each (per: pod, asn.per: device): leave it out"
        )
        yield Problem(f"{dotted(asn)} means nothing here", tree.key_place(asn), hint)
    if podded:
        yield from _too_short(tree, role, stride if stride in tree.keys or asn not in tree.keys else None)
        yield from _too_short(tree, role, asn if asn in tree.keys else None)


def _too_short(tree: Tree, role: Path, stride: Path | None) -> Iterator[Problem]:
    """Yield that a pod has more switches than a stride sets aside; ``None`` where nothing is set aside by that key."""
    count = tree.whole(*role, "count")
    if stride is None or count is None:
        return
    given = tree.whole(*stride) if stride in tree.keys else STRIDE
    if given is not None and count > given:
        found = f"found {given}" if stride in tree.keys else f"it is {given} where it is not given"
        place = tree.value_place(stride) if stride in tree.keys else tree.value_place((*role, "count"))
        hint = f"a pod has {count}: give at least that, and room for growth; a later change would renumber pods"
        yield Problem(f"{dotted(stride)}: {found}, and count is {count}", place, hint)
