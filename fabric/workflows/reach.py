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
from fabric.transport.targets import Spoken, targets


def devices(
    document: Document,
    nodes: Mapping[str, Node],
    access: Path | None,
    say: Callable[[str], None],
    ask: Callable[[str], str] | None,
) -> Opener:
    """Return the opener of the nodes' own SSH servers, and say where they were looked up."""
    spoken = {name: _spoken(node) for name, node in nodes.items()}
    found = targets(document.intent, spoken, access)
    say(found.said)
    return SshOpener(found, Credentials(ask=ask))


def recording(folder: Path, fabric: str) -> Opener:
    """Return the opener of a recording; UsageError when it is one of another fabric."""
    found = load(folder)
    if found.fabric != fabric:
        raise UsageError(
            f"a recording of fabric {found.fabric!r}, not of {fabric!r}",
            where=str(folder),
            hint="give the recording that belongs to this file",
        )
    return Replay(found)


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
