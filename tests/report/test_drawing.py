"""Drawings: everything is there, nothing lies on anything else, and no state is told by its colour alone."""

import re
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.report.drawing import draw, label_boxes
from fabric.report.drawing_metric import fitting, text_width
from fabric.report.drawing_model import Box, Mark, Marks, worse
from fabric.report.drawing_svg import SIGNS, svg
from fabric.report.html_marks import design_marks
from fabric.settings.network import End, Link

PAGE = 1186  # what a page of 1280 pixels leaves for the drawing
SVG = "{http://www.w3.org/2000/svg}"
LOUD = tuple(SIGNS)
BIG = {"spines": 16, "leaves": 384, "hosts": 768, "nics": 8, "per_group": 16}


@pytest.fixture(scope="module")
def fabrics(clos, inventory):
    """Fabrics from 6 to 1,344 nodes, by name."""
    return {
        "lab": inventory("lab"),
        "pod16": inventory("pod16"),
        "104 nodes": clos(spines=8, leaves=32, hosts=64, nics=8, per_group=16),
        "400 switches": clos(**BIG),
        "one leaf a host": clos(spines=4, leaves=24, hosts=96, nics=1, per_group=4),
        "pods": clos(pods=4, superspines=8, spines=4, leaves=4, hosts=16, nics=4, per_group=16, planes=4),
        "ai1024": inventory("ai1024"),
    }


@pytest.fixture(
    scope="module",
    params=["lab", "pod16", "104 nodes", "400 switches", "one leaf a host", "pods", "ai1024"],
)
def fabric_drawn(request, fabrics):
    """A design, and the SVG of its drawing as a tree."""
    design = fabrics[request.param]
    return design, tree(design, design_marks(design))


def judged(design, nodes=(), ends=()):
    """Mark nodes and ends; all others are as they should be."""
    return Marks(Mark.OK, {mark: mark.value for mark in Mark}, dict(nodes), dict(ends))


def tree(design, marks):
    return ET.fromstring(svg(draw(design, marks)).text)  # noqa: S314  # a text of ours


def numbers(element, *names):
    return tuple(float(element.get(name)) for name in names)


def cells(root):
    return {
        e.get("data-node"): Box(*numbers(e, "x", "y", "width", "height")) for e in root.iter() if e.get("data-node")
    }


def text_boxes(root):
    """Where texts stand, measured with the widths of a real font from what the SVG itself says."""
    for element in root.iter(f"{SVG}text"):
        x, y, size = numbers(element, "x", "y", "font-size")
        width = text_width(element.text, size)
        left = x if "start" in element.get("class").split() else x - width / 2
        yield element.text, Box(left, y - 0.93 * size, width, 1.17 * size)


def overlapping(boxes):
    """Return the pairs of boxes that lie on each other; sweeps from left to right."""
    found, active = [], []
    for name, box in sorted(boxes, key=lambda pair: pair[1].x):
        active = [other for other in active if other[1].right > box.x + 0.01]
        found += [
            (name, other[0]) for other in active if box.y < other[1].bottom - 0.01 and other[1].y < box.bottom - 0.01
        ]
        active.append((name, box))
    return found


def test_labels_do_not_lie_on_each_other(fabric_drawn):
    _, root = fabric_drawn
    boxes = list(text_boxes(root))
    assert boxes
    assert overlapping(boxes) == []


def test_captions_and_counts_do_not_lie_on_nodes(fabric_drawn):
    _, root = fabric_drawn
    inside = {e.text for e in root.iter(f"{SVG}text") if "node" in e.get("class").split()}
    captions = [(text, box) for text, box in text_boxes(root) if text not in inside]
    nodes = [(None, box) for box in cells(root).values()]
    assert [pair for pair in overlapping(captions + nodes) if None in pair] == []


def test_nodes_do_not_lie_on_each_other(fabric_drawn):
    _, root = fabric_drawn
    assert overlapping(cells(root).items()) == []


def test_every_node_is_there_once_and_says_its_name(fabric_drawn):
    design, root = fabric_drawn
    titled = [(e.get("data-node"), e.find(f"{SVG}title").text) for e in root.iter() if e.get("data-node")]
    assert sorted(name for name, _ in titled) == sorted(design.network.nodes)
    assert all(title.startswith(f"{name}: {design.network.nodes[name].role}") for name, title in titled)


def test_a_label_stays_within_its_node(fabric_drawn):
    _, root = fabric_drawn
    boxes = list(cells(root).values())
    for element in root.iter(f"{SVG}text"):
        if "node" not in element.get("class").split():
            continue
        x, y, size = numbers(element, "x", "y", "font-size")
        half = text_width(element.text, size) / 2
        assert any(b.x <= x - half and x + half <= b.right and b.y < y < b.bottom for b in boxes), element.text


def test_no_label_is_smaller_than_nine_pixels_on_a_page(fabric_drawn):
    _, root = fabric_drawn
    scale = min(1, PAGE / float(root.get("width")))
    assert min(float(e.get("font-size")) for e in root.iter(f"{SVG}text")) * scale >= 8.8


def test_tiers_stand_above_each_other(fabric_drawn):
    design, root = fabric_drawn
    boxes = cells(root)
    for link in design.network.links:
        assert boxes[link.a.node].y > boxes[link.b.node].bottom


def test_every_link_is_counted_once_in_lines_and_bands(fabric_drawn):
    design, root = fabric_drawn
    titles = [e.find(f"{SVG}title").text for e in root.iter(f"{SVG}path") if e.find(f"{SVG}title") is not None]
    counted = sum(int(found.replace(",", "")) for title in titles for found in re.findall(r"([\d,]+) x \d", title))
    assert counted == len(design.network.links)


def test_everything_is_within_the_picture(fabric_drawn):
    _, root = fabric_drawn
    left, top, width, height = map(float, root.get("viewBox").split())
    for box in (*cells(root).values(), *(box for _, box in text_boxes(root))):
        assert left <= box.x
        assert box.right <= left + width
        assert top <= box.y
        assert box.bottom <= top + height


def test_a_small_fabric_names_every_node_in_full(fabrics):
    design = fabrics["lab"]
    labels = [label.text for label in draw(design, design_marks(design)).labels if label.kind == "node"]
    assert sorted(labels) == sorted(design.network.nodes)


def test_a_large_fabric_writes_what_nodes_have_in_common_once(fabrics):
    design = fabrics["ai1024"]
    texts = [label.text for label in draw(design, design_marks(design)).labels]
    assert "gpu01 .. gpu64 (64)" in texts
    assert "pod 8" in texts
    assert "plane 16" in texts
    assert texts.count("16") == 17  # leaf and spine 16 of each pod, superspine 16
    assert not [text for text in texts if "leaf" in text and text != "leaf"]


def test_pods_and_planes_are_framed_around_their_nodes(fabrics):
    design = fabrics["pods"]
    drawn = draw(design, design_marks(design))
    for kind, of in (("pod", lambda node: node.pod), ("plane", lambda node: node.tier == 3 and node.plane)):
        frames = [frame.box for frame in drawn.frames if frame.kind == kind]
        found = {}
        for cell in drawn.cells:
            if number := of(design.network.nodes[cell.node]):
                inside = [
                    i for i, b in enumerate(frames) if b.x <= cell.box.x <= b.right and b.y <= cell.box.y <= b.bottom
                ]
                found.setdefault(number, set()).update(inside)
        assert len(found) == 4
        assert sorted(found.values(), key=min) == [{0}, {1}, {2}, {3}]


@pytest.mark.parametrize("mark", LOUD, ids=lambda mark: mark.value)
def test_a_state_has_a_sign_besides_its_colour(clos, mark):
    design = clos()
    for nodes in ({"leaf01": mark}, {"gpu01": mark}):
        signs = [e for e in tree(design, judged(design, nodes)).iter(f"{SVG}path") if "sign" in e.get("class").split()]
        assert [e.get("d") for e in signs] == [SIGNS[mark]]
    assert len(set(SIGNS.values())) == len(SIGNS)


def test_a_square_has_its_sign_too(clos):
    design = clos(**BIG)
    root = tree(design, judged(design, {"gpu700": Mark.ERROR}))
    (sign,) = (e for e in root.iter(f"{SVG}path") if "sign" in e.get("class").split())
    box = cells(root)["gpu700"]
    assert sign.get("transform").startswith(f"translate({box.x:g} {box.y:g})")


@pytest.mark.parametrize("numbers", [{}, BIG], ids=["lines", "bands"])
def test_a_failed_link_has_a_line_of_its_own(clos, numbers):
    design = clos(**numbers)
    link = next(link for link in design.network.links if link.a.node == "leaf03")
    drawn = draw(design, judged(design, ends={link.b: Mark.ERROR}))
    (line,) = (line for line in drawn.lines if line.mark is Mark.ERROR)
    boxes = {cell.node: cell.box for cell in drawn.cells}
    assert line.a == (boxes["leaf03"].middle, boxes["leaf03"].y)
    assert line.b == (boxes[link.b.node].middle, boxes[link.b.node].bottom)
    assert line.title == f"leaf03 to {link.b.node}: 1 x 400G"


def test_a_link_that_nothing_is_said_of_stands_like_its_nodes(clos):
    seen = {"leaf01": Mark.OK, "spine01": Mark.CHANGED, "spine02": Mark.ERROR}
    marks = Marks(Mark.UNSEEN, {}, seen)
    lines = {line.title: line.mark for line in draw(clos(), marks).lines}
    assert lines["leaf01 to spine01: 1 x 400G"] is Mark.OK
    assert lines["leaf01 to spine02: 1 x 400G"] is Mark.UNSEEN
    assert lines["leaf02 to spine01: 1 x 400G"] is Mark.UNSEEN


@pytest.mark.parametrize("numbers", [{}, BIG], ids=["lines", "bands"])
def test_a_link_between_switches_of_one_tier_is_a_line_between_them(clos, numbers):
    design = clos(**numbers)
    peer = Link(End("leaf01", "peer"), End("leaf02", "peer"), 10**11, 1.0)
    drawn = draw(replace(design, network=replace(design.network, links=(*design.network.links, peer))), judged(design))
    boxes = {cell.node: cell.box for cell in drawn.cells}
    (line,) = (line for line in drawn.lines if line.title == "leaf01 to leaf02: 1 x 100G")
    assert {line.a, line.b} == {boxes["leaf01"].center, boxes["leaf02"].center}


def test_the_worst_of_both_ends_and_of_all_links_of_a_pair_is_shown(clos):
    design = clos()
    link = design.network.links[-1]
    twice = replace(design, network=replace(design.network, links=(*design.network.links, link)))
    marks = judged(design, ends={link.a: Mark.WARNING, link.b: Mark.ERROR})
    (line,) = (line for line in draw(twice, marks).lines if line.mark is not Mark.OK)
    assert (line.mark, line.title) == (Mark.ERROR, f"{link.a.node} to {link.b.node}: 2 x 400G")


def test_more_failed_links_than_can_be_drawn_are_counted(clos):
    design = clos(**BIG)
    marks = judged(design, ends={link.a: Mark.ERROR for link in design.network.links if "leaf" in link.a.node})
    drawn = draw(design, marks)
    assert len(drawn.lines) == 1500
    assert drawn.left_out == 384 * 16 - 1500


def test_no_band_runs_through_a_caption(fabrics):
    for design in fabrics.values():
        drawn = draw(design, design_marks(design))
        captions = [label for label in drawn.labels if label.kind == "caption"]
        for trunk in drawn.trunks:
            left, right = min(trunk.upper[0], trunk.lower[0]), max(trunk.upper[1], trunk.lower[1])
            band = Box(left, trunk.upper[2], right - left, trunk.lower[2] - trunk.upper[2])
            assert [
                pair
                for pair in overlapping([(None, band), *zip(captions, label_boxes(captions), strict=True)])
                if None in pair
            ] == []


def test_what_a_node_was_said_is_in_its_title(clos):
    design = clos(states={"leaf02": "planned"})
    marks = Marks(Mark.OK, {Mark.OK: "fine"}, said={"leaf01": tuple("abcdef")})
    titles = {cell.node: cell.title for cell in draw(design, marks).cells}
    assert titles["leaf01"] == "leaf01: leaf, eos, fine\na\nb\nc\nd\nand 2 more"
    assert titles["spine01"] == "spine01: spine, eos, fine"


def test_the_title_counts_what_is_seen(clos):
    design = clos()
    title = draw(design, judged(design, {"leaf01": Mark.ERROR})).title
    assert title == "Drawing of fabric clos: 10 nodes, 16 links; 1 error, 9 ok"


def test_a_rail_is_named_at_its_leaf(fabrics):
    design = fabrics["lab"]
    titles = {cell.node: cell.title for cell in draw(design, design_marks(design)).cells}
    assert "rail 2" in titles["leaf02"]


def test_a_fabric_without_hosts_and_one_of_hosts_alone_can_be_drawn(clos):
    for design in (clos(hosts=0), clos(spines=0, leaves=1, hosts=3, nics=1), clos(spines=0, leaves=3, hosts=0)):
        drawn = draw(design, design_marks(design))
        assert {cell.node for cell in drawn.cells} == set(design.network.nodes)


def test_the_same_fabric_is_drawn_the_same(fabrics):
    design = fabrics["pods"]
    assert svg(draw(design, design_marks(design))) == svg(draw(design, design_marks(design)))


NAMES = st.from_regex(r"\A[a-z][a-z0-9-]{0,30}\Z")


@settings(max_examples=60, deadline=None)
@given(
    numbers=st.fixed_dictionaries(
        {
            "pods": st.integers(0, 5),
            "superspines": st.integers(0, 9),
            "spines": st.integers(1, 9),
            "leaves": st.integers(1, 24),
            "hosts": st.integers(0, 40),
            "nics": st.integers(1, 4),
            "per_group": st.integers(1, 12),
            "planes": st.integers(1, 4),
        }
    ),
    names=st.dictionaries(
        st.sampled_from(["leaf01", "leaf02", "spine01", "p1-leaf01", "gpu01", "superspine01"]), NAMES
    ),
)
def test_no_shape_of_fabric_makes_labels_or_nodes_collide(clos, numbers, names):
    places = set(clos(**numbers).network.nodes)
    renamed = {place: f"x{at}-{name}" for at, (place, name) in enumerate(names.items()) if place in places}
    design = clos(**numbers, names=renamed)
    drawn = draw(design, design_marks(design))
    assert {cell.node for cell in drawn.cells} == set(design.network.nodes)
    assert overlapping((cell.node, cell.box) for cell in drawn.cells) == []
    texts = [label.text for label in drawn.labels]
    assert overlapping(zip(texts, label_boxes(drawn.labels), strict=True)) == []


def test_a_text_that_is_too_wide_is_cut_to_what_fits():
    room = text_width("spine-of-p…", 10)
    assert fitting("spine-of-pod-one", 10, room) == "spine-of-p…"
    assert fitting("leaf01", 10, room) == "leaf01"
    assert fitting("leaf01", 10, 3) == ""


def test_the_worse_of_two_marks_is_what_wants_more_attention():
    order = (Mark.ERROR, Mark.WARNING, Mark.CHANGED, Mark.SKIP, Mark.NOTE, Mark.MAINTENANCE, Mark.PLANNED, Mark.OK)
    for one, other in combinations(order, 2):
        assert worse(one, other) is worse(other, one) is one
