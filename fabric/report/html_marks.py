"""How nodes and links stand in a drawing, from what rules, checks or a plan say of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from fabric.changes.plan import Plan
from fabric.changes.wording import grouped
from fabric.design.model import Design
from fabric.report.drawing_model import Mark, Marks, worse
from fabric.report.finding_rows import waiver
from fabric.results import CheckResult, Finding, Severity, Status, Verification
from fabric.settings.network import End

_SEVERITIES = {Severity.ERROR: Mark.ERROR, Severity.WARNING: Mark.WARNING, Severity.NOTE: Mark.NOTE}
_STATUSES = {Status.PASS: Mark.OK, Status.FAIL: Mark.ERROR, Status.SKIP: Mark.SKIP, Status.ERROR: Mark.ERROR}
_STATES = {"planned": Mark.PLANNED, "maintenance": Mark.MAINTENANCE}
_EXPECTED = {Mark.PLANNED: "planned, not there yet", Mark.MAINTENANCE: "in maintenance, not judged"}


@dataclass
class _Board:
    """Marks while they are gathered: the worst of each place stays."""

    design: Design
    nodes: dict[str, Mark] = field(default_factory=dict)
    ends: dict[End, Mark] = field(default_factory=dict)
    said: dict[str, dict[str, None]] = field(default_factory=dict)

    def put(self, name: str, port: str, mark: Mark, words: str) -> None:
        """Mark a node, and the link of a port of it."""
        if name not in self.design.network.nodes:
            return
        self.nodes[name] = worse(self.nodes.get(name, mark), mark)
        end = End(name, port)
        if end in self.design.network.ends:
            self.ends[end] = worse(self.ends.get(end, mark), mark)
        if words and not mark.calm:
            self.said.setdefault(name, {})[words] = None

    def marks(self, usual: Mark, words: Mapping[Mark, str]) -> Marks:
        """Finish: what is expected of a node that is not in service outweighs everything but an error."""
        nodes = dict(self.nodes)
        for name, node in self.design.network.nodes.items():
            if node.state in _STATES and nodes.get(name) is not Mark.ERROR:
                nodes[name] = _STATES[node.state]
        found = Marks(
            usual, {**words, **_EXPECTED}, nodes, self.ends, {name: tuple(s) for name, s in self.said.items()}
        )
        seen = {found.node(name) for name in self.design.network.nodes} | set(self.ends.values())
        shown = {mark: word for mark, word in found.words.items() if mark in seen}
        return replace(found, words={} if set(shown) == {Mark.PLAIN} else shown)


def design_marks(design: Design) -> Marks:
    """Judge nothing; only what is not in service is marked."""
    return _Board(design).marks(Mark.PLAIN, {Mark.PLAIN: "in service"})


def findings_marks(design: Design, findings: Iterable[Finding]) -> Marks:
    """Mark what findings name; everything else is as it should be."""
    board = _Board(design)
    _put_findings(board, findings)
    words = {
        Mark.ERROR: "error",
        Mark.WARNING: "warning",
        Mark.NOTE: "note",
        Mark.OK: "nothing found",
    }
    return board.marks(Mark.OK, words)


def verification_marks(design: Design, found: Verification) -> Marks:
    """Mark where checks looked; everything else was not looked at."""
    board = _Board(design)
    for result in found.results:
        name, port = _place(result.at)
        board.put(name, port, _status(result), f"{result.status.value} {result.check}: {result.message}")
    _put_findings(board, found.findings)
    words = {
        Mark.ERROR: "a check or rule failed",
        Mark.WARNING: "warning",
        Mark.SKIP: "could not be looked at",
        Mark.NOTE: "note",
        Mark.OK: "all checks passed",
        Mark.UNSEEN: "not looked at",
    }
    return board.marks(Mark.UNSEEN, words)


def plan_marks(design: Design, plan: Plan) -> Marks:
    """Mark what changes, what is equal, and what was not reached."""
    board = _Board(design)
    for name in plan.equal:
        board.put(name, "", Mark.OK, "")
    for name, change in plan.changes.items():
        board.put(name, "", Mark.CHANGED, f"impact {change.impact.word}")
        for row in change.delta.rows:
            board.put(name, row.key, Mark.CHANGED, "")
        for facet, keys, said in grouped(change.delta.rows):
            board.put(name, "", Mark.CHANGED, f"{facet} {keys}: {said}")
    for name, problem in plan.unreached.items():
        board.put(name, "", Mark.ERROR, problem.message)
    words = {
        Mark.ERROR: "not reached",
        Mark.CHANGED: "will change",
        Mark.OK: "set as designed",
        Mark.UNSEEN: "not looked at",
    }
    return board.marks(Mark.UNSEEN, words)


def _status(result: CheckResult) -> Mark:
    """Mark a result; a skip that was announced says nothing against a node."""
    return Mark.OK if result.announced else _STATUSES[result.status]


def _place(at: str) -> tuple[str, str]:
    """Part ``leaf01:swp1`` into node and port; what may follow after a space is about the far side."""
    name, _, port = at.partition(" ")[0].partition(":")
    return name, port


def _put_findings(board: _Board, findings: Iterable[Finding]) -> None:
    for finding in findings:
        mark = Mark.NOTE if finding.waived else _SEVERITIES[finding.severity]
        waived = f" (waived: {waiver(finding)})" if finding.waived else ""
        said = f"{finding.severity.value}[{finding.rule}] {finding.message}{waived}"
        for path in (finding.path, *finding.also):
            for name, port in _spots(board.design, path):
                board.put(name, port, mark, said)


def _spots(design: Design, path: str) -> Iterator[tuple[str, str]]:
    """Find the node and port of ``leaf01.links.swp1``, ``leaf01.links.swp1.mtu`` or ``leaf01:swp1``, if any."""
    name, port = _place(path)
    if name in design.network.nodes:
        yield name, port
        return
    parts = path.partition(" ")[0].split(".")
    heads = (at for at in range(1, len(parts) + 1) if ".".join(parts[:at]) in design.network.nodes)
    for at in heads:
        node, rest = ".".join(parts[:at]), parts[at + 1 :]
        ports = (".".join(rest[:end]) for end in range(len(rest), 0, -1))
        yield node, next((port for port in ports if End(node, port) in design.network.ends), "")
