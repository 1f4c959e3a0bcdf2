"""The CLOS of a design as a drawing: tiers from the hosts at the bottom to the top, pods and planes as groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from fabric.design.model import Design
from fabric.report.drawing_groups import groups
from fabric.report.drawing_layout import Layout, layouts
from fabric.report.drawing_links import many, pairs, wires
from fabric.report.drawing_metric import text_width
from fabric.report.drawing_model import Box, Drawing, Label, Marks
from fabric.report.drawing_parts import Canvas
from fabric.settings.network import Node

_SAID = 4


def draw(design: Design, marks: Marks) -> Drawing:
    """Draw a design with each node and link as its mark says."""
    network = design.network
    found = pairs(network, marks)
    placed = None if many(network, found) else _followed(design, marks)
    layout, canvas = placed or _bundled(design, marks)
    drawn = wires(network, found, canvas, layout.style, bundled=placed is None)
    return Drawing(
        layout.part.width,
        layout.part.height,
        _title(design, marks),
        drawn.trunks,
        tuple(frame for frame in canvas.frames if frame.kind != "margin"),
        drawn.lines,
        tuple(canvas.cells),
        (*canvas.labels, *drawn.labels),
        drawn.left_out,
    )


def _followed(design: Design, marks: Marks) -> tuple[Layout, Canvas] | None:
    """Place a fabric whose links are lines, in the largest style in which none of them runs across a switch."""
    for layout in layouts(groups(design.network), bundled=False):
        if layout.fits:
            canvas = _put(layout, design, marks)
            if not _wrapped(layout, canvas):
                return layout, canvas
    return None


def _bundled(design: Design, marks: Marks) -> tuple[Layout, Canvas]:
    """Place a fabric whose links are bundled, in the largest style that fits, else in the smallest."""
    every = layouts(groups(design.network), bundled=True)
    layout = next(every)
    for smaller in every:
        if layout.fits:
            break
        layout = smaller
    return layout, _put(layout, design, marks)


def _put(layout: Layout, design: Design, marks: Marks) -> Canvas:
    canvas = Canvas(marks, _titles(design, marks))
    layout.part.put(canvas, 0, 0)
    return canvas


def _wrapped(layout: Layout, canvas: Canvas) -> bool:
    """Tell whether switches of one tier and pod stand below each other, or leaves in several rows of blocks."""
    tiers = {cell.node: cell.tier for cell in canvas.cells}
    tall = any(tiers[name] > 0 and box.height > 1.5 * layout.style.height for name, box in canvas.own.items())
    return tall or any(tiers[name] == 1 for name in canvas.row)


def label_boxes(labels: Iterable[Label]) -> tuple[Box, ...]:
    """Return for each label the box that its text stays within, in any font of the page."""
    return tuple(_label_box(label) for label in labels)


def _label_box(label: Label) -> Box:
    width = text_width(label.text, label.size)
    return Box(label.x if label.start else label.x - width / 2, label.y - label.size, width, 1.25 * label.size)


def _title(design: Design, marks: Marks) -> str:
    nodes = design.network.nodes
    counted = Counter(marks.node(name) for name in nodes)
    states = ", ".join(f"{counted[mark]} {word}" for mark, word in marks.words.items() if counted[mark])
    return f"Drawing of fabric {design.fabric}: {len(nodes)} nodes, {len(design.network.links)} links; {states}"


def _titles(design: Design, marks: Marks) -> Callable[[Node], str]:
    """Return what the title of a node says: who it is, where it belongs, how it stands, and what was said of it."""
    rails: dict[str, set[int]] = {}
    for rail in design.rails:
        for leaf in rail.leaves or (rail.leaf,):
            rails.setdefault(leaf, set()).add(rail.rail)

    def title(node: Node) -> str:
        belongs = [
            *([f"pod {node.pod}"] if node.pod is not None else []),
            *([f"plane {node.plane}"] if node.plane is not None else []),
            *([f"rail {' '.join(map(str, sorted(rails[node.name])))}"] if node.name in rails else []),
        ]
        said = marks.said.get(node.name, ())
        more = [f"and {len(said) - _SAID} more"] if len(said) > _SAID else []
        state = marks.words.get(marks.node(node.name), "")
        head = ", ".join(filter(None, (f"{node.name}: {node.role}", node.system, *belongs, state)))
        return "\n".join((head, *said[:_SAID], *more))

    return title
