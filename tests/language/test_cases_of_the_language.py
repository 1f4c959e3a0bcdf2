"""One fabric per idea of the language; its ports, addresses, AS numbers and ratios are worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from fabric.settings.bgp import Bgp, Neighbor
from fabric.settings.bonds import Bond, Bonds
from fabric.settings.buffers import Buffers, PortBuffer
from fabric.settings.dcqcn import Dcqcn, Parameters
from fabric.settings.ecn import Ecn
from fabric.settings.links import Links
from fabric.settings.nic import Nic
from fabric.settings.routes import Routes
from fabric.settings.tenants import Tenant, Tenants
from fabric.settings.vlans import Vlan, Vlans

if TYPE_CHECKING:
    from tests.language.conftest import Seen as _Seen

Ask = Callable[[str], "_Seen"]


def subset(wanted: dict[str, Any], found: Any) -> bool:
    return {key: found.get(key) for key in wanted} == wanted


def test_rails_with_bonded_nics_on_two_leaves_each(seen: Ask) -> None:
    found = seen("rails-bonded")
    assert subset(
        {
            "gpu01:ens1f0np0": "leaf01:Ethernet0",
            "gpu01:ens1f1np1": "leaf02:Ethernet0",
            "gpu01:ens2f0np0": "leaf03:Ethernet0",
            "gpu06:ens2f1np1": "leaf08:Ethernet8",
            "leaf01:Ethernet256": "spine01:Ethernet0",
            "leaf08:Ethernet264": "spine02:Ethernet56",
        },
        found.ends,
    )
    # leaf01 has /31s 0 to 63 of 10.64.0.0/12, leaf03 128 to 191, leaf05 256 to 319: the second host there has 257.
    assert found.addresses("gpu01") == ["bond1 10.64.0.1/31", "bond2 10.64.1.1/31"]
    assert found.addresses("gpu06")[0] == "bond1 10.64.2.3/31"
    for leaf in ("leaf01", "leaf02"):
        assert "bond1 10.64.0.0/31" in found.addresses(leaf)
        bonds = found.network.nodes[leaf].settings.rows(Bonds)
        assert bonds["bond1"] == Bond(("Ethernet0",), "02:fa:10:00:00:08")
        assert "network 10.64.0.0/31" in found.network.nodes[leaf].settings.rows(Bgp)
    assert found.network.nodes["gpu01"].settings.rows(Bonds)["bond2"] == Bond(("ens2f0np0", "ens2f1np1"))
    # leaf08, port 34: /31 number 7 * 64 + 33 = 481, 962 addresses on
    assert "Ethernet264 10.128.3.195/31" in found.addresses("leaf08")
    assert found.router("leaf05").asn == 65105
    assert found.subscribed("leaf01") == 1
    rail = found.design.rails[0]
    assert (rail.port, rail.leaf, rail.leaves, rail.gateway) == ("bond1", "leaf01", ("leaf01", "leaf02"), "10.64.0.0")


def test_breakouts_and_three_speeds_on_one_leaf(seen: Ask) -> None:
    found = seen("mixed-speeds")
    assert subset(
        {
            "gpu01:nic1": "leaf01:swp1s0",
            "gpu02:nic1": "leaf01:swp1s1",
            "gpu03:nic2": "leaf02:swp2s0",
            "nas01:nic1": "leaf01:swp17s0",
            "nas02:nic2": "leaf02:swp17s1",
            "leaf01:swp36": "spine02:swp2",
            "leaf02:swp33": "spine01:swp3",
            "tor01:swp17": "spine01:swp33s0",
            "tor02:swp18": "spine02:swp33s1",
            "cpu03:nic1": "tor02:swp1s0",
        },
        found.ends,
    )
    # A block is 1/16 of 10.64.0.0/12, 32768 /31s: second parts lie half of it, 32768 addresses, further; the
    # tors' block begins at 10.65.0.0.
    assert found.addresses("gpu01")[0] == "nic1 10.64.0.1/31"
    assert found.addresses("gpu02")[0] == "nic1 10.64.128.1/31"
    assert found.addresses("nas02")[0] == "nic1 10.64.128.33/31"
    assert found.addresses("cpu03") == ["nic1 10.65.0.65/31"]
    assert "swp33 10.128.0.193/31" in found.addresses("leaf02")
    assert "swp33s0 10.129.0.32/31" in found.addresses("spine01")
    assert found.subscribed("leaf01") == Fraction(1800, 3200)
    assert found.subscribed("tor01") == Fraction(200, 800)
    marking = found.network.nodes["leaf01"].settings.rows(Ecn)
    assert [marking[port].queues[0].kmin for port in ("swp1s0", "swp17s0", "swp33")] == [400_000, 100_000, 800_000]


def test_a_list_of_cables_with_an_odd_length_and_a_changed_cable(seen: Ask) -> None:
    found = seen("cable-list")
    links = {str(link.a): link for link in found.network.links}
    assert str(links["leaf02:Ethernet264"].b) == "spine02:Ethernet8"
    assert [links[f"leaf02:Ethernet{port}"].length for port in (256, 264)] == [180, 30]
    assert links["leaf02:Ethernet256"].media == "fr4"
    assert found.network.nodes["leaf02"].settings.rows(Links)["Ethernet256"].fec == "rs"
    assert (links["gpu02:nic2"].length, links["gpu02:nic2"].media) == (5, "aoc")
    assert (links["gpu02:nic1"].length, links["gpu02:nic1"].media) == (3, "dac")
    # leaf02, port 33: /31 number 64 + 32 = 96, 192 addresses on
    assert "Ethernet8 10.128.0.192/31" in found.addresses("spine01")
    assert found.peers("leaf02") == ["10.128.0.192", "10.128.0.194"]


def test_given_values_stay_and_the_rest_is_computed_around_them(seen: Ask) -> None:
    found = seen("brownfield")
    assert list(found.network.nodes)[:5] == ["core-east", "spine02", "tor-a1", "tor-a2", "leaf03"]
    loopbacks = {name: found.addresses(name)[0] for name in list(found.network.nodes)[:5]}
    assert loopbacks == {
        "core-east": "lo 10.255.200.1/32",
        "spine02": "lo 10.255.0.2/32",
        "tor-a1": "lo 10.255.200.11/32",
        "tor-a2": "lo 10.255.16.2/32",
        "leaf03": "lo 10.255.16.3/32",
    }
    assert [found.router(name).asn for name in loopbacks] == [65000, 65000, 64801, 64802, 65103]
    assert found.router("tor-a1").router_id == "10.255.200.11"
    assert {"swp49 10.128.99.1/31", "swp50 192.168.7.2/30"} <= set(found.addresses("tor-a1"))
    assert {"swp1 10.128.99.0/31", "swp2 10.128.0.224/31", "swp3 10.128.1.64/31"} <= set(found.addresses("core-east"))
    peer = found.network.nodes["core-east"].settings.rows(Bgp)["neighbor 10.128.99.1"]
    assert isinstance(peer, Neighbor)
    assert peer.remote_as == "64801"
    assert found.design.management == {"core-east": "192.0.2.10", "tor-a1": "192.0.2.11"}
    assert found.design.places == {"core-east": "spine01", "tor-a1": "leaf01", "tor-a2": "leaf02"}
    assert found.network.nodes["tor-a2"].facts.release == "8.4"
    origins = found.design.origins
    assert origins["tor-a1.bgp.router"].reason.startswith("AS 64801, given as nodes.leaf01.asn")
    assert str(origins["tor-a1.bgp.router"].place).partition("/brownfield/")[2] == "nodes.csv:3:29"
    assert origins["tor-a1.addresses.swp50 192.168.7.2/30"].reason == "given in the list of cables"


def test_two_nic_vendors_have_parameters_and_cnps_of_their_own(seen: Ask) -> None:
    found = seen("two-vendors")
    gpu, amd = (found.network.nodes[name].settings for name in ("gpu01", "amd01"))
    assert gpu.rows(Dcqcn)["nic1"] == Parameters((("rpg_ai_rate", 5), ("rpg_hai_rate", 50)))
    assert amd.rows(Dcqcn)["nic1"] == Parameters((("cp_bias", 3),))
    assert [settings.rows(Nic)["nic2"].cnp_dscp for settings in (gpu, amd)] == [48, 50]
    assert found.ends["amd01:nic1"] == "leaf01:Ethernet64"
    assert found.addresses("amd01")[0] == "nic1 10.64.0.17/31"


def test_overrides_by_role_pattern_node_and_port(seen: Ask) -> None:
    found = seen("overrides")
    nodes = found.network.nodes
    releases = {name: nodes[name].facts.release for name in ("spine01", "leaf01", "leaf03")}
    assert releases == {"spine01": "202411", "leaf01": "202405", "leaf03": "202505"}
    assert [found.router(f"leaf0{number}").asn for number in (1, 2, 3, 4)] == [65101, 65102, 65999, 65104]
    assert nodes["leaf03"].settings.rows(Links)["Ethernet0"].mtu == 4200
    assert nodes["leaf02"].settings.rows(Links)["Ethernet0"].mtu == 9000
    buffers = {name: nodes[name].settings.rows(Buffers) for name in ("leaf01", "leaf03", "spine01")}
    assert buffers["leaf01"]["Ethernet0"] == buffers["leaf03"]["Ethernet0"] == PortBuffer(200_000, 0.25)
    assert buffers["leaf03"]["Ethernet8"] == PortBuffer(300_000, 0.125)
    assert buffers["spine01"]["Ethernet0"] == PortBuffer(200_000, 0.125)
    assert [nodes[name].state for name in ("leaf04", "spine02", "gpu01")] == ["maintenance", "planned", "active"]
    assert list(nodes["gpu04"].settings.rows(Links)) == ["a1", "a2", "a3", "a4"]
    said = found.design.origins["leaf03.links.Ethernet0"].reason.split("; ")[0].split(", ")
    assert said == ["alpha of nodes.leaf*.ports.Ethernet0.alpha", "mtu of nodes.leaf03.ports.Ethernet0.mtu"]


def test_tenants_and_neighbours_that_are_left_alone(seen: Ask) -> None:
    found = seen("tenants")
    leaf = found.network.nodes["leaf01"].settings.rows(Tenants)
    assert leaf == {
        "blue": Tenant(10100, ("Ethernet0", "Ethernet8")),
        "red": Tenant(10200, ("Ethernet16", "Ethernet24")),
    }
    assert Tenants.name not in {facet.name for facet in found.network.nodes["spine01"].settings}
    assert [(tenant.name, tenant.hosts, tenant.classes) for tenant in found.design.tenants] == [
        ("blue", ("gpu01", "gpu02"), None),
        ("red", ("gpu03", "gpu04"), ("rdma", "default")),
    ]
    scopes = found.design.scopes
    assert not Bgp.owned("neighbor 10.255.254.9", scopes["leaf01"])
    assert Bgp.owned("neighbor 10.255.254.8", scopes["leaf01"])
    assert not Links.owned("Ethernet504", scopes["leaf02"])


def test_three_tiers_with_planes_and_nics_in_both_of_them(seen: Ask) -> None:
    found = seen("planes")
    roles = Counter(f"{found.network.nodes[link.a.node].role} {link.b.node[:2]}" for link in found.network.links)
    assert roles == {"gpu p1": 16, "gpu p2": 16, "leaf p1": 8, "leaf p2": 8, "spine su": 16}
    assert subset(
        {
            "p1-leaf01:Ethernet256": "p1-spine01:Ethernet0",
            "p1-leaf01:Ethernet264": "p1-spine03:Ethernet0",
            "p1-leaf03:Ethernet256": "p1-spine01:Ethernet8",
            "p1-leaf02:Ethernet256": "p1-spine02:Ethernet0",
            "p1-spine01:Ethernet256": "superspine01:Ethernet0",
            "p1-spine03:Ethernet264": "superspine03:Ethernet8",
            "p2-spine01:Ethernet256": "superspine01:Ethernet32",
            "p2-spine04:Ethernet264": "superspine04:Ethernet40",
            "p1-gpu02:nic1p1": "p1-leaf01:Ethernet4",
            "p2-gpu03:nic2p2": "p2-leaf04:Ethernet8",
        },
        found.ends,
    )
    nodes = found.network.nodes
    planes = {name: nodes[name].plane for name in ("p1-leaf02", "p1-leaf03", "p2-spine04", "superspine03")}
    assert planes == {"p1-leaf02": 2, "p1-leaf03": 1, "p2-spine04": 2, "superspine03": 1}
    assert [found.router(name).asn for name in ("p1-spine01", "p2-spine04", "p2-leaf01", "p2-leaf04")] == [
        65000,
        65001,
        4200000032,
        4200000035,
    ]
    assert found.addresses("p2-spine01")[0] == "lo 10.255.16.17/32"
    assert found.addresses("p2-leaf04")[0] == "lo 10.255.32.36/32"
    # p2-leaf04 is place 35 of its role: port 2 has /31 number 35 * 64 + 1 = 2241, 4482 addresses on
    assert "nic2p2 10.64.17.131/31" in found.addresses("p2-gpu03")
    assert found.addresses("p1-gpu02")[0] == "nic1p1 10.64.128.1/31"
    assert "Ethernet256 10.128.0.193/31" in found.addresses("p1-leaf02")
    # spines have block 6 of 10.128.0.0/12, from 10.134.0.0 on; p2-spine04 is place 19: 19 * 64 + 32 = 1248
    assert "Ethernet256 10.134.9.193/31" in found.addresses("p2-spine04")
    assert [found.subscribed(name) for name in ("p1-leaf01", "p2-spine02")] == [1, 1]


def test_a_subnet_per_leaf_and_one_for_leaves_that_bonds_join(seen: Ask) -> None:
    found = seen("layer2")
    assert found.addresses("gpu01") == ["nic1 10.64.0.2/26", "nic2 10.64.0.4/26"]
    assert found.addresses("gpu03")[0] == "nic1 10.64.0.66/26"
    assert found.addresses("leaf02")[1] == "vlan110 10.64.0.65/26"
    assert found.addresses("nas02") == ["bond1 10.64.16.3/26"]
    for tor in ("tor01", "tor02"):
        assert found.addresses(tor)[1] == "vlan110 10.64.16.1/26"
        assert found.network.nodes[tor].settings.rows(Vlans) == {"bond1": Vlan(110), "bond2": Vlan(110)}
        assert "network 10.64.16.0/26" in found.network.nodes[tor].settings.rows(Bgp)
    assert set(found.network.nodes["leaf01"].settings.rows(Vlans)) == {f"Ethernet{port}/1" for port in (1, 2, 3, 4)}
    assert found.ends["tor01:Ethernet33/1"] == "spine01:Ethernet9/1"
    assert found.ends["nas01:nic1p2"] == "tor02:Ethernet1/1"


def test_ipv6_only(seen: Ask) -> None:
    found = seen("ipv6")
    versions = {
        ip_address(key.partition(" ")[2].partition("/")[0]).version
        for name in found.network.nodes
        for key in found.addresses(name)
    }
    assert versions == {6}
    assert found.addresses("leaf01") == [
        "lo 2001:db8:ff:1000::1/128",
        "swp1 2001:db8:2::/127",
        "swp2 2001:db8:2::2/127",
        "swp33 2001:db8:1::41/127",
        "swp34 2001:db8:1::43/127",
    ]
    assert found.addresses("gpu02") == ["eth1 2001:db8:2::3/127", "eth2 2001:db8:2::83/127"]
    assert [found.router(name).router_id for name in ("spine01", "leaf02")] == ["10.254.0.1", "10.254.16.2"]
    peers = found.network.nodes["leaf01"].settings.rows(Bgp)
    peer = peers["neighbor 2001:db8:1::40"]
    assert isinstance(peer, Neighbor)
    assert (peer.remote_as, peer.activated, peer.activated6) == ("65000", False, True)
    assert list(found.network.nodes["gpu01"].settings.rows(Routes)) == [
        "main 2001:db8:2::/48",
        "main 2001:db8:ff::/48",
        "101 ::/0",
        "102 ::/0",
    ]
    assert found.subscribed("leaf01") == 1
