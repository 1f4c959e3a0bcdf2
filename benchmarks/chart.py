"""A line chart as SVG text: two panels side by side, both axes by powers of two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log2

_WIDTH, _HEIGHT = 440, 300
_LEFT, _TOP, _RIGHT, _BOTTOM = 56, 40, 84, 44
_COLOURS = ("#1b6ca8", "#2f8f5b", "#c0562b", "#7a4fa3")
_STYLE = (
    "text{font:11px sans-serif;fill:#333}.title{font-weight:bold;font-size:12px}"
    ".grid{stroke:#ddd}.line{fill:none;stroke-width:2}"
)


@dataclass(frozen=True, slots=True)
class Panel:
    """One diagram: the same ``xs`` for all lines, which are named; all values above 0."""

    title: str
    x_axis: str
    xs: Sequence[float]
    lines: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class _Axis:
    """An axis from ``low`` to ``high``, both powers of two, drawn from ``begin`` to ``end`` in pixels."""

    low: int
    high: int
    begin: float
    end: float

    def at(self, value: float) -> float:
        return self.begin + (log2(value) - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self) -> list[float]:
        return [2.0**exponent for exponent in range(self.low, self.high + 1)]


def svg(panels: Sequence[Panel]) -> str:
    """Return the panels side by side as one picture."""
    width = _WIDTH * len(panels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" width="{width}" height="{_HEIGHT}">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{_HEIGHT}" fill="#fff"/>',
    ]
    for index, panel in enumerate(panels):
        parts += [f'<g transform="translate({index * _WIDTH},0)">', *_panel(panel), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(panel: Panel) -> list[str]:
    values = [value for line in panel.lines.values() for value in line]
    across = _axis(panel.xs, _LEFT, _WIDTH - _RIGHT)
    upward = _axis(values, _HEIGHT - _BOTTOM, _TOP)
    parts = [f'<text class="title" x="{_LEFT}" y="20">{panel.title}</text>']
    parts.append(
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{panel.x_axis}</text>'
    )
    for tick in across.ticks():
        x = across.at(tick)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"/>')
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{tick:g}</text>')
    for tick in upward.ticks():
        y = upward.at(tick)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for colour, (name, line) in zip(_COLOURS, panel.lines.items(), strict=False):
        points = [(across.at(x), upward.at(y)) for x, y in zip(panel.xs, line, strict=True)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="line" stroke="{colour}" points="{path}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        parts.append(f'<text x="{points[-1][0] + 8:.1f}" y="{points[-1][1] + 4:.1f}">{name}</text>')
    return parts


def _axis(values: Sequence[float], begin: float, end: float) -> _Axis:
    low, high = floor(log2(min(values))), ceil(log2(max(values)))
    return _Axis(low, max(high, low + 1), begin, end)
