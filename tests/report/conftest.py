"""What reports are made of in the tests: networks of any size from plain values, and results about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from fabric.design.model import Design
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.network import End, Link, Network, Node
from fabric.workflows.prepare import designed

ROOT = Path(__file__).parents[2]


@dataclass
class Clos:
    """A CLOS built by plain loops, with none of the code that designs fabrics; ``pods`` 0 says that there are none.

    NIC r goes to leaf r of its group; hosts fill groups of ``per_group``; upper j belongs to plane j mod planes.
    """

    pods: int = 0
    superspines: int = 0
    spines: int = 2
    leaves: int = 4
    hosts: int = 4
    nics: int = 2
    per_group: int = 2
    planes: int = 1
    names: dict[str, str] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)

    def __post_init__(self):
        self.nodes = {}
        self.links = []
        self.used = {}

    def design(self):
        for i in range(self.superspines):
            self.node(f"superspine{i + 1:02}", "superspine", 3, None, i % self.planes + 1)
        for pod in range(1, self.pods + 1) if self.pods else [None]:
            self.pod(pod)
        return Design("clos", Network(self.nodes, tuple(self.links)), (), 9000, (), {})

    def pod(self, pod):
        before = "" if pod is None else f"p{pod}-"
        name = {role: f"{before}{role}{{:02}}".format for role in ("spine", "leaf", "gpu")}
        for i in range(self.spines):
            self.node(name["spine"](i + 1), "spine", 2, pod, i % self.planes + 1 if self.superspines else None)
        for i in range(self.leaves):
            self.node(name["leaf"](i + 1), "leaf", 1, pod, None)
        for i in range(self.hosts):
            self.node(name["gpu"](i + 1), "gpu", 0, pod, None)
            for nic in range(self.nics):
                leaf = (i // self.per_group * self.nics + nic) % self.leaves
                self.link(name["gpu"](i + 1), name["leaf"](leaf + 1))
        for leaf in range(self.leaves):
            for spine in range(self.spines):
                self.link(name["leaf"](leaf + 1), name["spine"](spine + 1))
        for spine in range(self.spines):
            for top in range(spine % self.planes, self.superspines, self.planes):
                self.link(name["spine"](spine + 1), f"superspine{top + 1:02}")

    def node(self, place, role, tier, pod, plane):
        name = self.names.get(place, place)
        kind, system = ("switch", "eos") if tier else ("host", "linux")
        state = self.states.get(place, "active")
        self.nodes[name] = Node(name, role, kind, tier, system, "any", Facts(system), Settings(), pod, plane, state)

    def link(self, *places):
        ends = (End(name, self.port(name)) for name in (self.names.get(place, place) for place in places))
        self.links.append(Link(*ends, 400 * 10**9, 5.0))

    def port(self, name):
        self.used[name] = self.used.get(name, 0) + 1
        return f"swp{self.used[name]}"


@pytest.fixture(scope="session")
def clos():
    """Make a design from numbers: ``clos(spines=16, leaves=384)``."""
    return lambda **numbers: Clos(**numbers).design()


@pytest.fixture(scope="session")
def inventory():
    """Design an inventory of the project, each once."""
    return cache(lambda name: designed(ROOT / "inventories" / name))
