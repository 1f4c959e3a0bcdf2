"""The plan as a document: what the plan file and the JSON report hold. Steps are never kept, only their digest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabric.changes.change import Change
from fabric.changes.command import Command
from fabric.changes.plan import Plan
from fabric.changes.steps import Arm, Put, Run, Step
from fabric.changes.wording import words
from fabric.errors import UsageError

FORMAT_VERSION = 1
# How much of a command a listing shows, in characters.
_LISTED = 72


@dataclass(frozen=True, slots=True)
class Planned:
    """What an apply needs to know of a plan file: the intent file with its digest, and the digest per changing node."""

    file: str
    intent: str
    only: frozenset[str]
    limit: str | None
    digests: Mapping[str, str]


def document(plan: Plan, file: str, only: frozenset[str] = frozenset(), limit: str | None = None) -> dict[str, Any]:
    """Return the plan as plain JSON values; ``file`` is the absolute path of the intent, ``limit`` the nodes chosen."""
    return {
        "format_version": FORMAT_VERSION,
        "kind": "plan",
        "fabric": plan.fabric,
        "file": file,
        "intent": plan.intent,
        "only": sorted(only),
        "limit": limit,
        "waves": [list(wave) for wave in plan.waves],
        "interim": {
            str(wave): [{"rule": f.rule, "path": f.path, "message": f.message} for f in found]
            for wave, found in plan.interim.items()
        },
        "nodes": {name: _node(change) for name, change in plan.changes.items()},
        "affected": {name: list(hosts) for name, hosts in plan.affected.items()},
        "equal": list(plan.equal),
        "unreached": {name: problem.message for name, problem in plan.unreached.items()},
        "unmanaged": {name: list(facets) for name, facets in plan.unmanaged.items()},
        "unverified": {name: list(what) for name, what in plan.unverified.items()},
    }


def parse(text: str, where: str) -> Planned:
    """Read a plan file; UsageError when it is none, or of a version that this program does not know."""
    try:
        found = json.loads(text)
        version = found["format_version"]
        if found["kind"] != "plan" or version != FORMAT_VERSION:
            raise UsageError(
                f"a {found['kind']} of format version {version}, not a plan of version {FORMAT_VERSION}",
                where=where,
                hint="make it again with `fabric plan --out FILE`",
            )
        digests = {str(name): str(node["digest"]) for name, node in found["nodes"].items()}
        return Planned(str(found["file"]), str(found["intent"]), frozenset(found["only"]), found["limit"], digests)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError("not a plan file", where=where, hint="make one with `fabric plan --out FILE`") from error


def _node(change: Change) -> dict[str, Any]:
    return {
        "digest": change.digest,
        "impact": change.impact.word,
        "undo_impact": change.undo_impact.word,
        "delta": [{"facet": row.facet, "key": row.key, "change": words(row)} for row in change.delta.rows],
        "steps": [f"{step.impact.word}: {step.why}: {listing(step)}" for step in change.steps.do],
        "undo": [f"{step.impact.word}: {step.why}: {listing(step)}" for step in change.steps.undo],
    }


def listing(step: Step) -> str:
    """Name a step in one line, without the contents that it writes."""
    if isinstance(step, Put):
        return f"put {step.path} ({len(step.content.encode())} bytes)"
    if isinstance(step, Run):
        return f"run {_first_line(step.command)}"
    if isinstance(step, Arm):
        return f"arm a timer of {step.seconds} s"
    return step.kind


def _first_line(command: Command) -> str:
    first, *more = command.text.splitlines()
    cut = first[:_LISTED]
    return cut + (" ..." if more or command.stdin or cut != first else "")
