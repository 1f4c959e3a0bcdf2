"""How each node is reached by the word of the intent: jump host, address and port."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabric.design.model import Design
from fabric.intent.sections.access import AccessIntent
from fabric.transport.targets import address


@dataclass(frozen=True, slots=True)
class Way:
    """Two nodes with equal ways are one device; ``section`` of ``access`` is where it is written."""

    host: str
    port: int
    jump: str | None
    section: str = field(compare=False)

    def __str__(self) -> str:
        through = f" through {self.jump}" if self.jump else ""
        return f"{self.host} port {self.port}{through}"


def ways(access: AccessIntent | None, design: Design) -> Mapping[str, Way]:
    """Return the way to each node, in design order; none for nodes of a kind that ``access`` says nothing of."""
    if access is None:
        return {}
    rules = {"switch": ("switches", access.switches), "host": ("hosts", access.hosts)}
    found = {}
    for name, node in design.network.nodes.items():
        section, rule = rules[node.kind]
        if rule is not None:
            found[name] = Way(address(name, rule, design.management.get(name)), rule.port, rule.jump, section)
    return found
