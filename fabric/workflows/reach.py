"""Reach: who answers for the nodes of a design (devices over SSH, or a recording)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from fabric.design.model import Design
from fabric.errors import DesignError, UsageError
from fabric.intent.document import Document
from fabric.platforms.lookup import has_system, system
from fabric.settings.network import Node
from fabric.transport.credentials import Credentials
from fabric.transport.record import load
from fabric.transport.replay import Replay
from fabric.transport.session import Opener
from fabric.transport.ssh import SshOpener
from fabric.transport.targets import Spoken, Targets, targets


def ways(document: Document, design: Design, nodes: Mapping[str, Node], access: Path | None) -> Targets:
    """Return how nodes are reached; UsageError or Unreachable when nothing says so."""
    spoken = {name: _spoken(node) for name, node in nodes.items()}
    return targets(document.intent, spoken, access, design.management)


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
