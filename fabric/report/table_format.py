"""Tables for people. Nothing wraps when stdout is not a terminal, and everything makes sense without colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from fabric.changes.plan import Plan
from fabric.changes.run import Run
from fabric.design.model import Design
from fabric.errors import Problem
from fabric.report import class_lines, designs
from fabric.report.class_view import ClassView
from fabric.report.plans import plan_lines
from fabric.report.run_rows import NODES, RUNS, node_rows, run_row, state_of
from fabric.report.tables import Part, printed, table
from fabric.report.verdicts import finding_lines, problem_lines, verification_lines
from fabric.results import Finding, Severity, Verification
from fabric.rules.contract import Rule


class TableReport:
    """Reports for people. ``color`` says that stdout wants colours, ``width`` into how many columns tables fold."""

    def __init__(self, *, color: bool, width: int = 0) -> None:
        self._color = color
        self._width = width

    def findings(
        self,
        design: Design,
        findings: Iterable[Finding],
        ran: Sequence[Rule] = (),
        least: Severity = Severity.NOTE,
    ) -> str:
        """Report findings, one paragraph each, and how many there are."""
        del ran
        return self._text(finding_lines(findings, design.fabric, least))

    def problems(self, file: str, problems: Iterable[Problem]) -> str:
        """Report what is wrong with a file, one paragraph each, and how much that is."""
        return self._text(problem_lines(file, problems))

    def design(self, design: Design, waived: Iterable[Finding] = ()) -> str:
        """Report what a fabric is on one screen: equal nodes and cables in one row each, classes in full."""
        return self._text(designs.overview(design, waived))

    def listing(self, design: Design, waived: Iterable[Finding] = ()) -> str:
        """Report every node, class and cable."""
        return self._text(designs.listing(design, waived))

    def node(self, design: Design, name: str, *, why: bool) -> str:
        """Report the links and settings of a node, equal rows together, and with ``why`` where each comes from."""
        return self._text(designs.node(design, name, why=why))

    def traffic_class(self, design: Design, view: ClassView, *, why: bool) -> str:
        """Report where the queues of a class mark, and with ``why`` how that comes about; then all profiles."""
        return self._text(class_lines.lines(design, view, why=why))

    def plan(self, design: Design, plan: Plan, file: str, only: frozenset[str]) -> str:
        """Report changes, like ones together, then the waves, then what could not be read or is not managed."""
        del file, only
        return self._text(plan_lines(plan, {name: node.role for name, node in design.network.nodes.items()}))

    def run(self, run: Run) -> str:
        """Report a run; nodes of one wave with the same state and message stand together."""
        return self._text([Text(_head(run)), table(NODES, node_rows(run))])

    def runs(self, runs: Iterable[Run]) -> str:
        """Report all runs, the latest first."""
        return self._text([table(RUNS, map(run_row, runs))])

    def verification(self, design: Design, verification: Verification) -> str:
        """Report each check in one line, equal failures and skips together, then findings and totals."""
        del design
        return self._text(verification_lines(verification))

    def rows(self, title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
        """Report plain rows."""
        return self._text([Text(title), table(columns, rows)])

    def _text(self, parts: Iterable[Part]) -> str:
        return printed(parts, color=self._color, width=self._width)


REPORT = TableReport


def _head(run: Run) -> str:
    return f"run {run.id}: {run.kind} of {run.fabric} by {run.by}, {state_of(run)}, started {run.started}"
