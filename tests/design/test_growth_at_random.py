"""Random fabrics that grow in random directions: nothing that was there moves."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, event, given, settings

from fabric.design.model import Design
from fabric.errors import DesignError
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Router
from fabric.settings.bonds import Bonds
from fabric.settings.links import Links
from fabric.settings.policy import Policy
from fabric.settings.vlans import Vlans
from tests.design.random_fabrics import Shape, built, shapes


def identity(found: Design) -> set[tuple[str, ...]]:
    """All that must stay: cables, AS numbers, addresses, peers, announcements, ports, bonds, VLANs, rails."""
    kept: set[tuple[str, ...]] = {(str(link.a), str(link.b)) for link in found.network.links}
    for name, node in found.network.nodes.items():
        for facet in (Addresses, Bonds, Links, Vlans, Policy):
            kept |= {(name, facet.name, key, repr(row)) for key, row in node.settings.rows(facet).items()}
        for key, row in node.settings.rows(Bgp).items():
            said = f"{row.asn} {row.router_id}" if isinstance(row, Router) else repr(row)
            kept.add((name, "bgp", key, said))
    return kept


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(shapes())
def test_what_is_there_keeps_its_place_whatever_is_added(grown: tuple[Shape, Shape]) -> None:
    before, after = built(grown[0]), built(grown[1])
    missing = identity(before) - identity(after)
    assert not missing, sorted(missing)[:5]
    names = list(before.network.nodes)
    assert [name for name in after.network.nodes if name in before.network.nodes] == names
    event(f"pods: {bool(grown[0].pods)}, family: {grown[0].family}")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(shapes())
def test_no_two_ports_of_a_random_fabric_share_an_address_or_a_cable(grown: tuple[Shape, Shape]) -> None:
    found = built(grown[1])
    ends = Counter(str(end) for link in found.network.links for end in (link.a, link.b))
    assert max(ends.values()) == 1
    hosts = Counter(address for rail in found.rails for address in rail.addresses)
    assert max(hosts.values()) == 1
    loopbacks = Counter(
        key for node in found.network.nodes.values() for key in node.settings.rows(Addresses) if key.startswith("lo ")
    )
    assert max(loopbacks.values()) == 1


def test_a_pod_that_outgrows_its_stride_is_refused_with_the_reason() -> None:
    shape = Shape(
        family=4,
        numbered=False,
        subnets=False,
        per="device",
        attach="rail",
        ports=1,
        bond=False,
        ways=1,
        per_pair=1,
        planes=1,
        pods=2,
        spines=4,
        cores=2,
        groups=1,
        hosts=4,
        nics=2,
        storage=0,
        further=False,
        tenant=False,
    )
    assert built(shape).network.nodes
    with pytest.raises(DesignError) as caught:
        built(replace(shape, spines=5))
    assert caught.value.message == "topology.cables.1.stride sets aside 4, and a pod has 5 for each upper switch"
    assert caught.value.hint == "write at least 5; a larger one moves the ports of later pods"
