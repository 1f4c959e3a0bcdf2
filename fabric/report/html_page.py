"""A page as one file: nothing is loaded from anywhere, and only its own style sheet and script may run."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from fabric.design.model import Design
from fabric.report.drawing import draw
from fabric.report.drawing_model import Drawing, Mark, Marks
from fabric.report.drawing_svg import sample, svg
from fabric.report.html_builder import Child, Raw, joined, tag
from fabric.report.html_tables import Table, paired, section


@dataclass(frozen=True, slots=True)
class Page:
    """What a page says: the fabric, what kind of page it is, the verdict in one line, and totals as (word, value)."""

    fabric: str
    kind: str
    verdict: str
    mark: Mark
    totals: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]


def page(said: Page, design: Design | None = None, marks: Marks | None = None) -> str:
    """Write a page, with a drawing where there is a design to draw."""
    style, script = _asset("page.css"), _asset("page.js")
    figure = _figure(draw(design, marks), marks) if design and marks and design.network.nodes else None
    heading = f"{said.fabric}: {said.kind}" if said.fabric else said.kind
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", heading),
        tag("style", Raw(style)),
    )
    body = tag(
        "body",
        tag("header", _heading(said), tag("p", said.verdict, class_=f"verdict {said.mark.value}"), paired(said.totals)),
        tag("main", figure, joined(section(table, at) for at, table in enumerate(said.tables, 1)), id="content"),
        tag("script", Raw(script)),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en').text}\n"


def _heading(said: Page) -> Raw:
    words: Iterable[Child] = (said.fabric, " ", tag("span", said.kind, class_="kind")) if said.fabric else (said.kind,)
    return tag("h1", *words)


def _figure(drawing: Drawing, marks: Marks) -> Raw:
    legend = joined(tag("li", sample(mark), word) for mark, word in marks.words.items())
    left = drawing.left_out
    more = tag("p", f"{left:,} further pairs of nodes have links that are not as they should be.") if left else None
    hint = tag("p", f"{_read(drawing)} Point at a node or a line to see what it is.", class_="hint")
    shown = tag("ul", legend, class_="legend") if marks.words else None
    return tag("figure", tag("div", svg(drawing), class_="canvas"), tag("figcaption", shown, hint, more))


def _read(drawing: Drawing) -> str:
    """Say how lines are to be read."""
    if drawing.trunks:
        return "A band is all links between two rows; links that are not as they should be have a line of their own."
    return "A line is all links between two nodes, the thicker the more."


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _asset(name: str) -> str:
    return (files("fabric.report") / "html" / name).read_text("utf-8")
