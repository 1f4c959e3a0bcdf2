"""Reach: who answers for the nodes of a design (devices over SSH, or a recording)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from fabric.design.model import Design
from fabric.errors import DesignError, UsageError
from fabric.intent.document import Document
from fabric.intent.models import Intent
from fabric.intent.sections.access import AccessRule, JumpIntent
from fabric.platforms.lookup import has_system, system
from fabric.settings.network import Node
from fabric.transport.credentials import Credentials
from fabric.transport.record import load
from fabric.transport.replay import Replay
from fabric.transport.session import Opener
from fabric.transport.ssh import SshOpener
from fabric.transport.targets import Spoken, Targets, targets

Rule = TypeVar("Rule", AccessRule, JumpIntent, AccessRule | None)


def ways(document: Document, design: Design, nodes: Mapping[str, Node], access: Path | None) -> Targets:
    """Return how nodes are reached; UsageError or Unreachable when nothing says so."""
    spoken = {name: _spoken(node) for name, node in nodes.items()}
    return targets(anchored(document), spoken, access, design.management)


def anchored(document: Document) -> Intent:
    """Return the intent with its key files in full: what is relative lies beside the intent, like its CSV files.

    What begins with ``~`` stays as it is.
    """
    intent = document.intent
    if intent.access is None:
        return intent
    folder, given = Path(document.file).parent, intent.access
    access = given.model_copy(
        update={
            "switches": _beside(given.switches, folder),
            "hosts": _beside(given.hosts, folder),
            "jump": {name: _beside(jump, folder) for name, jump in given.jump.items()},
        }
    )
    return intent.model_copy(update={"access": access})


def _beside(rule: Rule, folder: Path) -> Rule:
    """Return a rule for logins with the key file, when it has one, seen from a folder."""
    if rule is None or rule.key is None or rule.key.file is None or rule.key.file.startswith("~"):
        return rule
    key = rule.key.model_copy(update={"file": str(folder / rule.key.file)})
    return rule.model_copy(update={"key": key})


def devices(reached: Targets, say: Callable[[str], None], ask: Callable[[str], str] | None) -> Opener:
    """Return the opener of the nodes' own SSH servers, and say where they were looked up.

    UsageError for a password that the intent refers to and that is not there.
    """
    say(reached.said)
    credentials = Credentials(ask=ask)
    credentials.gather(reached.ends)
    return SshOpener(reached, credentials)


def recording(folder: Path, fabric: str) -> Opener:
    """Return the opener of a recording; UsageError when it is one of another fabric."""
    kept = load(folder)
    if kept.fabric != fabric:
        raise UsageError(
            f"a recording of fabric {kept.fabric!r}, not of {fabric!r}",
            where=str(folder),
            hint="give the recording that belongs to this file",
        )
    return Replay(kept)


def manageable(design: Design, names: tuple[str, ...]) -> Mapping[str, Node]:
    """Return these nodes; DesignError naming the systems that have no platform yet."""
    nodes = {name: design.network.nodes[name] for name in names}
    missing = sorted({n.system for n in nodes.values() if not has_system(n.kind, n.system)})
    if missing:
        raise DesignError(
            f"system {', '.join(missing)} cannot be read or changed yet",
            where=design.fabric,
            hint="leave these nodes out with --limit",
        )
    return nodes


def _spoken(node: Node) -> Spoken:
    runs = system(node.kind, node.system)
    return Spoken(node.kind, runs.device_type, runs.shell)
