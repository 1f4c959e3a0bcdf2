"""What the language knows and this release does not build yet: refused by name, never ignored.

A line of `KEYS` leaves when the key gets its field in the models; nothing else has to change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from fabric.errors import Problem
from fabric.intent.tree import Data, Path, Tree, dotted

KEYS: Final[tuple[str, ...]] = (
    "topology.pods",
    "topology.switches.*.per",
    "topology.switches.*.asn.stride",
    "topology.hosts.*.per",
    "topology.hosts.*.ports",
    "topology.hosts.*.bond",
    "topology.cables.*.media",
    "topology.cables.*.fec",
    "topology.cables.*.ports",
    "topology.cables.*.to_ports",
    "topology.cables.*.spread",
    "topology.cables.*.file",
    "topology.cables.*.match",
    "addressing.router_ids",
    "classes.*.edge",
    "classes.*.ecn.profile",
    "classes.*.ecn.flows",
    "buffers.lossy_alpha",
    "buffers.oversubscribe",
    "buffers.override",
    "routing",
    "nic_settings.bnxt",
    "jobs.nccl.communicators",
    "hooks",
    "nodes",
    "access.jump",
    "access.switches.jump",
    "access.switches.password",
    "access.switches.key",
    "access.hosts.jump",
    "access.hosts.password",
    "access.hosts.key",
    "tenants",
    "external",
    "waivers",
)
"""Dotted paths; ``*`` stands for one name or index."""

_IPV6: Final = re.compile(r"[0-9a-fA-F:]*:[0-9a-fA-F:.]*(/[0-9]{1,3})?")
_LONGEST_IPV6: Final = 50  # the pattern may look at longer texts again and again
_WHOLE_ENTRIES: Final = frozenset({"file", "match"})
_SECRETS: Final = frozenset({"password", "key", "secret", "token", "passphrase", "private_key"})
_BY_REFERENCE: Final = "secrets stand in this file only as references, such as {env: NAME}; leave the key out"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A problem, and the path under which the models' own complaints would only repeat it."""

    problem: Problem
    covers: Path


def refusals(tree: Tree) -> Iterator[Refusal]:
    """Yield what a file uses of the language that is not built yet, and literal secrets."""
    for pattern in KEYS:
        for path in _matches(tree, tuple(pattern.split("."))):
            yield _key(tree, path)
    for path in _secrets(tree):
        yield Refusal(Problem(f"{dotted(path)}: a secret stands here", tree.key_place(path), _BY_REFERENCE), path)
    for pattern, applies, said, hint in _VALUES:
        for path in _matches(tree, tuple(pattern.split("."))):
            if applies(tree.get(*path)):
                message = f"{dotted(path)}: {said} is not supported yet"
                yield Refusal(Problem(message, tree.value_place(path), hint), path)


def unsupported_names(path: Path) -> tuple[str, ...]:
    """Return the names that the language knows below ``path`` and that are not built yet."""
    found = []
    for pattern in KEYS:
        *above, name = pattern.split(".")
        if len(above) == len(path) and all(p in {"*", str(step)} for p, step in zip(above, path, strict=True)):
            found.append(name)
    return tuple(found)


def _key(tree: Tree, path: Path) -> Refusal:
    covers = path[:-1] if path[1:2] == ("cables",) and path[-1] in _WHOLE_ENTRIES else path
    if path[0] == "access" and path[-1] in _SECRETS and not isinstance(tree.get(*path), dict):
        problem = Problem(f"{dotted(path)}: a secret stands here", tree.key_place(path), _BY_REFERENCE)
    else:
        problem = Problem(f"{dotted(path)} is not supported yet", tree.key_place(path), "leave the key out")
    return Refusal(problem, covers)


def _secrets(tree: Tree) -> Iterator[Path]:
    """Yield keys under ``access`` that are named like secrets and are no keys of the language."""
    for group, keys in tree.mapping("access").items():
        found = keys if isinstance(keys, dict) else {}
        known = unsupported_names(("access", group))
        yield from (("access", group, name) for name in found if name in _SECRETS and name not in known)
    yield from (("access", name) for name in tree.mapping("access") if name in _SECRETS)


def _matches(tree: Tree, pattern: tuple[str, ...]) -> Iterator[Path]:
    found: list[Path] = [()]
    for step in pattern:
        found = [(*path, name) for path in found for name in _names(tree.get(*path), step)]
    yield from found


def _names(data: Data, step: str) -> list[str | int]:
    if isinstance(data, dict):
        return list(data) if step == "*" else [step] if step in data else []
    if isinstance(data, list):
        return list(range(len(data))) if step == "*" else []
    return []


def _is_pod(value: Data) -> bool:
    return value == "pod"


def _is_mapping(value: Data) -> bool:
    return isinstance(value, dict)


def _is_ipv6(value: Data) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_IPV6 and _IPV6.fullmatch(value) is not None


def _is_list(value: Data) -> bool:
    return isinstance(value, list)


_PREFIX_HINT: Final = "give one IPv4 prefix, such as 10.64.0.0/12"
_VALUES: Final[tuple[tuple[str, Callable[[Data], bool], str, str], ...]] = (
    ("topology.switches.*.asn.per", _is_pod, "pod", "allowed: tier, device"),
    ("topology.cables", _is_mapping, "a file of cables", "list them, each {from: ROLE, to: ROLE, speed: 400G}"),
    *(
        (f"addressing.{pool}", applies, said, _PREFIX_HINT)
        for pool in ("loopbacks", "links", "hosts")
        for applies, said in (
            (_is_ipv6, "IPv6"),
            (_is_list, "a list of pools"),
            (_is_mapping, "the form {prefix, per, length, ...}"),
        )
    ),
    ("classes.*.ecn.min", _is_mapping, "a threshold per speed", "give one size, such as 150KB, or auto"),
    ("classes.*.ecn.max", _is_mapping, "a threshold per speed", "give one size, such as 150KB, or auto"),
)
