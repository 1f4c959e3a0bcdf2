"""Sharing: tenants, and neighbours that are no part of the design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from fabric.design.faults import Gathered, fault
from fabric.design.layout import Layout
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
                _check_hosts(document, path, (name, pattern), matched, owner)
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
            if not switches:
                said = f"{path}.node: no switch is called {entry.node!r}"
                raise fault(document, f"{path}.node", said, "name a switch, or use a pattern such as leaf*")
            if entry.neighbor is None and entry.port is None:
                raise fault(document, path, f"{path} says nothing to leave alone", "give neighbor, port, or both")
        neighbor = None if entry.neighbor is None else str(entry.neighbor)
        found += [External(name, neighbor, entry.port, entry.asn) for name in switches]
    for index, name, port in _ports(document, layout):
        with faults:
            said = f"external.{index}.port: {name}:{port} has a cable of the fabric"
            raise fault(document, f"external.{index}.port", said, "name a port that no cable uses")
    faults.end()
    return tuple(found)


def _ports(document: Document, layout: Layout) -> Iterator[tuple[int, str, str]]:
    """Yield external ports that have a cable of the design."""
    for index, entry in enumerate(document.intent.external):
        for switch in layout.switches:
            if entry.port is None or not fnmatchcase(switch.name, entry.node):
                continue
            if entry.port in layout.ports_of(switch.name):
                yield index, switch.name, entry.port


def _check_hosts(
    document: Document, path: str, asked: tuple[str, str], matched: Sequence[str], owner: dict[str, str]
) -> None:
    tenant, pattern = asked
    if not matched:
        raise fault(document, path, f"{path}: no host is called {pattern!r}", "name hosts as `fabric show` has them")
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
