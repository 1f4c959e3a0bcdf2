"""What a report of any format can say, and how one is found by its name."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Protocol

import fabric.report
from fabric.changes.plan import Plan
from fabric.changes.run import Run
from fabric.design.model import Design
from fabric.errors import Problem, UsageError
from fabric.report.class_view import ClassView
from fabric.results import Finding, Severity, Verification
from fabric.rules.contract import Rule


class Report(Protocol):
    """A format. Each method takes results and returns the whole text."""

    def findings(
        self,
        design: Design,
        findings: Iterable[Finding],
        ran: Sequence[Rule] = (),
        least: Severity = Severity.NOTE,
    ) -> str:
        """Report what the rules found about a design; ``ran`` judged it, and less than ``least`` is left out."""

    def problems(self, file: str, problems: Iterable[Problem]) -> str:
        """Report what is wrong with a file of which there is nothing to judge."""

    def design(self, design: Design, waived: Iterable[Finding] = ()) -> str:
        """Report what a whole design is, equals together; ``waived`` are findings that the user accepts."""

    def listing(self, design: Design, waived: Iterable[Finding] = ()) -> str:
        """Report every node, class and cable of a design."""

    def node(self, design: Design, name: str, *, why: bool) -> str:
        """Report the settings of one node; with ``why``, their origins too."""

    def traffic_class(self, design: Design, view: ClassView, *, why: bool) -> str:
        """Report one class: where its queues mark; with ``why``, the formulas and sources too."""

    def plan(self, design: Design, plan: Plan, file: str, only: frozenset[str]) -> str:
        """Report a plan of a design; ``file`` is its intent, ``only`` the facets that it is limited to."""

    def run(self, run: Run) -> str:
        """Report a run of the journal with its nodes."""

    def runs(self, runs: Iterable[Run]) -> str:
        """Report the list of runs."""

    def verification(self, design: Design, verification: Verification) -> str:
        """Report how the devices of a design were found to be."""

    def rows(self, title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
        """Report plain rows."""


def report(name: str, *, color: bool, width: int = 0) -> Report:
    """Return the report of a format; UsageError when there is none of this name.

    ``color`` says that colours are wanted, ``width`` how many columns the terminal has; 0 when it is none.
    """
    known = formats()
    if name not in known:
        raise UsageError(f"no format {name!r}", hint=f"formats: {', '.join(sorted(known))}")
    made: Report = import_module(known[name]).REPORT(color=color, width=width)
    return made


def formats() -> Mapping[str, str]:
    """Return the modules of all formats under the names of the formats."""
    names = (found.name for found in pkgutil.iter_modules(fabric.report.__path__))
    return {name.removesuffix("_format"): f"fabric.report.{name}" for name in names if name.endswith("_format")}
