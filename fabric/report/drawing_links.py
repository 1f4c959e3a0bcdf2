"""Links between placed nodes: a line per pair of nodes while there are few, else a trunk per pair of rows.

What is not as it should be has a line of its own all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2

from fabric.report.drawing_metric import text_width
from fabric.report.drawing_model import Box, Cell, Label, Line, Mark, Marks, Trunk
from fabric.report.drawing_parts import Canvas, Style
from fabric.settings.network import Link, Network
from fabric.units import format_speed

# More lines than this between switches cannot be followed by an eye.
SINGLE = 200
# A fabric in which more pairs than this are not as they should be is judged by its tables.
MOST = 1500


@dataclass(frozen=True, eq=False)
class Pair:
    """All links between two nodes, lower node first."""

    a: str
    b: str
    links: tuple[Link, ...]
    mark: Mark

    @property
    def speeds(self) -> str:
        """How many links of which speed: ``8 x 400G``."""
        counted = Counter(link.speed for link in self.links)
        return ", ".join(f"{count} x {format_speed(speed)}" for speed, count in counted.items())


@dataclass(frozen=True)
class Wires:
    """The links of a drawing. ``left_out`` counts pairs that are not as they should be and have no line."""

    lines: tuple[Line, ...]
    trunks: tuple[Trunk, ...]
    labels: tuple[Label, ...]
    left_out: int


def pairs(network: Network, marks: Marks) -> tuple[Pair, ...]:
    """Put links between the same two nodes together, with the worst of their marks."""
    found: dict[tuple[str, str], list[Link]] = {}
    for link in network.links:
        found.setdefault((link.a.node, link.b.node), []).append(link)
    return tuple(
        Pair(a, b, tuple(links), marks.link(e for link in links for e in (link.a, link.b)))
        for (a, b), links in found.items()
    )


def many(network: Network, found: Iterable[Pair]) -> bool:
    """Tell whether links between switches are too many for lines."""
    nodes = network.nodes
    between = sum(nodes[pair.a].kind == nodes[pair.b].kind == "switch" for pair in found)
    return between > SINGLE


def wires(network: Network, found: Sequence[Pair], canvas: Canvas, style: Style, *, bundled: bool) -> Wires:
    """Draw pairs between nodes that were placed; ``bundled`` says it of links between switches."""
    boxes = {cell.node: cell for cell in canvas.cells}
    hosted: dict[bool, list[Pair]] = {False: [], True: []}
    for pair in found:
        hosted[network.nodes[pair.a].kind == "host"].append(pair)
    lines: list[Line] = []
    trunks: list[Trunk] = []
    labels: list[Label] = []
    left_out = 0
    for group, together in ((hosted[False], bundled), (hosted[True], style.dots)):
        if not together:
            lines.extend(_line(pair, boxes, 1.2 + 0.7 * log2(len(pair.links))) for pair in group)
            continue
        ends = {pair: _boxes(network, pair, canvas) for pair in group}
        upright = {pair: (upper, lower) for pair, (upper, lower) in ends.items() if upper.bottom < lower.y}
        single = [pair for pair in group if not pair.mark.calm or pair not in upright]
        single.sort(key=lambda pair: _urgent(pair.mark))
        lines.extend(_line(pair, boxes, 1.5) for pair in single[:MOST])
        left_out += len(single[MOST:])
        for trunk, label in _trunks(upright, style.caption):
            trunks.append(trunk)
            labels.extend(label)
    return Wires(tuple(lines), tuple(trunks), tuple(labels), left_out)


def _urgent(mark: Mark) -> int:
    return tuple(Mark).index(mark)


def _line(pair: Pair, boxes: Mapping[str, Cell], width: float) -> Line:
    low, high = boxes[pair.a].box, boxes[pair.b].box
    if high.y > low.y:
        low, high = high, low
    title = f"{pair.a} to {pair.b}: {pair.speeds}"
    if low.y <= high.bottom:  # side by side
        return Line(low.center, high.center, width, pair.mark, title)
    return Line((low.middle, low.y), (high.middle, high.bottom), width, pair.mark, title)


def _trunks(found: Mapping[Pair, tuple[Box, Box]], caption: float) -> Iterator[tuple[Trunk, tuple[Label, ...]]]:
    """Draw what lies between the same two boxes as one trunk; trunks that share an upper edge part it among them."""
    between: dict[tuple[Box, Box], list[Pair]] = {}
    for pair, ends in found.items():
        between.setdefault(ends, []).append(pair)
    shares: dict[Box, list[tuple[Box, list[Pair]]]] = {}
    for (upper, lower), group in between.items():
        shares.setdefault(upper, []).append((lower, group))
    for upper, parts in shares.items():
        parts.sort(key=lambda part: part[0].middle)
        piece = upper.width / len(parts)
        for at, (lower, group) in enumerate(parts):
            left = upper.x + at * piece
            yield _trunk((left + 0.04 * piece, left + 0.96 * piece, upper.bottom), lower, group, caption)


def _trunk(
    top: tuple[float, float, float], lower: Box, group: Sequence[Pair], caption: float
) -> tuple[Trunk, tuple[Label, ...]]:
    count = sum(len(pair.links) for pair in group)
    speeds = dict.fromkeys(format_speed(link.speed) for pair in group for link in pair.links)
    text = f"{count:,} x {' / '.join(speeds)}"
    low = (lower.x + 0.1 * lower.width, lower.x + 0.9 * lower.width, lower.y)
    left, right, middle = ((top[at] + low[at]) / 2 for at in range(3))
    fits = text_width(text, caption) <= 0.9 * (right - left) and low[2] - top[2] >= 2 * caption
    label = (Label(text, (left + right) / 2, middle + caption * 0.36, caption, "tally"),) if fits else ()
    return Trunk(top, low, f"{text} links between {len(group):,} pairs of nodes"), label


def _boxes(network: Network, pair: Pair, canvas: Canvas) -> tuple[Box, Box]:
    """Return the upper and the lower box that a pair's trunk lies between."""
    low, high = network.nodes[pair.a], network.nodes[pair.b]
    if low.kind == "host":
        ends = canvas.own[pair.a], canvas.own[pair.b]
    elif low.pod == high.pod:
        ends = canvas.row.get(pair.a, canvas.own[pair.a]), canvas.row.get(pair.b, canvas.own[pair.b])
    else:
        ends = _outer(pair.a, canvas), _outer(pair.b, canvas)
    return (ends[1], ends[0]) if ends[1].y <= ends[0].y else (ends[0], ends[1])


def _outer(name: str, canvas: Canvas) -> Box:
    return canvas.outer.get(name, canvas.row.get(name, canvas.own[name]))
