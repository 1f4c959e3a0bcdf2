"""SARIF 2.1.0: findings and failed checks as editors and code hosts show them, each at its line of the file.

A rule that judged is a `reportingDescriptor` with its page, a finding a `result` with its place, the path of its
object as a logical location, and its fingerprint; what is waived is suppressed with the reason. Source of the names:
OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0 Plus Errata 01, section 3.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any, ClassVar
from urllib.parse import quote

from fabric import __version__
from fabric.checks.runner import checks
from fabric.design.model import Design
from fabric.errors import Problem
from fabric.places import Place
from fabric.report.finding_rows import measures, waiver
from fabric.report.refusing import VerdictsOnly
from fabric.results import CheckResult, ExitCode, Finding, Severity, Status, Verification
from fabric.rules.contract import Rule
from fabric.rules.runner import rules

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# The first name is ours. By the second GitHub tells alerts apart; it would else make it from the text of the line, and
# two findings of one rule on one line would be one alert.
FINGERPRINTS = ("fabricFinding/v1", "primaryLocationLineHash")

_INTENT = "intent"
_SECTION = re.compile(r"^What it does\n((?: {4}.*\n|\n)+)", re.MULTILINE)
_WHERE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?")
_Json = Mapping[str, Any]


class SarifReport(VerdictsOnly):
    """SARIF; colour is of no use to it."""

    name: ClassVar[str] = "sarif"
    commands: ClassVar[str] = "validate and verify"

    def __init__(self, *, color: bool, width: int = 0) -> None:
        del color, width

    def findings(
        self,
        design: Design,
        findings: Iterable[Finding],
        ran: Sequence[Rule] = (),
        least: Severity = Severity.NOTE,
    ) -> str:
        """Report every finding, and the rules that judged."""
        del design, least
        found = tuple(findings)
        code = ExitCode.INTENT if any(finding.stops for finding in found) else ExitCode.DONE
        return _log(map(_rule, ran), map(_finding, found), code)

    def verification(self, design: Design, verification: Verification) -> str:
        """Report what rules found on what was read, and the checks that failed or could not look."""
        del design
        results = (*map(_finding, verification.findings), *_check_results(verification.results))
        return _log((*map(_rule, rules()), *_check_rules()), results)

    def problems(self, file: str, problems: Iterable[Problem]) -> str:
        """Report what is wrong with a file of which there is nothing to judge."""
        about = {"id": _INTENT, "shortDescription": {"text": "The file cannot be read or designed as it is."}}
        results = [_problem(file, problem) for problem in problems]
        return _log([about | {"defaultConfiguration": {"level": "error"}}], results, ExitCode.INTENT)


REPORT = SarifReport


def _log(about: Iterable[_Json], results: Iterable[_Json], code: ExitCode | None = None) -> str:
    """Return a log of one run; results refer to their rules by index, as far as these are described."""
    described = list(about)
    at = {each["id"]: index for index, each in enumerate(described)}
    listed = [{**each, **({"ruleIndex": at[each["ruleId"]]} if each["ruleId"] in at else {})} for each in results]
    ended = {} if code is None else {"exitCode": int(code), "exitCodeDescription": code.meaning}
    run = {
        "tool": {"driver": {"name": "fabric", "version": __version__, "rules": described}},
        "invocations": [{"executionSuccessful": True, **ended}],
        "columnKind": "unicodeCodePoints",
        "results": listed,
    }
    return json.dumps({"$schema": SCHEMA, "version": VERSION, "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> _Json:
    found = _SECTION.search(f"{rule.page}\n")
    does = " ".join(dedent(found[1]).split()) if found else rule.summary
    tags = [rule.id.partition(".")[0], *rule.codes]
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": does},
        "help": {"text": rule.page, "markdown": _markdown(rule.page)},
        "defaultConfiguration": {"level": rule.severity.value, "enabled": not rule.on_request},
        "properties": {"tags": tags},
    }


def _markdown(page: str) -> str:
    """Return a page with its titles in bold and its literals as Markdown has them."""
    parts = re.sub(r"^([A-Z][A-Za-z ]+)\n(?= {4})", r"**\1**\n\n", page, flags=re.MULTILINE)
    return re.sub(r"^ {4}", "", parts, flags=re.MULTILINE).replace("``", "`")


def _check_rules() -> Iterator[_Json]:
    for check in checks():
        first = check.page.partition("\n")[0]
        about = {"shortDescription": {"text": first}, "help": {"text": check.page}}
        yield {"id": check.id, **about, "defaultConfiguration": {"level": "error"}, "properties": {"tags": ["check"]}}


def _finding(finding: Finding) -> _Json:
    location = _physical(finding.place) if finding.place else {}
    if finding.path:
        location = {**location, "logicalLocations": [{"fullyQualifiedName": finding.path}]}
    said = {"measured": finding.measured, "bound": finding.bound, "fix": finding.fix, "also": list(finding.also)}
    return {
        "ruleId": finding.rule,
        "level": finding.severity.value,
        "message": {"text": _text(finding)},
        "locations": [location] if location else [],
        "partialFingerprints": dict.fromkeys(FINGERPRINTS, finding.fingerprint),
        "suppressions": [{"kind": "inSource", "justification": waiver(finding)}] if finding.waived else [],
        "properties": {name: value for name, value in said.items() if value},
    }


def _text(finding: Finding) -> str:
    """Return all that is to be said, in sentences: what is shown of a result is mostly this and no more."""
    pairs = ", ".join(f"{word} {text}" for word, text in measures(finding))
    parts = (finding.message, f"({pairs})" if pairs else "", f"Fix: {finding.fix}" if finding.fix else "")
    return "\n".join(part for part in parts if part)


def _check_results(results: Iterable[CheckResult]) -> Iterator[_Json]:
    """Yield checks that did not pass; one that was skipped is an open question, which is no failure."""
    for result in results:
        if result.status is Status.PASS:
            continue
        pair = f" (expected {result.expected}, found {result.found})" if result.expected or result.found else ""
        skipped = result.status is Status.SKIP
        yield {
            "ruleId": result.check,
            "kind": "open" if skipped else "fail",
            "level": "none" if skipped else Severity.ERROR.value,
            "message": {"text": f"{result.message}{pair}"},
            "locations": [{"logicalLocations": [{"fullyQualifiedName": result.at}]}],
            "suppressions": [],
        }


def _problem(file: str, problem: Problem) -> _Json:
    found = _WHERE.fullmatch(problem.where)
    place = Place(found["file"], int(found["line"]), int(found["column"] or 1)) if found else None
    hint = f"\n{problem.hint}" if problem.hint else ""
    location = _physical(place) if place else {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}}}
    return {
        "ruleId": _INTENT,
        "level": Severity.ERROR.value,
        "message": {"text": f"{problem.message}{hint}"},
        "locations": [location],
    }


def _physical(place: Place) -> _Json:
    region = {"startLine": place.line, "startColumn": place.column}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(place.file)}, "region": region}}


def _uri(file: str) -> str:
    """Return the reference to a file: relative to where the command ran, as it was given, else absolute."""
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
