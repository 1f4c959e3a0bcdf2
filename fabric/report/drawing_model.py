"""What a drawing of a fabric is made of: frozen values in units of the drawing, x to the right and y downwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from fabric.settings.network import End


class Mark(Enum):
    """How a node or a link stands, from what is worth the most attention to what is worth none.

    ``PLAIN`` is for drawings that judge nothing, ``UNSEEN`` for what nobody looked at.
    """

    ERROR = "error"
    WARNING = "warning"
    CHANGED = "changed"
    SKIP = "skip"
    NOTE = "note"
    MAINTENANCE = "maintenance"
    PLANNED = "planned"
    OK = "ok"
    PLAIN = "plain"
    UNSEEN = "unseen"

    @property
    def calm(self) -> bool:
        """Tell whether there is nothing to look at."""
        return self in _CALM


_CALM = frozenset({Mark.OK, Mark.PLAIN, Mark.UNSEEN})
_RANK = {mark: rank for rank, mark in enumerate(Mark)}


def worse(one: Mark, other: Mark) -> Mark:
    """Return the one of two marks that is worth more attention."""
    return min(one, other, key=_RANK.__getitem__)


@dataclass(frozen=True)
class Marks:
    """How the nodes and ends of links stand, and what there is to say of each; ``usual`` stands for all others.

    ``words`` say what each mark means in this drawing: those, and in their order, are its legend.
    """

    usual: Mark
    words: Mapping[Mark, str]
    nodes: Mapping[str, Mark] = field(default_factory=dict)
    ends: Mapping[End, Mark] = field(default_factory=dict)
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def node(self, name: str) -> Mark:
        """Return how a node stands."""
        return self.nodes.get(name, self.usual)

    def link(self, ends: Iterable[End]) -> Mark:
        """Return how links with these ends stand: the worst that is known, else what their nodes let expect."""
        ends = tuple(ends)
        known = [self.ends[end] for end in ends if end in self.ends]
        if known:
            return min(known, key=_RANK.__getitem__)
        seen = all(self.nodes.get(end.node, Mark.ERROR) is not Mark.ERROR for end in ends)
        return Mark.OK if self.usual is Mark.UNSEEN and seen else self.usual


class Box(NamedTuple):
    """A rectangle: its upper left corner, and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> float:
        """The x of its middle."""
        return self.x + self.width / 2

    @property
    def center(self) -> tuple[float, float]:
        """Its middle point."""
        return self.middle, self.y + self.height / 2


class Cell(NamedTuple):
    """A node. ``badge`` is the size of the sign that stands for its mark besides the colour."""

    node: str
    box: Box
    mark: Mark
    tier: int
    badge: float
    title: str


class Frame(NamedTuple):
    """A rectangle around nodes that belong together: a ``pod``, a ``plane``, or a ``block`` of leaves and hosts."""

    box: Box
    kind: str


class Label(NamedTuple):
    """A text; ``x`` is its middle, or its beginning where ``start`` says so, ``y`` its baseline, ``size`` its font's.

    ``kind`` is ``node``, ``caption`` or ``tally``.
    """

    text: str
    x: float
    y: float
    size: float
    kind: str
    start: bool = False


class Line(NamedTuple):
    """The links between two nodes, lower end first."""

    a: tuple[float, float]
    b: tuple[float, float]
    width: float
    mark: Mark
    title: str


class Trunk(NamedTuple):
    """The links between two rows of nodes: from a piece of an upper edge to a piece of a lower edge, each (x, x, y)."""

    upper: tuple[float, float, float]
    lower: tuple[float, float, float]
    title: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing; in order of painting: frames, trunks, lines, cells, labels. ``left_out`` counts lines not drawn."""

    width: float
    height: float
    title: str
    trunks: tuple[Trunk, ...]
    frames: tuple[Frame, ...]
    lines: tuple[Line, ...]
    cells: tuple[Cell, ...]
    labels: tuple[Label, ...]
    left_out: int = 0
