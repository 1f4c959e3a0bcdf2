"""A drawing as SVG. Colours and shapes are classes, which the style sheet of the page says."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.report.drawing_model import Cell, Drawing, Frame, Label, Line, Mark, Trunk
from fabric.report.html_builder import Raw, joined, tag

# Signs in a square of 10 by 10: no mark is told by its colour alone.
SIGNS = {
    Mark.ERROR: "M2 2L8 8M8 2L2 8",
    Mark.WARNING: "M5 1.2L9 8.6H1Z",
    Mark.CHANGED: "M5 .8L9.2 5L5 9.2L.8 5Z",
    Mark.SKIP: "M1.5 5H8.5",
    Mark.NOTE: "M5 4.4V9M5 1V2.6",
    Mark.MAINTENANCE: "M3 1.5V8.5M7 1.5V8.5",
    Mark.PLANNED: "M5 1.2V8.8M1.2 5H8.8",
}
NAMESPACE = "http://www.w3.org/2000/svg"


def svg(drawing: Drawing) -> Raw:
    """Write a drawing as one SVG element."""
    size = {"viewBox": f"0 0 {_n(drawing.width)} {_n(drawing.height)}", "width": _n(drawing.width)}
    return tag(
        "svg",
        tag("title", drawing.title, id="drawing-title"),
        tag("g", joined(_frame(frame) for frame in drawing.frames), class_="frames"),
        tag("g", joined(_trunk(trunk) for trunk in drawing.trunks), class_="trunks"),
        tag("g", joined(_line(line) for line in drawing.lines), class_="lines"),
        tag("g", joined(part for cell in drawing.cells for part in _cell(cell)), class_="cells"),
        tag("g", joined(_label(label) for label in drawing.labels), class_="labels"),
        xmlns=NAMESPACE,
        class_="drawing",
        role="img",
        aria_labelledby="drawing-title",
        height=_n(drawing.height),
        **size,
    )


def sample(mark: Mark) -> Raw:
    """Draw a node with a mark, for a legend."""
    sign = (
        tag("path", d=SIGNS[mark], class_=f"sign {mark.value}", transform="translate(11 4)") if mark in SIGNS else None
    )
    cell = tag("rect", x="1", y="1", width="30", height="16", rx="4", class_=f"cell {mark.value}")
    return tag("svg", cell, sign, viewBox="0 0 32 18", width="32", height="18", aria_hidden="true", class_="sample")


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _frame(frame: Frame) -> Raw:
    box = frame.box
    return tag(
        "rect",
        x=_n(box.x),
        y=_n(box.y),
        width=_n(box.width),
        height=_n(box.height),
        rx="6",
        class_=f"frame {frame.kind}",
    )


def _trunk(trunk: Trunk) -> Raw:
    (a, b, top), (c, d, low) = trunk.upper, trunk.lower
    bend = _n((top + low) / 2)
    path = (
        f"M{_n(a)} {_n(top)}H{_n(b)}C{_n(b)} {bend} {_n(d)} {bend} {_n(d)} {_n(low)}"
        f"H{_n(c)}C{_n(c)} {bend} {_n(a)} {bend} {_n(a)} {_n(top)}Z"
    )
    return tag("path", tag("title", trunk.title), d=path, class_="trunk")


def _line(line: Line) -> Raw:
    (x1, y1), (x2, y2) = line.a, line.b
    return tag(
        "path",
        tag("title", line.title),
        d=f"M{_n(x1)} {_n(y1)}L{_n(x2)} {_n(y2)}",
        stroke_width=_n(line.width),
        class_=f"line {line.mark.value}",
    )


def _cell(cell: Cell) -> Iterator[Raw]:
    box = cell.box
    small = box.height <= cell.badge
    rect = tag(
        "rect",
        tag("title", cell.title),
        x=_n(box.x),
        y=_n(box.y),
        width=_n(box.width),
        height=_n(box.height),
        rx=_n(min(5, box.height / 5)),
        class_=f"cell {cell.mark.value} t{min(cell.tier, 4)}",
        data_node=cell.node,
    )
    yield rect
    if cell.mark in SIGNS:
        size = cell.badge
        x, y = (box.x, box.y) if small else (box.right - size * 0.55, box.y - size * 0.6)
        move = f"translate({_n(x)} {_n(y)}) scale({size / 10:.2f})"
        if not small:
            yield tag("circle", cx="5", cy="5", r="7", transform=move, class_=f"disc {cell.mark.value}")
        yield tag("path", d=SIGNS[cell.mark], transform=move, class_=f"sign {cell.mark.value}")


def _label(label: Label) -> Raw:
    start = " start" if label.start else ""
    return tag(
        "text", label.text, x=_n(label.x), y=_n(label.y), font_size=_n(label.size), class_=f"label {label.kind}{start}"
    )
