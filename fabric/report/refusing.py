"""What formats for verdicts refuse: a design, settings and lists are none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NoReturn

from fabric.changes.plan import Plan
from fabric.changes.run import Run
from fabric.design.model import Design
from fabric.errors import UsageError
from fabric.report.class_view import ClassView
from fabric.results import Finding


class VerdictsOnly:
    """A format that says findings, verifications, and what it overrides; UsageError for anything else.

    ``commands`` are those that it is for.
    """

    name: ClassVar[str]
    commands: ClassVar[str]

    def design(self, design: Design, waived: Iterable[Finding] = ()) -> str:
        """Refuse: a design is no verdict."""
        del design, waived
        self._refuse("a design")

    def listing(self, design: Design, waived: Iterable[Finding] = ()) -> str:
        """Refuse: a design is no verdict."""
        del design, waived
        self._refuse("a design")

    def node(self, design: Design, name: str, *, why: bool) -> str:
        """Refuse: settings are no verdict."""
        del design, name, why
        self._refuse("a node")

    def traffic_class(self, design: Design, view: ClassView, *, why: bool) -> str:
        """Refuse: thresholds are no verdict."""
        del design, view, why
        self._refuse("a class")

    def plan(self, design: Design, plan: Plan, file: str, only: frozenset[str]) -> str:
        """Refuse: changes are no verdict."""
        del design, plan, file, only
        self._refuse("a plan")

    def run(self, run: Run) -> str:
        """Refuse: a run is no verdict."""
        del run
        self._refuse("a run")

    def runs(self, runs: Iterable[Run]) -> str:
        """Refuse: the list of runs is no verdict."""
        del runs
        self._refuse("a list of runs")

    def rows(self, title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
        """Refuse: rows are no verdict."""
        del columns, rows
        self._refuse(title)

    def _refuse(self, what: str) -> NoReturn:
        hint = f"it is for {self.commands}; take table or json here"
        raise UsageError(f"{self.name} cannot say {what}", hint=hint)
