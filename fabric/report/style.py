"""What a report of any format can say, and how one is found by its name."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Protocol

import fabric.report
from fabric.changes.plan import Plan
from fabric.changes.run import Run
from fabric.design.model import Design
from fabric.errors import UsageError
from fabric.results import Finding, Verification


class Report(Protocol):
    """A format. Each method takes results and returns the whole text."""

    def findings(self, fabric: str, findings: Iterable[Finding]) -> str:
        """Report what the rules found."""

    def design(self, design: Design) -> str:
        """Report a whole design: nodes, links, classes."""

    def node(self, design: Design, name: str, *, why: bool) -> str:
        """Report the settings of one node; with ``why``, their origins too."""

    def plan(self, plan: Plan, file: str, only: frozenset[str]) -> str:
        """Report a plan."""

    def run(self, run: Run) -> str:
        """Report a run of the journal with its nodes."""

    def runs(self, runs: Iterable[Run]) -> str:
        """Report the list of runs."""

    def verification(self, verification: Verification) -> str:
        """Report what verify found."""

    def rows(self, title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
        """Report plain rows."""


def report(name: str, *, color: bool) -> Report:
    """Return the report of a format; UsageError when there is none of this name."""
    formats = _formats()
    if name not in formats:
        raise UsageError(f"no format {name!r}", hint=f"formats: {', '.join(sorted(formats))}")
    made: Report = import_module(formats[name]).REPORT(color=color)
    return made


def _formats() -> Mapping[str, str]:
    names = (found.name for found in pkgutil.iter_modules(fabric.report.__path__))
    return {name.removesuffix("_format"): f"fabric.report.{name}" for name in names if name.endswith("_format")}
