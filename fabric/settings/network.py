"""Network: links, and settings and facts per node; designed, read, or a mixture of both."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.settings.facet import Settings
    from fabric.settings.facts import Facts

Kind: TypeAlias = Literal["switch", "host"]
Constants: TypeAlias = "tuple[tuple[str, Any], ...]"
State: TypeAlias = Literal["planned", "active", "maintenance"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, order=True)
class End:
    """One end of a link."""

    node: str
    port: str

    def __str__(self) -> str:
        return f"{self.node}:{self.port}"


@dataclass(frozen=True, slots=True)
class Link:
    """A cable: ``a`` is the lower end (nearer to hosts). Speed in bit/s, length in metres (0 where none is given).

    ``media`` and ``fec`` as the intent writes them; ``None`` where it has no opinion.
    """

    a: End
    b: End
    speed: int
    length: float
    media: str | None = None
    fec: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A switch or a host. ``tier`` is 0 for hosts, 1 for switches that hosts attach to, and so on upwards.

    ``pod`` and ``plane`` count from 1; ``None`` where the fabric has none, or the node belongs to all of them.
    ``state`` is what is expected of it: a ``planned`` node is not there yet, one in ``maintenance`` is not judged.
    """

    name: str
    role: str
    kind: Kind
    tier: int
    system: str
    model: str
    facts: Facts
    settings: Settings
    pod: int | None = None
    plane: int | None = None
    state: State = "active"


@dataclass(frozen=True)
class Network:
    """What most rules judge. Nodes in design order; links in order of their lower ends.

    ``chips`` are constants that the intent gives, by chip or switch model, under the names of the hardware data.
    ``oversubscribe`` is how many times the headroom of all ports may exceed what is set aside for it, as the intent
    says; ``None`` where it does not.
    """

    nodes: Mapping[str, Node]
    links: tuple[Link, ...]
    chips: Mapping[str, Constants] = field(default_factory=dict)
    oversubscribe: int | None = None

    @cached_property
    def memo(self) -> dict[object, Any]:
        """What `once` keeps: answers that follow from this network alone, and live as long as it does."""
        return {}

    @cached_property
    def ends(self) -> Mapping[End, tuple[Link, End]]:
        """Each end of a link with its link and the end on the other side."""
        return {end: (link, far) for link in self.links for end, far in ((link.a, link.b), (link.b, link.a))}

    @cached_property
    def links_of(self) -> Mapping[str, tuple[tuple[Link, End, End], ...]]:
        """Per node its links as (link, own end, far end), in link order."""
        found: dict[str, list[tuple[Link, End, End]]] = {name: [] for name in self.nodes}
        for link in self.links:
            for end, far in ((link.a, link.b), (link.b, link.a)):
                found.setdefault(end.node, []).append((link, end, far))
        return {name: tuple(rows) for name, rows in found.items()}

    def with_settings(self, settings: Mapping[str, Settings]) -> Network:
        """Return this network with the settings of some nodes replaced, such as by what was read."""
        nodes = {name: replace(node, settings=settings.get(name, node.settings)) for name, node in self.nodes.items()}
        return replace(self, nodes=nodes)


def once(work: Callable[[Network], T]) -> Callable[[Network], T]:
    """Return a function that asks ``work`` once about a network, and remembers its answer with that network.

    Networks do not change, so that answers stay right; several rules ask for the same ones.
    """

    @wraps(work)
    def remembered(network: Network) -> T:
        if work not in network.memo:
            network.memo[work] = work(network)
        found: T = network.memo[work]
        return found

    return remembered
