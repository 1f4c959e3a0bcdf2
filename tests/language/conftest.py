from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from fabric.design.build import design
from fabric.design.model import Design
from fabric.intent.loader import load
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Router

FOLDER = Path(__file__).parent


@cache
def _built(name: str) -> Design:
    return design(load(FOLDER / name))


class Seen:
    """A design as the expectations ask about it."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.network = design.network
        self.ends: Mapping[str, str] = {str(link.a): str(link.b) for link in design.network.links}

    def addresses(self, node: str) -> list[str]:
        return list(self.network.nodes[node].settings.rows(Addresses))

    def router(self, node: str) -> Router:
        found = self.network.nodes[node].settings.rows(Bgp)["router"]
        assert isinstance(found, Router)
        return found

    def peers(self, node: str) -> list[str]:
        rows = self.network.nodes[node].settings.rows(Bgp)
        return [key.removeprefix("neighbor ") for key in rows if key.startswith("neighbor ")]

    def subscribed(self, node: str) -> Fraction:
        """Speed below divided by speed above."""
        speed: dict[bool, int] = defaultdict(int)
        for link, own, _ in self.network.links_of[node]:
            speed[own == link.a] += link.speed
        return Fraction(speed[False], speed[True])


@pytest.fixture
def seen() -> Callable[[str], Seen]:
    """The design of a folder of this one."""
    return lambda name: Seen(_built(name))
