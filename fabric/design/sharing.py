"""Sharing: tenants, and neighbours that are no part of the design."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from fabric.design.called import meant
from fabric.design.faults import Gathered, fault
from fabric.design.layout import Layout, Member, Switch
from fabric.design.model import External, Tenancy
from fabric.intent.document import Document


def tenants(document: Document, layout: Layout) -> tuple[Tenancy, ...]:
    """Return the tenants with their hosts; DesignError when a pattern names no host, or two tenants claim one."""
    faults = Gathered()
    owner: dict[str, str] = {}
    found: list[Tenancy] = []
    for name, tenant in document.intent.tenants.items():
        hosts: list[str] = []
        for index, pattern in enumerate(tenant.hosts):
            path = f"tenants.{name}.hosts.{index}"
            matched = [host.name for host in layout.hosts if fnmatchcase(host.name, pattern)]
            with faults:
                if not matched and not _removed(layout, pattern):
                    said = f"{path}: no host is called {pattern!r}"
                    raise fault(
                        document,
                        path,
                        said,
                        meant(pattern, _named(layout.hosts), "name hosts as `fabric show` has them"),
                    )
                _check_hosts(document, path, name, matched, owner)
            hosts += matched
        owner |= dict.fromkeys(hosts, name)
        order = [host.name for host in layout.hosts if host.name in set(hosts)]
        found.append(Tenancy(name, tenant.vni, tuple(order), tenant.classes))
    with faults:
        _check_vnis(document)
    faults.end()
    return tuple(found)


def externals(document: Document, layout: Layout) -> tuple[External, ...]:
    """Return the neighbours that are left alone, per switch; DesignError when a pattern names no switch."""
    faults = Gathered()
    found: list[External] = []
    for index, entry in enumerate(document.intent.external):
        path = f"external.{index}"
        switches = [switch.name for switch in layout.switches if fnmatchcase(switch.name, entry.node)]
        with faults:
            if not switches and not _removed(layout, entry.node):
                said = f"{path}.node: no switch is called {entry.node!r}"
                hint = meant(entry.node, _named(layout.switches), "name a switch, or use a pattern such as leaf*")
                raise fault(document, f"{path}.node", said, hint)
            if entry.neighbor is None and entry.port is None:
                raise fault(document, path, f"{path} says nothing to leave alone", "give neighbor, port, or both")
        neighbor = None if entry.neighbor is None else str(entry.neighbor)
        found += [External(name, neighbor, entry.port, entry.asn) for name in switches]
    for index, entry in enumerate(document.intent.external):
        for switch in layout.switches:
            if entry.port is not None and fnmatchcase(switch.name, entry.node):
                with faults:
                    _check_port(document, layout, f"external.{index}.port", (switch, entry.port))
    faults.end()
    return tuple(found)


def _check_port(document: Document, layout: Layout, path: str, end: tuple[Switch, str]) -> None:
    """Refuse an external port that a cable of the design is in, or that the switch does not have.

    Names that are none of front ports (management ports, VLANs) are left to the user.
    """
    switch, port = end
    if port in layout.ports_of(switch.name):
        said = f"{path}: {switch.name}:{port} has a cable of the fabric"
        raise fault(document, path, said, "name a port that no cable uses")
    spot = switch.naming.spot(port)
    if spot is not None and spot.number > switch.model.ports:
        last = switch.naming.name(switch.model.ports)
        said = f"{path}: {switch.name} ({switch.model.name}) has no port {port}"
        raise fault(document, path, said, f"its last port is {last}")


def _named(nodes: Iterable[Member]) -> Iterator[tuple[str, str]]:
    return ((node.name, node.place) for node in nodes)


def _removed(layout: Layout, pattern: str) -> bool:
    """Tell whether a pattern names a node that was removed: what is said of it is kept, and has no effect."""
    return any(fnmatchcase(node.name, pattern) for node in layout.removed)


def _check_hosts(document: Document, path: str, tenant: str, matched: Sequence[str], owner: Mapping[str, str]) -> None:
    taken = next((name for name in matched if owner.get(name, tenant) != tenant), None)
    if taken is not None:
        said = f"{path}: {taken} belongs to tenant {owner[taken]!r} already"
        raise fault(document, path, said, "a host has one tenant: make one of the patterns narrower")


def _check_vnis(document: Document) -> None:
    owner: dict[int, str] = {}
    for name, tenant in document.intent.tenants.items():
        other = owner.setdefault(tenant.vni, name)
        if other != name:
            said = f"tenants {other!r} and {name!r} both have vni {tenant.vni}"
            raise fault(document, f"tenants.{name}.vni", said, "give each tenant a vni of its own")
