"""Tables for people. Nothing wraps when stdout is not a terminal, and everything makes sense without colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from io import StringIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fabric.changes.change import Change
from fabric.changes.plan import Plan
from fabric.changes.planfile import listing
from fabric.changes.run import NodeState, Run, RunState
from fabric.changes.steps import Impact
from fabric.changes.wording import grouped, row_words
from fabric.design.model import Design, TrafficClass
from fabric.results import CheckResult, Finding, Severity, Status, Verification
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Router
from fabric.settings.network import End, Link, Node
from fabric.units import format_bytes, format_speed

_STYLES = {
    Severity.ERROR.value: "bold red",
    Severity.WARNING.value: "yellow",
    Severity.NOTE.value: "dim",
    Status.PASS.value: "green",
    Status.FAIL.value: "bold red",
    Status.SKIP.value: "yellow",
    NodeState.DONE.value: "green",
    NodeState.REFUSED.value: "bold red",
    NodeState.LOST.value: "bold red",
    NodeState.FAILED.value: "bold red",
    NodeState.DEFERRED.value: "yellow",
    NodeState.UNDONE.value: "yellow",
    Impact.HITLESS.word: "green",
    Impact.PFC_GAP.word: "yellow",
    Impact.DROP.word: "red",
    Impact.FLAP.word: "red",
    Impact.RELOAD.word: "bold red",
}
_UNWRAPPED = 100_000


class TableReport:
    """Reports for people. ``color`` says that stdout is a terminal that wants colours."""

    def __init__(self, *, color: bool) -> None:
        self._color = color

    def findings(self, fabric: str, findings: Iterable[Finding]) -> str:
        """Report findings, one paragraph each, and how many there are."""
        findings = tuple(findings)
        lines = [line for finding in findings for line in _finding(finding)]
        counted = Counter(finding.severity for finding in findings)
        total = ", ".join(_count(counted[severity], severity.value) for severity in Severity)
        return self._text([*lines, Text(f"{fabric}: {total}")])

    def design(self, design: Design) -> str:
        """Report nodes, links between roles, and classes."""
        network = design.network
        nodes = [_node_row(design, node) for node in network.nodes.values()]
        links = [(str(link.a), str(link.b), format_speed(link.speed), _length(link)) for link in network.links]
        classes = [_class_row(each) for each in design.classes]
        return self._text(
            [
                Text(f"fabric {design.fabric}: {len(nodes)} nodes, {len(links)} links, IP MTU {design.mtu}"),
                _table(("node", "role", "tier", "system", "model", "loopback", "AS", "links"), nodes),
                Text(""),
                _table(("class", "DSCP", "priority", "queue", "RDMA", "lossless", "share", "ECN"), classes),
                Text(""),
                _table(("link", "to", "speed", "length"), links),
            ]
        )

    def node(self, design: Design, name: str, *, why: bool) -> str:
        """Report the links and settings of a node, equal rows together, and with ``why`` where each comes from."""
        node = design.network.nodes[name]
        head = Text(f"{name}: {node.kind} of role {node.role}, system {node.system}, model {node.model}")
        links = [_link_row(*ends) for ends in design.network.links_of[name]]
        rows = _setting_lines(design, node, why=why)
        return self._text([head, _table(("port", "to", "speed", "length"), links), Text(""), *rows])

    def plan(self, plan: Plan, file: str, only: frozenset[str]) -> str:
        """Report changes node by node, then the waves, then what could not be read or is not managed."""
        del file, only
        lines: list[Text | Table] = []
        for name, change in plan.changes.items():
            lines.extend(_change(name, change, plan.affected.get(name, ())))
        lines.extend(_waves(plan))
        lines.extend(Text(f"not reached: {name}: {p.message}", style="bold red") for name, p in plan.unreached.items())
        lines.extend(
            Text(f"not managed on {system}: {', '.join(facets)}", style="dim")
            for system, facets in plan.unmanaged.items()
            if facets
        )
        unverified = Counter(_unverified_kind(what) for rows in plan.unverified.values() for what in rows)
        lines.extend(
            Text(f"unverified: {what} ({_count(count, 'value')})", style="dim") for what, count in unverified.items()
        )
        lines.append(Text(_sum_up(plan)))
        return self._text(lines)

    def run(self, run: Run) -> str:
        """Report a run with its nodes."""
        rows = [(str(node.wave), node.node, node.state.value, node.message) for node in run.nodes]
        return self._text([Text(_head(run)), _table(("wave", "node", "state", "message"), rows)])

    def runs(self, runs: Iterable[Run]) -> str:
        """Report all runs, the latest first."""
        rows = [
            (run.id, run.kind, run.fabric, _state(run), run.started, run.ended, run.by, _counts(run)) for run in runs
        ]
        return self._text([_table(("run", "kind", "fabric", "state", "started", "ended", "by", "nodes"), rows)])

    def verification(self, verification: Verification) -> str:
        """Report each check in one line, failures and skips in full, then findings and totals."""
        lines: list[Text | Table] = [
            _table(("check", "pass", "fail", "skip", "error"), _by_check(verification.results))
        ]
        shown = [r for r in verification.results if r.status is not Status.PASS]
        lines.extend(_result(result) for result in shown)
        lines.extend(line for finding in verification.findings for line in _finding(finding))
        counted = Counter(result.status for result in verification.results)
        total = ", ".join(f"{counted[status]} {status.value}" for status in Status)
        unverified = (
            f"; {_count(len(verification.unverified), 'designed value')} could not be read"
            if verification.unverified
            else ""
        )
        lines.append(Text(f"{verification.fabric}: {total}{unverified}"))
        return self._text(lines)

    def rows(self, title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
        """Report plain rows."""
        return self._text([Text(title), _table(columns, rows)])

    def _text(self, parts: Iterable[Text | Table]) -> str:
        out = StringIO()
        console = Console(
            file=out,
            width=_UNWRAPPED,
            force_terminal=self._color,
            no_color=not self._color,
            soft_wrap=True,
            highlight=False,
        )
        for part in parts:
            console.print(part, soft_wrap=isinstance(part, Text))
        return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


REPORT = TableReport


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(Text(cell, style=_STYLES.get(cell, "")) for cell in row))
    return table


def _finding(finding: Finding) -> Iterator[Text]:
    where = str(finding.place) if finding.place else finding.path
    yield Text.assemble(
        (f"{finding.severity.value}[{finding.rule}]", _STYLES[finding.severity.value]), f" {where}: {finding.message}"
    )
    pairs = (("measured", finding.measured), ("bound", finding.bound))
    if shown := ", ".join(f"{word} {text}" for word, text in pairs if text):
        yield Text(f"  {finding.path}: {shown}")
    if finding.fix:
        yield Text(f"  fix: {finding.fix}")


def _change(name: str, change: Change, affected: tuple[str, ...]) -> Iterator[Text | Table]:
    impact = (change.impact.word, _STYLES[change.impact.word])
    yield Text.assemble((name, "bold"), f"  {_count(len(change.delta.rows), 'difference')}, impact ", impact)
    yield _table(("  facet", "key", "change"), ((f"  {f}", keys, said) for f, keys, said in grouped(change.delta.rows)))
    harmful = [step for step in change.steps.do if step.impact > Impact.HITLESS]
    for step in harmful:
        yield Text(f"  {step.impact.word}: {step.why} ({listing(step)})", style=_STYLES[step.impact.word])
    if affected:
        yield Text(f"  affected: {', '.join(affected)}")
    yield Text("")


def _waves(plan: Plan) -> Iterator[Text]:
    for number, wave in enumerate(plan.waves, 1):
        yield Text(f"wave {number}: {', '.join(wave)}")
        rules: dict[str, list[str]] = {}
        for finding in plan.interim.get(number, ()):
            rules.setdefault(finding.rule, []).append(finding.path)
        for rule, paths in rules.items():
            more = f" and {_count(len(paths) - 1, 'more place')}" if len(paths) > 1 else ""
            yield Text(f"  until the next wave {rule} is not met: {paths[0]}{more}", style="yellow")


def _sum_up(plan: Plan) -> str:
    if not plan.changes and not plan.unreached:
        return f"{plan.fabric}: no changes; {len(plan.equal)} nodes are set as designed"
    todo = f"{_count(len(plan.changes), 'node')} to change in {_count(len(plan.waves), 'wave')}"
    changes = f"{todo}, worst impact {plan.impact.word}"
    return f"{plan.fabric}: {changes}; {len(plan.equal)} equal; {len(plan.unreached)} not reached"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _unverified_kind(what: str) -> str:
    facet, _, rest = what.partition(" ")
    return f"{facet} {rest.rpartition(' ')[2]}"


def _head(run: Run) -> str:
    return f"run {run.id}: {run.kind} of {run.fabric} by {run.by}, {_state(run)}, started {run.started}"


def _state(run: Run) -> str:
    return "killed" if run.state is RunState.RUNNING and not run.alive else run.state.value


def _counts(run: Run) -> str:
    return ", ".join(f"{count} {state}" for state, count in Counter(node.state.value for node in run.nodes).items())


def _by_check(results: Iterable[CheckResult]) -> list[tuple[str, ...]]:
    counted: dict[str, Counter[Status]] = {}
    for result in results:
        counted.setdefault(result.check, Counter())[result.status] += 1
    return [(check, *(str(count[status] or "") for status in Status)) for check, count in counted.items()]


def _result(result: CheckResult) -> Text:
    pair = f" (expected {result.expected}, found {result.found})" if result.expected or result.found else ""
    return Text.assemble(
        (result.status.value, _STYLES.get(result.status.value, "")),
        f" {result.check} {result.at}: {result.message}{pair}",
    )


def _node_row(design: Design, node: Node) -> tuple[str, ...]:
    links = str(len(design.network.links_of[node.name]))
    return (node.name, node.role, str(node.tier), node.system, node.model, _loopback(node), _asn(node), links)


def _class_row(each: TrafficClass) -> tuple[str, ...]:
    share = "strict" if each.strict else f"{each.share}%"
    flags = (_yes(each.rdma), _yes(each.lossless))
    return (each.name, _ranges(each.dscps), str(each.priority), str(each.queue), *flags, share, _ecn(each))


def _link_row(link: Link, own: End, far: End) -> tuple[str, ...]:
    return (own.port, str(far), format_speed(link.speed), _length(link))


def _length(link: Link) -> str:
    return f"{link.length:g} m" if link.length else ""


def _setting_lines(design: Design, node: Node, *, why: bool) -> Iterator[Text]:
    """Yield equal rows in one line, and with ``why`` below it the reason of each key, or that of all of them."""
    for facet in node.settings:
        groups: dict[str, list[str]] = {}
        for key, row in facet.rows.items():
            groups.setdefault(row_words(row), []).append(key)
        for value, keys in groups.items():
            yield Text.assemble((f"{facet.name:<12}", "bold"), ", ".join(keys), f": {value}" if value else "")
            reasons = {key: _why(design, f"{node.name}.{facet.name}.{key}") for key in keys} if why else {}
            if len(set(reasons.values())) == 1:
                reasons = {"why": reasons[keys[0]]}
            yield from (Text(f"{'':<14}{key}: {reason}", style="dim") for key, reason in reasons.items())


def _loopback(node: Node) -> str:
    found = (key.partition(" ")[2] for key in node.settings.rows(Addresses) if key.startswith("lo "))
    return next(found, "")


def _asn(node: Node) -> str:
    router = node.settings.rows(Bgp).get("router")
    return str(router.asn) if isinstance(router, Router) else ""


def _why(design: Design, path: str) -> str:
    origin = design.origins.get(path)
    if origin is None:
        return "no origin is known"
    return f"{origin.reason} ({origin.place})" if origin.place else origin.reason


def _ranges(numbers: tuple[int, ...]) -> str:
    """Write 0 1 2 5 as ``0-2 5``."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return " ".join(str(p[0]) if len(p) == 1 else f"{p[0]}-{p[-1]}" for p in parts)


def _yes(value: bool) -> str:
    return "yes" if value else ""


def _ecn(each: TrafficClass) -> str:
    if not each.ecn:
        return ""
    low, high = ("auto" if value is None else format_bytes(value) for value in (each.kmin, each.kmax))
    chance = "auto" if each.pmax is None else f"{each.pmax:g}%"
    return f"{low}..{high} {chance}{' (auto is not computed yet)' if each.ecn_auto else ''}"
