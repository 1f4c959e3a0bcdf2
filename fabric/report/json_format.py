"""JSON: every document carries its ``format_version`` and ``kind``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from ipaddress import IPv4Network, IPv6Network
from typing import Any

from fabric.changes.plan import Plan
from fabric.changes.planfile import document
from fabric.changes.run import Run
from fabric.design.budget import budget_of
from fabric.design.model import Design
from fabric.errors import Problem
from fabric.places import Place
from fabric.report.class_view import ClassView
from fabric.results import Finding, Severity, Verification
from fabric.rules.contract import Rule
from fabric.settings.facet import Absent, Settings
from fabric.settings.network import End, Node

FORMAT_VERSION = 1


class JsonReport:
    """Documents for programs; colour is of no use to them."""

    def __init__(self, *, color: bool, width: int = 0) -> None:
        del color, width

    def findings(
        self,
        design: Design,
        findings: Iterable[Finding],
        ran: Sequence[Rule] = (),
        least: Severity = Severity.NOTE,
    ) -> str:
        """Report what the rules found, and which ones judged."""
        found = [_plain(finding) for finding in findings]
        judged = {"findings": found, "rules": [rule.id for rule in ran], "least": least.value}
        return _text("findings", {"fabric": design.fabric} | judged)

    def problems(self, file: str, problems: Iterable[Problem]) -> str:
        """Report what is wrong with a file."""
        return _text("problems", {"file": file, "problems": [_plain(problem) for problem in problems]})

    def design(self, design: Design, waived: Iterable[Finding] = ()) -> str:
        """Report a whole design."""
        nodes = {name: _node(node) for name, node in design.network.nodes.items()}
        links = [_plain(link) for link in design.network.links]
        classes = [_plain(each) for each in design.classes]
        body = {"fabric": design.fabric, "pods": design.pods, "classes": classes, "links": links, "nodes": nodes}
        body |= {name: _plain(getattr(design, name)) for name in _ALSO}
        return _text("design", body | {"waived": [_plain(finding) for finding in waived]})

    def listing(self, design: Design, waived: Iterable[Finding] = ()) -> str:
        """Report a whole design; documents never leave anything out."""
        return self.design(design, waived)

    def node(self, design: Design, name: str, *, why: bool) -> str:
        """Report one node."""
        node = design.network.nodes[name]
        body = {"fabric": design.fabric, "node": _node(node)}
        if (budget := budget_of(design.network, node)) is not None:
            body["buffer"] = {name: getattr(budget, name) for name in _BUDGET}
        if why:
            paths = (f"{name}.{facet.name}.{key}" for facet in node.settings for key in facet.rows)
            body["origins"] = {path: _plain(design.origins[path]) for path in paths if path in design.origins}
        return _text("node", body)

    def traffic_class(self, design: Design, view: ClassView, *, why: bool) -> str:
        """Report one class; documents always say why."""
        del why
        rows = {"thresholds": _plain(view.thresholds), "profiles": _plain(view.profiles)}
        return _text("class", {"fabric": design.fabric, "class": _plain(view.found), **rows})

    def plan(self, design: Design, plan: Plan, file: str, only: frozenset[str]) -> str:
        """Report a plan: the same document as the plan file."""
        del design
        return json.dumps(document(plan, file, only), indent=2) + "\n"

    def run(self, run: Run) -> str:
        """Report a run."""
        return _text("run", {"run": _plain(run)})

    def runs(self, runs: Iterable[Run]) -> str:
        """Report all runs."""
        return _text("runs", {"runs": [_plain(run) for run in runs]})

    def verification(self, design: Design, verification: Verification) -> str:
        """Report what verify found."""
        del design
        return _text("verification", _plain(verification))

    def rows(self, title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
        """Report plain rows as objects."""
        return _text("rows", {"title": title, "rows": [dict(zip(columns, row, strict=True)) for row in rows]})


REPORT = JsonReport

# The budget of a switch's buffer: bytes, and how many ports can be paused at once without loss.
_BUDGET = ("total", "demand", "kept", "reserved", "shared", "paused_at_once")
# Fields of a design that stand in its document under the same names.
_ALSO = ("tenants", "externals", "job_classes", "idle_hook", "rails")


def _text(kind: str, body: Mapping[str, Any]) -> str:
    return json.dumps({"format_version": FORMAT_VERSION, "kind": kind, **body}, indent=2) + "\n"


def _node(node: Node) -> dict[str, Any]:
    return {
        "name": node.name,
        "role": node.role,
        "kind": node.kind,
        "tier": node.tier,
        "system": node.system,
        "model": node.model,
        "pod": node.pod,
        "plane": node.plane,
        "state": node.state,
        "settings": _settings(node.settings),
    }


def _settings(settings: Settings) -> dict[str, Any]:
    return {facet.name: {key: _plain(row) for key, row in facet.rows.items()} for facet in settings}


def _plain(value: Any) -> Any:
    """Turn values of ours into plain JSON values; absent fields are left out, frozen sets become sorted lists."""
    match value:
        case End() | Place() | IPv4Network() | IPv6Network() | date():
            plain: Any = str(value)
        case Enum():
            plain = value.value
        case Mapping():
            plain = {str(key): _plain(item) for key, item in value.items()}
        case frozenset():
            plain = [_plain(item) for item in sorted(value)]
        case tuple() | list():
            plain = [_plain(item) for item in value]
        case Finding():
            plain = _fields(value) | {"fingerprint": value.fingerprint}
        case _ if is_dataclass(value):
            plain = _fields(value)
        case _:
            plain = value
    return plain


def _fields(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that are not absent."""
    pairs = ((field.name, getattr(value, field.name)) for field in fields(value))
    return {name: _plain(item) for name, item in pairs if not isinstance(item, Absent)}
