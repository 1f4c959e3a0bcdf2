"""Where everything stands: the largest style in which a fabric is not too tall for its width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fabric.ranges import ranges
from fabric.report.drawing_groups import Block, Groups, Pod, Row
from fabric.report.drawing_metric import text_width
from fabric.report.drawing_parts import (
    Part,
    Style,
    captioned,
    cells,
    dots,
    fits,
    flowed,
    framed,
    in_pod,
    outer_told,
    own_told,
    row_told,
    stacked,
    widened,
)
from fabric.settings.network import Node

WIDTH = 1200.0
_TALLEST = 700.0
_MARGIN = 8.0
# More hosts than this are drawn as squares.
_LABELLED = 32

# From large to small. Labels of a page of 1,280 pixels are never smaller than 9 pixels.
_STYLES = (
    Style(
        font=14, caption=12, height=38, pad=14, gap=14, room=12, least=86, full=True, short=False, dots=False, dot=15
    ),
    Style(font=12, caption=11, height=28, pad=8, gap=9, room=10, least=52, full=False, short=False, dots=False, dot=13),
    Style(font=11, caption=10.5, height=24, pad=6, gap=7, room=8, least=40, full=False, short=False, dots=True, dot=11),
    Style(font=10, caption=10, height=19, pad=4, gap=5, room=7, least=22, full=False, short=True, dots=True, dot=9),
    Style(font=9, caption=9, height=16, pad=2, gap=4, room=6, least=15, full=False, short=True, dots=True, dot=7),
    Style(font=9, caption=9, height=14, pad=1, gap=2, room=3, least=13, full=False, short=True, dots=True, dot=5),
)


@dataclass(frozen=True)
class Layout:
    """A part to place, and the style it was made in."""

    part: Part
    style: Style

    @property
    def fits(self) -> bool:
        """Tell whether it is neither wider than a page nor taller than a screen."""
        return self.part.width <= WIDTH and self.part.height <= _TALLEST


@dataclass(frozen=True)
class _Ways:
    """How parts are laid out: the style, and the distances between tiers and between leaves and hosts."""

    style: Style
    tiers: float
    hosts: float


def layouts(groups: Groups, *, bundled: bool) -> Iterator[Layout]:
    """Yield layouts from the largest style down; ``bundled`` when links between tiers need little room."""
    hosts = sum(len(nodes) for pod in groups.pods for block in pod.blocks for nodes in block.hosts)
    styles = (style if hosts <= _LABELLED else replace(style, dots=True) for style in _STYLES)
    yield from (_in_style(groups, style, bundled=bundled) for style in styles)


def _in_style(groups: Groups, style: Style, *, bundled: bool) -> Layout:
    ways = _Ways(
        style, 46.0 if bundled else 60 + 2.2 * style.height, 8 + 2 * style.caption if style.dots else 40 + style.height
    )
    most = WIDTH - 2 * _MARGIN
    pods = _pods(groups.pods, ways, most)
    rows = [_row(row, ways, most) for row in groups.rows]
    whole = stacked([*rows, pods], [ways.tiers] * len(rows))
    return Layout(framed(whole, "margin", _MARGIN), style)


def _pods(pods: Sequence[Pod], ways: _Ways, most: float) -> Part:
    """Put pods beside each other in one row if that is not much taller than several."""
    if len(pods) == 1 and pods[0].number is None:
        return _pod(pods[0], ways, most)
    room = 2 * ways.style.room
    tried = [_pods_by(each, pods, ways, (most + room) / each - room) for each in _counts(len(pods))]
    sound = [made for made in tried if made.width <= most] or tried[-1:]
    return min(sound, key=lambda made: made.height)


def _counts(number: int) -> tuple[int, ...]:
    return tuple(sorted({-(-number // rows) for rows in range(1, min(number, 12) + 1)}, reverse=True))


def _pods_by(each: int, pods: Sequence[Pod], ways: _Ways, most: float) -> Part:
    style = ways.style
    made = []
    for pod in pods:
        inner = _pod(pod, ways, most - 2 * style.room)
        name = f"pod {pod.number}" if pod.number is not None else "in no pod"
        part = framed(captioned(inner, name, style), "pod", style.room)
        made.append(part if each < len(pods) else outer_told(part, _names(pod)))
    whole = flowed(made, 2 * style.room, each)
    return whole if each == len(pods) else outer_told(whole, (name for pod in pods for name in _names(pod)))


def _pod(pod: Pod, ways: _Ways, most: float) -> Part:
    rows = [_row(row, ways, most) for row in pod.rows]
    blocks = [_blocks(pod.blocks, ways, most)] if pod.blocks else []
    return stacked([*rows, *blocks], [ways.tiers] * len(rows))


def _row(row: Row, ways: _Ways, most: float) -> Part:
    """Lay out one tier; where planes matter, each is framed."""
    style = ways.style
    if not row.planes:
        parts = [_set(nodes, style, most) for nodes in row.sets]
        return row_told(flowed(parts, 3 * style.gap, fits(parts, 3 * style.gap, most)), _of(row.nodes))
    framed_ = [
        framed(captioned(cells(nodes, style, most / 2), f"plane {nodes[0].plane}", style), "plane", style.room / 2)
        for nodes in row.sets
    ]
    return row_told(flowed(framed_, style.gap, fits(framed_, style.gap, most)), _of(row.nodes))


def _set(nodes: Sequence[Node], style: Style, most: float) -> Part:
    """Lay out switches of one role; where labels are numbers, the caption says of what."""
    made = cells(nodes, style, most)
    if not style.short:
        return made
    return captioned(widened(made, min(text_width(nodes[0].role, style.caption), most)), nodes[0].role, style)


def _blocks(blocks: Sequence[Block], ways: _Ways, most: float) -> Part:
    """Lay out blocks of leaves and hosts: each as wide as its leaves need, all framed if there are several."""
    style = ways.style
    if len(blocks) == 1:
        return _block(blocks[0], ways, most)
    parts = [framed(_block(block, ways, most - 2 * style.room), "block", style.room) for block in blocks]
    each = fits(parts, 1.5 * style.gap, most)
    whole = flowed(parts, 1.5 * style.gap, each)
    leaves = [name for block in blocks for nodes in block.leaves for name in _of(nodes)]
    return whole if each == len(blocks) else row_told(whole, leaves)


def _block(block: Block, ways: _Ways, most: float) -> Part:
    style = ways.style
    leaves = [_set(nodes, style, most) for nodes in block.leaves]
    upper = [flowed(leaves, 2 * style.gap, fits(leaves, 2 * style.gap, most))] if leaves else []
    width = min(most, max((part.width for part in upper), default=0))
    hosts = [_hosts(nodes, style, width, most) for nodes in block.hosts]
    lower = [flowed(hosts, 2 * style.gap, fits(hosts, 2 * style.gap, most))] if hosts else []
    return stacked([*upper, *lower], [ways.hosts])


def _hosts(nodes: Sequence[Node], style: Style, width: float, most: float) -> Part:
    """Lay out hosts of one role; as squares, they get a caption that says who they are."""
    if not style.dots:
        return cells(nodes, style, most)
    text = ranges(map(in_pod, nodes), most=1)
    wanted = min(most, max(width, text_width(text, style.caption), 8 * style.dot))
    made = captioned(widened(dots(nodes, style, wanted), text_width(text, style.caption)), text, style)
    return own_told(made, _of(nodes))


def _names(pod: Pod) -> Iterable[str]:
    for row in pod.rows:
        yield from _of(row.nodes)
    for block in pod.blocks:
        for nodes in (*block.leaves, *block.hosts):
            yield from _of(nodes)


def _of(nodes: Iterable[Node]) -> Iterable[str]:
    return (node.name for node in nodes)
