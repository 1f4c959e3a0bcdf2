"""The schedulers of a network, each once, with the ports that have it."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.analysis.ends import several
from fabric.settings.network import End, Network, once
from fabric.settings.queues import Queues, Scheduler


@dataclass(frozen=True, slots=True)
class Used:
    """A scheduler, and the ports that have it, in order."""

    scheduler: Scheduler
    ports: tuple[End, ...]

    @property
    def path(self) -> str:
        """The path of the row of the first port."""
        return f"{self.ports[0].node}.queues.{self.ports[0].port}"

    @property
    def where(self) -> str:
        """The ports in words."""
        return several(self.ports)


@once
def schedulers(network: Network) -> tuple[Used, ...]:
    """Return each scheduler that a port has, in order of their first ports."""
    shared: dict[int, tuple[Scheduler, list[End]]] = {}  # most ports share one object: to compare all takes long
    for node in network.nodes.values():
        for port, row in node.settings.rows(Queues).items():
            shared.setdefault(id(row), (row, []))[1].append(End(node.name, port))
    equal: dict[Scheduler, list[End]] = {}
    for scheduler, ports in shared.values():
        equal.setdefault(scheduler, []).extend(ports)
    return tuple(Used(scheduler, tuple(ports)) for scheduler, ports in equal.items())
