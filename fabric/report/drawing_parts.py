"""Parts of a drawing that know their size before they are placed: grids of cells, captions, frames, rows, stacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil

from fabric.report.drawing_metric import fitting, text_width
from fabric.report.drawing_model import Box, Cell, Frame, Label, Marks
from fabric.settings.network import Node


@dataclass
class Canvas:
    """What was placed so far. ``own``, ``row`` and ``outer`` hold per node the boxes that bundled links end at."""

    marks: Marks
    titles: Callable[[Node], str]
    frames: list[Frame] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    own: dict[str, Box] = field(default_factory=dict)
    row: dict[str, Box] = field(default_factory=dict)
    outer: dict[str, Box] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """Something to place with its upper left corner at (x, y)."""

    width: float
    height: float
    put: Callable[[Canvas, float, float], None]


@dataclass(frozen=True, slots=True)
class Style:
    """Sizes. ``full`` writes whole names, ``short`` only ``01`` for ``p1-leaf01``; ``dots`` draws hosts as squares.

    ``font`` of node labels, ``caption`` of captions; ``height`` of cells, ``dot`` of squares; ``pad`` beside a label;
    ``gap`` between cells; ``room`` around and between groups; ``least`` is the least width of a cell.
    """

    font: float
    caption: float
    height: float
    pad: float
    gap: float
    room: float
    least: float
    full: bool
    short: bool
    dots: bool
    dot: float = 9


def cells(nodes: Sequence[Node], style: Style, most: float) -> Part:
    """Lay nodes out as labelled cells of equal width, in as few equal rows as fit."""
    labels = [label_of(node, style) for node in nodes]
    longest = max(text_width(label, style.font) for label in labels)
    inner = min(longest, 5 * style.font) if style.short else longest
    width = max(style.least, inner + 2 * style.pad)
    shown = [fitting(label, style.font, width - 2 * style.pad) for label in labels]
    badge = max(5, min(style.height * 0.42, 11))

    def put_one(canvas: Canvas, at: int, box: Box) -> None:
        node = nodes[at]
        canvas.cells.append(Cell(node.name, box, canvas.marks.node(node.name), node.tier, badge, canvas.titles(node)))
        if shown[at]:
            base = box.y + box.height / 2 + style.font * 0.36
            canvas.labels.append(Label(shown[at], box.middle, base, style.font, "node"))

    return _grid(nodes, (width, style.height), style.gap, most, put_one)


def dots(nodes: Sequence[Node], style: Style, most: float) -> Part:
    """Lay nodes out as small squares."""

    def put_one(canvas: Canvas, at: int, box: Box) -> None:
        node = nodes[at]
        mark = canvas.marks.node(node.name)
        canvas.cells.append(Cell(node.name, box, mark, node.tier, style.dot, canvas.titles(node)))

    return _grid(nodes, (style.dot, style.dot), max(2, style.gap / 2), most, put_one)


def label_of(node: Node, style: Style) -> str:
    """Return what is written into the cell of a node: of its name what the captions around it do not say."""
    name = node.name if style.full else in_pod(node)
    number = name.removeprefix(node.role)
    return number if style.short and number.isdecimal() else name


def in_pod(node: Node) -> str:
    """Return the name of a node within its pod: ``leaf01`` of p1-leaf01."""
    return node.name if node.pod is None else node.name.removeprefix(f"p{node.pod}-")


def captioned(part: Part, text: str, style: Style) -> Part:
    """Put a caption above a part, cut where it would be wider than the part."""
    shown = fitting(text, style.caption, part.width)
    above = style.caption * 1.6

    def put(canvas: Canvas, x: float, y: float) -> None:
        if shown:
            canvas.labels.append(Label(shown, x, y + style.caption, style.caption, "caption", start=True))
        part.put(canvas, x, y + above)

    return Part(part.width, part.height + above, put)


def framed(part: Part, kind: str, room: float) -> Part:
    """Put a frame around a part."""

    def put(canvas: Canvas, x: float, y: float) -> None:
        canvas.frames.append(Frame(Box(x, y, part.width + 2 * room, part.height + 2 * room), kind))
        part.put(canvas, x + room, y + room)

    return Part(part.width + 2 * room, part.height + 2 * room, put)


def widened(part: Part, width: float) -> Part:
    """Give a part at least this width; it stays at the left."""
    return Part(max(part.width, width), part.height, part.put)


def stacked(parts: Sequence[Part], gaps: Sequence[float]) -> Part:
    """Put parts below each other, each in the middle; ``gaps`` are those after each part but the last."""
    width = max((part.width for part in parts), default=0)
    height = sum(part.height for part in parts) + sum(gaps[: max(len(parts) - 1, 0)])

    def put(canvas: Canvas, x: float, y: float) -> None:
        for part, gap in zip(parts, (*gaps[: len(parts) - 1], 0), strict=True):
            part.put(canvas, x + (width - part.width) / 2, y)
            y += part.height + gap

    return Part(width, height, put)


def beside(parts: Sequence[Part], gap: float) -> Part:
    """Put parts beside each other, tops in line."""
    width = sum(part.width for part in parts) + gap * max(len(parts) - 1, 0)

    def put(canvas: Canvas, x: float, y: float) -> None:
        for part in parts:
            part.put(canvas, x, y)
            x += part.width + gap

    return Part(width, max((part.height for part in parts), default=0), put)


def fits(parts: Sequence[Part], gap: float, most: float) -> int:
    """Return how many of these parts find room beside each other, at least one."""
    if sum(part.width + gap for part in parts) - gap <= most:
        return len(parts)
    widest = max(part.width for part in parts)
    return min(len(parts), max(1, int((most + gap) // (widest + gap))))


def flowed(parts: Sequence[Part], gap: float, each: int) -> Part:
    """Put parts beside each other, at most ``each`` in a row, the rows as equal as can be."""
    rows = max(1, ceil(len(parts) / max(each, 1)))
    size = ceil(len(parts) / rows)
    return stacked([beside(parts[at : at + size], gap) for at in range(0, len(parts), size)], [gap] * rows)


def told(part: Part, tell: Callable[[Canvas, Box], None]) -> Part:
    """Tell the box of a part when it was placed, after the boxes of what is in it."""

    def put(canvas: Canvas, x: float, y: float) -> None:
        part.put(canvas, x, y)
        tell(canvas, Box(x, y, part.width, part.height))

    return Part(part.width, part.height, put)


def own_told(part: Part, names: Iterable[str]) -> Part:
    """Make the box of a part the one that links between leaves and hosts end at."""
    wanted = tuple(names)
    return told(part, lambda canvas, box: canvas.own.update(dict.fromkeys(wanted, box)))


def row_told(part: Part, names: Iterable[str]) -> Part:
    """Make the box of a part the one that links from the next tier of the same pod end at."""
    wanted = tuple(names)
    return told(part, lambda canvas, box: canvas.row.update(dict.fromkeys(wanted, box)))


def outer_told(part: Part, names: Iterable[str]) -> Part:
    """Make the box of a part the one that links from outside of the pod end at."""
    wanted = tuple(names)
    return told(part, lambda canvas, box: canvas.outer.update(dict.fromkeys(wanted, box)))


def _grid(
    nodes: Sequence[Node],
    size: tuple[float, float],
    gap: float,
    most: float,
    put_one: Callable[[Canvas, int, Box], None],
) -> Part:
    width, height = size
    columns = _columns(len(nodes), max(1, int((most + gap) // (width + gap))))
    rows = ceil(len(nodes) / columns)
    whole = Box(0, 0, columns * (width + gap) - gap, rows * (height + gap) - gap)

    def put(canvas: Canvas, x: float, y: float) -> None:
        for at, node in enumerate(nodes):
            row, column = divmod(at, columns)
            put_one(canvas, at, Box(x + column * (width + gap), y + row * (height + gap), width, height))
            canvas.own[node.name] = Box(x, y, whole.width, whole.height)

    return Part(whole.width, whole.height, put)


def _columns(number: int, most: int) -> int:
    """Return how many columns leave the fewest places empty, and no more rows than need be by much."""
    if number <= most:
        return number
    wide = range(most, max(1, ceil(0.6 * most)) - 1, -1)
    return min(wide, key=lambda columns: -number % columns)
