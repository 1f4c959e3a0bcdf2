"""HTML: one file that opens anywhere, without a network: totals, the drawing of the fabric, and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from fabric.changes.plan import Plan
from fabric.changes.run import Run, RunState
from fabric.design.model import Design
from fabric.errors import Problem
from fabric.ranges import count
from fabric.report import check_rows, class_rows, design_rows, finding_rows, plan_rows, run_rows
from fabric.report.class_view import ClassView
from fabric.report.design_notes import notes
from fabric.report.drawing_model import Mark
from fabric.report.html_marks import design_marks, findings_marks, plan_marks, verification_marks
from fabric.report.html_page import Page, page
from fabric.report.html_tables import Table
from fabric.report.words import WORDS
from fabric.results import Finding, Severity, Status, Verification
from fabric.rules.contract import Rule


class HtmlReport:
    """Pages for people; their colours follow what the reader's browser prefers."""

    def __init__(self, *, color: bool, width: int = 0) -> None:
        del color, width

    def findings(
        self,
        design: Design,
        findings: Iterable[Finding],
        ran: Sequence[Rule] = (),
        least: Severity = Severity.NOTE,
    ) -> str:
        """Report what rules found, and where in the fabric."""
        del ran
        findings = tuple(findings)
        verdict, mark = _judged(findings, least)
        said = Page(design.fabric, "Validation", verdict, mark, _counted(findings, least), (_findings(findings),))
        return page(said, design, findings_marks(design, findings))

    def problems(self, file: str, problems: Iterable[Problem]) -> str:
        """Report what is wrong with a file, of which there is nothing to draw."""
        rows = tuple((each.where, each.message, each.hint) for each in problems)
        verdict = f"Nothing to judge: {count(len(rows), 'error')} to correct in {file}"
        table = _table("Errors", ("where", "message", "hint"), rows)
        return page(Page("", "Validation", verdict, Mark.ERROR, (), (table,)))

    def design(self, design: Design, waived: Iterable[Finding] = ()) -> str:
        """Report what a fabric is: its drawing, equals together, classes, and every node."""
        return _design_page(design, waived, ())

    def listing(self, design: Design, waived: Iterable[Finding] = ()) -> str:
        """Report the same with every cable."""
        return _design_page(design, waived, (_table("Cables", design_rows.LINKS, design_rows.link_rows(design)),))

    def node(self, design: Design, name: str, *, why: bool) -> str:
        """Report the cables and settings of a node, and with ``why`` where each comes from."""
        node = design.network.nodes[name]
        tables = (
            _table("Cables", design_rows.PORTS, design_rows.port_rows(design, name)),
            _table("Settings", design_rows.SETTINGS, design_rows.setting_rows(design, node, reasons=why)),
        )
        row = zip(design_rows.NODES[1:], design_rows.node_row(design, node)[1:], strict=True)
        totals = tuple((word, value) for word, value in row if value)
        mark = WORDS.get(node.state, Mark.PLAIN)
        verdict = f"A {node.kind} of fabric {design.fabric}" + (f", {node.state}" if node.state != "active" else "")
        return page(Page(name, "Node", verdict, mark, totals, tables))

    def traffic_class(self, design: Design, view: ClassView, *, why: bool) -> str:
        """Report where the queues of a class mark, with ``why`` how that comes about, and all profiles."""
        tables = (
            _table("Class", design_rows.CLASSES, (design_rows.class_row(view.found),)),
            _table("Thresholds", class_rows.THRESHOLDS, class_rows.threshold_rows(view)),
            *((_table("Why", ("ports", "formula"), class_rows.why_rows(view)),) if why else ()),
            _table("Profiles", class_rows.profile_columns(view), class_rows.profile_rows(view), class_rows.note(view)),
            *((_table("Sources", ("profile", "source"), class_rows.source_rows(view)),) if why else ()),
        )
        return page(Page(view.found.name, "Class", f"A class of fabric {design.fabric}", Mark.PLAIN, (), tables))

    def plan(self, design: Design, plan: Plan, file: str, only: frozenset[str]) -> str:
        """Report what an apply would change, in which waves, and what could not be read."""
        tables = (
            _table("Changes", plan_rows.CHANGES, plan_rows.change_rows(plan)),
            _table("Differences", plan_rows.DIFFERENCES, plan_rows.difference_rows(plan)),
            _table("Not met between waves", plan_rows.INTERIM, plan_rows.interim_rows(plan)),
            _table("Not read", plan_rows.NOT_READ, plan_rows.not_read_rows(plan)),
        )
        limit = f"; only {', '.join(sorted(only))}" if only else ""
        totals = (
            ("to change", f"{len(plan.changes):,}"),
            ("waves", f"{len(plan.waves):,}"),
            ("worst impact", plan.impact.word if plan.changes else ""),
            ("set as designed", f"{len(plan.equal):,}"),
            ("not reached", f"{len(plan.unreached):,}"),
        )
        verdict, mark = _planned(plan)
        said = Page(design.fabric, "Plan", f"{verdict} ({file}{limit})", mark, _said(totals), tables)
        return page(said, design, plan_marks(design, plan))

    def run(self, run: Run) -> str:
        """Report a run with its nodes."""
        rows = ((str(node.wave), node.node, node.state.value, node.message) for node in run.nodes)
        verdict = f"{run.kind} {run.id} by {run.by}: {run_rows.state_of(run)}, started {run.started}"
        totals = (("nodes", f"{len(run.nodes):,}"), *_states(run))
        return page(Page(run.fabric, "Run", verdict, _ended(run), totals, (_table("Nodes", run_rows.NODES, rows),)))

    def runs(self, runs: Iterable[Run]) -> str:
        """Report all runs, the latest first."""
        rows = tuple(run_rows.run_row(run) for run in runs)
        table = _table("Runs", run_rows.RUNS, rows)
        return page(Page("", "Runs", count(len(rows), "run"), Mark.PLAIN, (), (table,)))

    def verification(self, design: Design, verification: Verification) -> str:
        """Report what checks found, and where in the fabric."""
        rows, left = check_rows.result_rows(verification.results)
        note = f"{left:,} results that passed are counted above and not shown one by one." if left else ""
        tables = (
            _table("Checks", check_rows.CHECKS, check_rows.by_check(verification.results)),
            _table("Results", check_rows.RESULTS, rows, note),
            _findings(verification.findings),
            _table("Not verified", plan_rows.NOT_READ, plan_rows.unverified_rows(verification.unverified)),
        )
        verdict, mark = _verified(verification)
        counted = Counter(result.status for result in verification.results)
        checked = tuple((_RESULTS[status], f"{counted[status]:,}") for status in Status)
        judged = ((f"rule {word}", number) for word, number in _counted(verification.findings))
        totals = (*checked[:3], *(total for total in (*checked[3:], *judged) if total[1] != "0"))
        said = Page(design.fabric, "Verification", verdict, mark, totals, tables)
        return page(said, design, verification_marks(design, verification))

    def rows(self, title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
        """Report plain rows."""
        rows = tuple(rows)
        return page(Page("", title, count(len(rows), "row"), Mark.PLAIN, (), (_table(title, columns, rows),)))


REPORT = HtmlReport

_RESULTS = {
    Status.PASS: "passed",
    Status.FAIL: "failed",
    Status.SKIP: "skipped",
    Status.ERROR: "checks in error",
}


def _table(title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]], note: str = "") -> Table:
    return Table(title, columns, tuple(rows), note)


def _design_page(design: Design, waived: Iterable[Finding], more: tuple[Table, ...]) -> str:
    network = design.network
    kinds = Counter(node.kind for node in network.nodes.values())
    pods = {node.pod for node in network.nodes.values() if node.pod is not None}
    planes = {node.plane for node in network.nodes.values() if node.plane is not None}
    totals = (
        ("switches", f"{kinds['switch']:,}"),
        ("hosts", f"{kinds['host']:,}"),
        ("links", f"{len(network.links):,}"),
        ("pods", str(len(pods) or "")),
        ("planes", str(len(planes) or "")),
        ("IP MTU", f"{design.mtu:,}"),
    )
    tables = (
        _table("Kinds of nodes", design_rows.GROUPS, design_rows.group_rows(design)),
        _table("Kinds of cables", design_rows.CABLES, design_rows.cable_rows(design)),
        _table("Classes", design_rows.CLASSES, (design_rows.class_row(each) for each in design.classes)),
        _table("Rails", design_rows.RAILS, design_rows.rail_rows(design)),
        _table("Notes", ("what", "where", "text"), notes(design, waived)),
        _table("Nodes", design_rows.NODES, (design_rows.node_row(design, node) for node in network.nodes.values())),
        *more,
    )
    verdict = f"As designed: {count(len(network.nodes), 'node')}, {count(len(network.links), 'link')}"
    said = Page(design.fabric, "Design", verdict, Mark.PLAIN, _said(totals), tuple(t for t in tables if t.rows))
    return page(said, design, design_marks(design))


def _said(totals: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((word, value) for word, value in totals if value)


def _findings(findings: Iterable[Finding]) -> Table:
    return _table("Findings", finding_rows.FINDINGS, finding_rows.finding_rows(findings))


def _counted(findings: Iterable[Finding], least: Severity = Severity.NOTE) -> tuple[tuple[str, str], ...]:
    findings = tuple(findings)
    counted = Counter(finding.severity for finding in findings if not finding.waived)
    waived = sum(bool(finding.waived) for finding in findings)
    severities = ((f"{severity.value}s", f"{counted[severity]:,}") for severity in Severity if severity.reaches(least))
    return *severities, *((("waived", f"{waived:,}"),) if waived else ())


def _judged(findings: tuple[Finding, ...], least: Severity) -> tuple[str, Mark]:
    open_ = [finding for finding in findings if not finding.waived]
    if stops := sum(finding.stops for finding in findings):
        return f"Not sound: {count(stops, 'error')} to correct before anything is rendered or applied", Mark.ERROR
    if warnings := sum(finding.severity is Severity.WARNING for finding in open_):
        return f"Sound, with {count(warnings, 'warning')}", Mark.WARNING
    if not open_ and least is not Severity.NOTE:
        return f"Sound: no {least.value} is open, and less is not shown", Mark.OK
    return "Sound: every rule is met" if not open_ else f"Sound, with {count(len(open_), 'note')}", Mark.OK


def _verified(found: Verification) -> tuple[str, Mark]:
    bad = sum(result.status in {Status.FAIL, Status.ERROR} for result in found.results)
    stops = sum(finding.stops for finding in found.findings)
    if bad or stops:
        return f"Not as designed: {count(bad, 'check result')} and {count(stops, 'rule error')} to look at", Mark.ERROR
    if found.failed(strict=False):
        return "Not everything could be looked at", Mark.WARNING
    if not found.results:
        return "Nothing was looked at", Mark.UNSEEN
    return "As designed: nothing that was looked at is wrong", Mark.OK


def _planned(plan: Plan) -> tuple[str, Mark]:
    if plan.unreached:
        todo = f"{count(len(plan.changes), 'node')} to change"
        return f"{count(len(plan.unreached), 'node')} could not be read; {todo}", Mark.ERROR
    if plan.changes:
        waves = count(len(plan.waves), "wave")
        return f"{count(len(plan.changes), 'node')} to change in {waves}, worst impact {plan.impact.word}", Mark.CHANGED
    return "No changes: every node that was read is set as designed", Mark.OK


def _states(run: Run) -> tuple[tuple[str, str], ...]:
    counted = Counter(node.state.value for node in run.nodes)
    return tuple((state, f"{number:,}") for state, number in counted.items())


def _ended(run: Run) -> Mark:
    if any(WORDS.get(node.state.value) is Mark.ERROR for node in run.nodes):
        return Mark.ERROR
    if run.state is RunState.DONE:
        return Mark.OK
    return Mark.CHANGED if run.alive else Mark.WARNING
