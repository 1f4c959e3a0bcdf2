"""Ports: what the cabled ports of a node are set to, and what ``nodes`` says of single ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from fabric.design.faults import Gathered, fault
from fabric.design.overrides import Overrides
from fabric.settings.buffers import PortBuffer
from fabric.settings.facet import ABSENT
from fabric.settings.links import Port

if TYPE_CHECKING:
    from fabric.design.layout import Laid, Layout, Member
    from fabric.intent.document import Document
    from fabric.intent.sections.nodes import PortIntent


def links(mtu: int, laid: Mapping[str, Laid], given: Mapping[str, PortIntent]) -> dict[str, Port]:
    """Return what cabled ports are set to; those that are alike share one value. ``laid`` are their cables."""
    shared: dict[tuple[int, str | None], Port] = {}
    found: dict[str, Port] = {}
    for port, cable in laid.items():
        kind = (cable.speed, cable.fec)
        if kind not in shared:
            shared[kind] = Port(mtu=mtu, enabled=True, speed=cable.speed, fec=cable.fec or ABSENT)
        found[port] = _port(shared[kind], given[port]) if port in given else shared[kind]
    return found


def _port(port: Port, given: PortIntent) -> Port:
    return replace(
        port,
        mtu=given.mtu or port.mtu,
        enabled=port.enabled if given.enabled is None else given.enabled,
        fec=given.fec or port.fec,
    )


def buffer(shared: PortBuffer | None, given: PortIntent | None) -> PortBuffer | None:
    """Return the buffer of a port; ``None`` where the intent has no opinion."""
    if given is None or (given.headroom is None and given.alpha is None):
        return shared
    base = shared or PortBuffer()
    headroom = base.headroom if given.headroom is None else ABSENT if given.headroom == "auto" else given.headroom
    return replace(base, headroom=headroom, alpha=base.alpha if given.alpha is None else float(given.alpha))


def check_ports(document: Document, layout: Layout) -> None:
    """Refuse what ``nodes`` says of ports that have no cables on any node that it is said of.

    Ports that led to a removed node may still be named.
    """
    useful: set[str] = set()
    useless: dict[str, tuple[Member, str, tuple[str, ...]]] = {}
    overrides, gone = Overrides(document), {node.name for node in layout.removed}
    for node in (*layout.switches, *layout.hosts, *layout.removed):
        if not node.given.ports:
            continue
        cabled = layout.ports_of(node.name)
        known = {*cabled, *layout.vacant.get(node.name, ())}
        for key in overrides.keys(node.place):
            for port in document.intent.nodes[key].ports:
                path = f"nodes.{key}.ports.{port}"
                if port in known or node.name in gone:
                    useful.add(path)
                else:
                    useless.setdefault(path, (node, port, cabled))
    faults = Gathered()
    for path, (node, port, cabled) in useless.items():
        if path not in useful:
            with faults:
                near = get_close_matches(port, cabled, n=3)
                hint = (
                    f"did you mean {' or '.join(near)}?" if near else f"ports with cables: {', '.join(cabled[:6])} ..."
                )
                raise fault(document, path, f"{node.name} has no cable in port {port!r}", hint)
    faults.end()
