"""Every leaf has a route to every prefix of hosts that cables lead to.

What it does
    Follows what BGP makes of the settings: which prefixes of hosts are announced, over which sessions they are told,
    and by whom they are taken. Reports leaves that lack a route to prefixes behind other leaves that cables join with
    them, and addresses towards hosts whose prefix their leaf does not announce.

Why
    All links are up and all sessions that are there too, and still packets to these hosts have nowhere to go: they are
    dropped at the leaf, and jobs that span it hang.

Fails
    A leaf whose sessions are shut. Two leaves with one AS number. ``network 10.64.0.0/31`` missing on the leaf.

Passes
    What is designed. Rails, or planes, without a switch in common. A subnet that is announced for all hosts of a leaf.

Options
    None.

Known limits
    Redistribution of connected routes, filters and external neighbours are not known. Planned switches, and links that
    are switched off, do not join leaves. Prefixes of switches with the leaf's own AS number are left to
    routing.shared-as, and ports with several cables to cabling.port-used-twice.

Source
    RFC 4271 section 9.1 (what a speaker selects, and what it passes on); RFC 7938 section 5.2. Catalogue code C13.

Since
    0.3
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_interface, ip_network
from itertools import chain

from fabric.analysis.bgp_routes import bits, converged, destinations
from fabric.analysis.bgp_sessions import Speakers, speakers
from fabric.analysis.joined import joined
from fabric.analysis.logical import bond_of
from fabric.analysis.tiers import shut
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp
from fabric.settings.network import Network
from fabric.settings.vlans import Vlans

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per leaf and family that lacks routes, and per address whose prefix is not announced."""
    found = speakers(network)
    part = _parts(network, found)
    behind = Counter(found.announced.values())
    for family in found.families:
        there = destinations(found, family)
        known = converged(found, family, there.at).known
        parts: dict[str, int] = {}
        for name in found.edge:
            parts[part[name]] = parts.get(part[name], 0) | there.at.get(name, 0)
        for name in found.edge:
            lacking = bits(parts[part[name]] & ~known.get(name, 0))
            if missing := [bit for bit in lacking if not _namesakes(found, name, there.origins[bit])]:
                first = missing[0]
                count = sum(behind[there.origins[bit]] for bit in missing)
                total = sum(behind[there.origins[bit]] for bit in bits(parts[part[name]]))
                yield Violation(
                    path=f"{name}.bgp.router",
                    message=f"{name} has no route to {there.prefixes[first]} behind "
                    f"{' and '.join(there.origins[first])}, to which cables lead",
                    measured=f"{total - count} of {total} prefixes",
                    bound=f"{total} prefixes",
                    fix="see whether the sessions on the way are on and let routes pass (bgp ebgp-requires-policy), "
                    "and AS numbers differ from leaf to leaf",
                )
    for name in found.edge:
        yield from _silent(network, name)


def _namesakes(found: Speakers, name: str, origins: Iterable[str]) -> bool:
    """Tell whether all that announce a prefix have the AS number of this speaker: routing.shared-as says so."""
    return all(found.asn[origin] == found.asn[name] for origin in origins)


def _parts(network: Network, found: Speakers) -> Mapping[str, str]:
    """Return for each speaker the one that stands for all that cables join it with."""
    off, own = shut(network), found.asn
    links = (link for link in network.links if link.a not in off and link.b not in off)
    pairs = ((link.a.node, link.b.node) for link in links if link.a.node in own and link.b.node in own)
    return joined(chain(zip(own, own, strict=True), pairs))


def _silent(network: Network, name: str) -> Iterator[Violation]:
    """Yield the addresses towards hosts whose prefix a leaf does not announce."""
    node = network.nodes[name]
    said = {key[8:] for key in node.settings.rows(Bgp) if key.startswith("network ")}
    ends = network.links_of[name]
    cables = Counter(own.port for _, own, _ in ends)
    cabled = (own.port for _, own, far in ends if network.nodes[far.node].kind == "host" and cables[own.port] == 1)
    bonds, vlans = bond_of(node), node.settings.rows(Vlans)
    below = {bonds.get(port, port) for port in cabled}
    ports = below | {f"vlan{vlans[port].id}" for port in below if port in vlans}
    for key in node.settings.rows(Addresses):
        port, _, address = key.partition(" ")
        if port in ports and address not in said and not _covered(address, said):
            yield Violation(
                path=f"{name}.addresses.{key}",
                message=f"{name} has {address} towards hosts on {port}, and announces no prefix that holds it: no "
                "other leaf can reach them",
                measured="no prefix",
                bound=f"network {ip_interface(address).network}",
                fix=f"announce {ip_interface(address).network} on {name}",
            )


def _covered(address: str, said: set[str]) -> bool:
    own = ip_interface(address).network
    if str(own) in said:
        return True
    return any(
        whole.version == own.version and own.subnet_of(whole)  # type: ignore[arg-type]  # of one family
        for whole in map(ip_network, said)
    )
