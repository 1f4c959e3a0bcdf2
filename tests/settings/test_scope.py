"""What is ours on a node, and what is left to others whatever the rest says."""

from ipaddress import ip_network

import pytest

from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Announced, Bgp, Neighbor, Router
from fabric.settings.facet import Settings
from fabric.settings.links import Links, Port
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.persistence import Persistence
from fabric.settings.scope import Scope

POOLS = (ip_network("10.0.0.0/16"), ip_network("2001:db8::/32"))
OURS = Scope(frozenset({"lo", "swp1", "swp9"}), POOLS)
PEER = Neighbor("65000", interface=False)


def bgp(*peers):
    return Bgp({"router": Router(65101), "network 10.0.0.1/32": Announced()} | {f"neighbor {p}": PEER for p in peers})


@pytest.mark.parametrize("peer", ["10.0.0.9", "2001:db8::9", "swp9"])
def test_a_foreign_neighbour_is_not_ours_though_its_place_would_make_it_so(peer):
    found = bgp("swp1", "10.0.0.5", peer)
    assert f"neighbor {peer}" in found.within(OURS).rows
    left = found.within(Scope(OURS.ports, OURS.prefixes, foreign=frozenset({peer})))
    assert left.rows.keys() == found.rows.keys() - {f"neighbor {peer}"}


def test_an_address_is_foreign_however_it_is_written():
    scope = Scope(prefixes=POOLS, foreign=frozenset({"2001:db8::9"}))
    assert not scope.covers("2001:0db8:0::0009")
    assert scope.covers("2001:db8::a")


def test_a_foreign_port_is_left_alone_in_every_facet():
    found = Settings(
        Links({port: Port(9000, enabled=True) for port in ("swp1", "swp9")}),
        Addresses(dict.fromkeys(("swp1 10.0.0.1/31", "swp9 10.0.0.3/31"), None)),
        Maps({port: ClassMap((0,) * 64, (0,) * 8) for port in ("swp1", "swp9")}),
        bgp("swp1", "swp9"),
    )
    ours = found.within(Scope(OURS.ports, OURS.prefixes, foreign=frozenset({"swp9"})))
    assert [key for facet in ours for key in facet.rows if "swp9" in key] == []
    assert [facet.name for facet in ours if any("swp1" in key for key in facet.rows)] == [f.name for f in found]


def test_what_is_saved_of_a_foreign_neighbour_is_not_compared():
    scope = Scope(OURS.ports, OURS.prefixes, foreign=frozenset({"10.0.0.9"}))
    assert Persistence.owned("frr.conf neighbor 10.0.0.9", OURS)
    assert not Persistence.owned("frr.conf neighbor 10.0.0.9", scope)
    assert Persistence.owned("frr.conf neighbor 10.0.0.5", scope)


def test_what_was_ours_is_left_alone_once_it_is_foreign():
    now = Scope(frozenset({"swp1"}), POOLS, foreign=frozenset({"swp9", "10.0.0.9"}))
    both = now | OURS
    assert both.ports == {"lo", "swp1"}
    assert not both.covers("10.0.0.9")


def test_what_was_foreign_is_judged_like_the_rest_once_it_is_not():
    before = Scope(frozenset({"lo", "swp1"}), POOLS, foreign=frozenset({"swp9", "10.0.0.9"}))
    both = OURS | before
    assert both.ports == OURS.ports
    assert both.covers("10.0.0.9")
