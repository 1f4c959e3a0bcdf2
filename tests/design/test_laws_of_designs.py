"""Laws that every design keeps, asked of random fabrics: what the two ends of a cable say agrees, and so on.

Prefixes, formulas and AS numbers are worked out here again from the texts of keys and origins, by the standard library.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface, ip_network
from random import Random
from typing import Any, TypeAlias

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from fabric.design.model import Design
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Neighbor, Router
from fabric.settings.bonds import Bonds
from fabric.settings.network import End
from fabric.settings.vlans import Vlans
from tests.design.random_fabrics import Shape, built, designed, intent, shapes

Interface: TypeAlias = IPv4Interface | IPv6Interface
_FORMULA = re.compile(r"(/31|/127) number ([0-9+x -]+?)(?: for part \d)? = (\d+) of (\S+) \((\S+), port (\d+)\)")
_BLOCK = re.compile(r"loopback block (\d+) of 16 of (\S+) .* address (\d+) of the block")
_SUBNET = re.compile(r"subnet (\d+) \+ (\d+) of (\S+) ")
_AS = re.compile(r"AS (\d+)(?: = ([0-9+x ]+))?, one (?:for|per)")

_ORDERED = {".topology.switches", ".topology.hosts", ".classes", ".tenants"}

random_fabrics = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def interfaces(found: Design, node: str) -> Mapping[str, list[Interface]]:
    """The addresses of a node by port."""
    ports: dict[str, list[Interface]] = defaultdict(list)
    for key in found.network.nodes[node].settings.rows(Addresses):
        port, _, address = key.partition(" ")
        ports[port].append(ip_interface(address))
    return ports


def logical(found: Design, end: End) -> str:
    """The port of a node that holds the addresses of a cable's end: itself, its bond, or the VLAN of either."""
    node = found.network.nodes[end.node].settings
    port = next((name for name, bond in node.rows(Bonds).items() if end.port in bond.members), end.port)
    vlan = node.rows(Vlans).get(port)
    return port if vlan is None else f"vlan{vlan.id}"


def router(found: Design, node: str) -> Router:
    row = found.network.nodes[node].settings.rows(Bgp)["router"]
    assert isinstance(row, Router)
    return row


def owners(found: Design) -> Mapping[str, list[tuple[str, str]]]:
    """All who have an address: node and port."""
    held: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name in found.network.nodes:
        for port, rows in interfaces(found, name).items():
            for row in rows:
                held[str(row.ip)].append((name, port))
    return held


@random_fabrics
@given(shapes())
def test_both_ends_of_a_cable_are_in_one_prefix_of_each_family(grown: tuple[Shape, Shape]) -> None:
    found = built(grown[1])
    for link in found.network.links:
        lower, upper = (interfaces(found, end.node).get(logical(found, end), []) for end in (link.a, link.b))
        numbered = found.network.nodes[link.a.node].kind == "host" or grown[1].numbered
        families = {4: [4], 6: [6], 46: [4, 6]}[grown[1].family] if numbered else []
        assert [row.version for row in lower] == [row.version for row in upper] == families, link
        for one, other in zip(lower, upper, strict=True):
            assert one.network == other.network
            assert one.ip != other.ip
            if one.version == 4 and one.network.prefixlen < 31:
                assert not {one.ip, other.ip} & {one.network.network_address, one.network.broadcast_address}


@random_fabrics
@given(shapes())
def test_an_address_is_one_ports_unless_it_is_a_gateway_of_bonds(grown: tuple[Shape, Shape]) -> None:
    found = built(grown[1])
    shared = {address: held for address, held in owners(found).items() if len(held) > 1}
    for address, held in shared.items():
        bonds = [found.network.nodes[node].settings.rows(Bonds) for node, _ in held]
        assert all(bonds), (address, held)
        assert len({node for node, _ in held}) == len(held)
    ids = Counter(router(found, name).router_id for name, node in found.network.nodes.items() if node.kind == "switch")
    assert max(ids.values()) == 1
    event(f"gateways of bonds: {bool(shared)}")


@random_fabrics
@given(shapes())
def test_every_session_is_with_the_as_number_of_the_peer_that_says_the_same(grown: tuple[Shape, Shape]) -> None:
    found = built(grown[1])
    held = owners(found)
    for name, node in found.network.nodes.items():
        ends = {str(own): far for _, own, far in found.network.links_of[name]}
        for key, row in node.settings.rows(Bgp).items():
            if not isinstance(row, Neighbor):
                continue
            peer = key.removeprefix("neighbor ")
            if row.interface:
                assert router(found, ends[f"{name}:{peer}"].node).asn != router(found, name).asn
                continue
            (other, port) = held[peer][0]
            assert row.remote_as == str(router(found, other).asn) != str(router(found, name).asn)
            back = next(row for row in interfaces(found, other)[port] if str(row.ip) == peer)
            mine = [str(row.ip) for rows in interfaces(found, name).values() for row in rows if row.ip in back.network]
            peers = found.network.nodes[other].settings.rows(Bgp)
            assert any(f"neighbor {address}" in peers for address in mine)


@random_fabrics
@given(shapes())
def test_leaves_of_one_bond_and_no_others_share_a_system_id(grown: tuple[Shape, Shape]) -> None:
    found = built(grown[1])
    ids: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for name, node in found.network.nodes.items():
        for bond, row in node.settings.rows(Bonds).items() if node.kind == "host" else ():
            for far in (far for _, own, far in found.network.links_of[name] if own.port in row.members):
                leaf = found.network.nodes[far.node].settings.rows(Bonds)
                ids[str(next(each.system_id for each in leaf.values() if far.port in each.members))].add((name, bond))
    assert all(len(bonds) == 1 for bonds in ids.values())
    assert len(set.union(set(), *ids.values())) == len(ids)
    event(f"bonds: {bool(ids)}")


def numbers(found: Design, path: str) -> Iterator[tuple[str, str]]:
    """What an origin works out, and what the row says."""
    reason = found.origins[path].reason
    key = path.rpartition(" ")[2]
    formula, block, subnet, asn = (each.search(reason) for each in (_FORMULA, _BLOCK, _SUBNET, _AS))
    if formula is not None:
        index = sum(_product(part) for part in formula[2].replace("- 1", "+ -1").split("+"))
        pool = ip_network(formula[4])
        assert index == int(formula[3])
        yield str(pool.network_address + 2 * index), str(ip_address(int(ip_address(key.partition("/")[0])) & ~1))
    elif block is not None:
        pool = ip_network(block[2])
        start = (int(block[1]) - 1) * (pool.num_addresses // 16)
        yield str(pool.network_address + start + int(block[3])), key.partition("/")[0]
    elif subnet is not None:
        network = ip_interface(key).network
        pool = ip_network(subnet[3])
        index = int(subnet[1]) + int(subnet[2])
        yield (
            str(pool.network_address + (index << (network.max_prefixlen - network.prefixlen))),
            str(network.network_address),
        )
    elif asn is not None:
        total = sum(map(_product, (asn[2] or asn[1]).split("+")))
        yield str(total), str(router(found, path.partition(".")[0]).asn)


def _product(text: str) -> int:
    one, _, other = text.partition("x")
    return int(one) * int(other or 1)


@random_fabrics
@given(shapes())
def test_every_origin_has_a_place_and_works_out_what_the_row_says(grown: tuple[Shape, Shape]) -> None:
    found = built(grown[0])
    checked = Counter[str]()
    for path, origin in found.origins.items():
        assert origin.place is not None, path
        assert origin.reason
        for worked_out, said in numbers(found, path):
            assert worked_out == said, (path, origin.reason)
            checked[path.split(".")[1]] += 1
    assert checked["addresses"] == sum(len(node.settings.rows(Addresses)) for node in found.network.nodes.values())
    assert checked["bgp"] >= sum(node.kind == "switch" for node in found.network.nodes.values())


def shuffled(raw: Any, random: Random, path: str = "") -> Any:
    """An intent with the keys of its mappings in another order, but for names of roles and classes, which give one."""
    if isinstance(raw, list):
        return [shuffled(each, random, path) for each in raw]
    if not isinstance(raw, Mapping):
        return raw
    keys = list(raw)
    if path not in _ORDERED:
        random.shuffle(keys)
    return {key: shuffled(raw[key], random, f"{path}.{key}") for key in keys}


@random_fabrics
@given(shapes(), st.randoms(use_true_random=False))
def test_the_order_of_keys_that_give_none_does_not_matter(grown: tuple[Shape, Shape], random: Random) -> None:
    raw = intent(grown[0])
    mixed = shuffled(raw, random)
    one, other = designed(raw), designed(mixed)
    assert one.network == other.network
    assert (one.rails, one.classes, one.scopes, one.tenants) == (
        other.rails,
        other.classes,
        other.scopes,
        other.tenants,
    )
    event(f"other order: {list(raw) != list(mixed)}")


@random_fabrics
@given(shapes(), st.data())
def test_a_node_that_is_removed_takes_its_cables_along_and_moves_nothing(
    grown: tuple[Shape, Shape], data: st.DataObject
) -> None:
    before = built(grown[0])
    role = data.draw(st.sampled_from(sorted({node.role for node in before.network.nodes.values()})))
    gone = data.draw(st.sampled_from([name for name, node in before.network.nodes.items() if node.role == role]))
    after = built(grown[0], {gone: {"state": "removed"}})
    assert list(after.network.nodes) == [name for name in before.network.nodes if name != gone]
    assert after.network.links == tuple(link for link in before.network.links if gone not in {link.a.node, link.b.node})
    for name, node in after.network.nodes.items():
        was = before.network.nodes[name]
        assert (node.plane, node.pod) == (was.plane, was.pod)
        for facet in (Addresses, Bgp):
            left, had = node.settings.rows(facet), was.settings.rows(facet)
            assert left.items() <= had.items()
        for bond, row in node.settings.rows(Bonds).items():
            assert row.system_id == was.settings.rows(Bonds)[bond].system_id
    event(f"removed: {role}")


@random_fabrics
@given(shapes(), st.data())
def test_another_name_changes_names_only(grown: tuple[Shape, Shape], data: st.DataObject) -> None:
    before = built(grown[0])
    place = data.draw(st.sampled_from(list(before.network.nodes)))
    after = built(grown[0], {place: {"name": "tor-7.dc1.example"}})
    names = {name: "tor-7.dc1.example" if name == place else name for name in before.network.nodes}
    assert list(after.network.nodes) == list(names.values())
    for name, node in before.network.nodes.items():
        assert after.network.nodes[names[name]].settings == node.settings
        assert all(after.origins[path].place is not None for path in after.origins.of(names[name]))
    assert after.places == {"tor-7.dc1.example": place}
