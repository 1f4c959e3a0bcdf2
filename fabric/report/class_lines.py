"""A traffic class for people: its thresholds, how these come about, and all profiles."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from fabric.design.model import Design
from fabric.report import class_rows as rows_of
from fabric.report.class_view import ClassView
from fabric.report.design_rows import CLASSES, class_row
from fabric.report.tables import Part, filled


def lines(design: Design, view: ClassView, *, why: bool) -> Iterator[Part]:
    """Yield a class, where its queues mark, with ``why`` the formula of each kind of ports, and all profiles."""
    yield Text(f"class {view.found.name} of fabric {design.fabric}")
    yield filled(CLASSES, (class_row(view.found),))
    if view.thresholds:
        yield Text("")
        yield filled(rows_of.THRESHOLDS, rows_of.threshold_rows(view))
        if why:
            yield from _reasons(view)
    if view.profiles:
        yield Text("")
        yield filled(rows_of.profile_columns(view), rows_of.profile_rows(view))
    yield Text(rows_of.note(view), style="dim")
    if why:
        yield from (Text(f"  {name}: {source}", style="dim") for name, source in rows_of.source_rows(view))


def _reasons(view: ClassView) -> Iterator[Part]:
    last = ""
    for ports, sentence in rows_of.why_rows(view):
        if ports != last:
            yield Text(f"why, {ports}:", style="bold")
        yield Text(f"  {sentence}")
        last = ports
