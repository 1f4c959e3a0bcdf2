"""Who tells whom of routes: the BGP sessions between switches that their settings make, and what they announce.

A session is there when both ends of a link that is on name each other, with the AS number that the other end has, and
neither says ``shutdown``. Numbered neighbours are found by the addresses of the far port, and of VLANs and bonds over
it. Sessions within one AS number, and those that do not run along a cable, are not followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from fabric.analysis.logical import holder
from fabric.analysis.tiers import shut
from fabric.settings.addresses import Addresses, by_port
from fabric.settings.bgp import Bgp, BgpRow, Neighbor, Router
from fabric.settings.network import End, Link, Network, Node, once

FAMILIES = (4, 6)
_FILTERS = ("route-map", "prefix-list", "filter-list", "distribute-list")
_HIDING = ("as-override", "remove-private-AS")
_OF_BOTH = {
    (four, six): frozenset(number for number, said in zip(FAMILIES, (four, six), strict=True) if said)
    for four in (False, True)
    for six in (False, True)
}
_DEFAULTS = ("0.0.0.0/0", "::/0")


@dataclass(frozen=True, slots=True)
class Session:
    """What a switch hears from a neighbour, over the ends (of its own) of the links between them.

    ``lax`` says that paths which hold its own AS number are taken all the same (``allowas-in``), or do not show it
    (``as-override`` and ``remove-private-AS`` of the neighbour). ``families`` are 4, 6 or both.
    """

    ends: tuple[End, ...]
    lax: bool
    families: frozenset[int]


@dataclass(frozen=True)
class Speakers:
    """Switches that speak BGP: their AS numbers, tiers, and per switch the neighbours that it hears.

    ``announced`` holds per prefix of hosts the switches that announce it, ``edge`` the switches with hosts.
    """

    asn: Mapping[str, int]
    tier: Mapping[str, int]
    hears: Mapping[str, Mapping[str, Session]]
    announced: Mapping[str, tuple[str, ...]]
    edge: tuple[str, ...]

    @cached_property
    def followed(self) -> frozenset[int]:
        """The AS numbers that must be followed along paths: of several switches, or of one that a neighbour ignores.

        Any other number is that of one switch that all its neighbours hear. They use it directly, or not at all.
        """
        several = {number for number, count in Counter(self.asn.values()).items() if count > 1}
        ignored = {
            self.asn[name]
            for name, neighbors in self.hears.items()
            for far, session in neighbors.items()
            if (back := self.hears[far].get(name)) is None or not session.families <= back.families
        }
        return frozenset(several | ignored)

    @cached_property
    def senders(self) -> Mapping[str, Mapping[str, Session]]:
        """Per switch those that hear its routes, and so may send packets to it, with the sessions as they hear them."""
        found: dict[str, dict[str, Session]] = {}
        for name, neighbors in self.hears.items():
            for far, session in neighbors.items():
                found.setdefault(far, {})[name] = session
        return found

    @cached_property
    def families(self) -> tuple[int, ...]:
        """The families of the prefixes of hosts."""
        found = {6 if ":" in prefix else 4 for prefix in self.announced}
        return tuple(family for family in FAMILIES if family in found)


@dataclass(slots=True)
class _Heard:
    """What a switch hears from a neighbour, while links are gone through."""

    ends: list[End] = field(default_factory=list)
    lax: bool = False
    families: frozenset[int] = frozenset()


@once
def speakers(network: Network) -> Speakers:
    """Return who speaks BGP in a network; switches that are planned, or of which no BGP is known, do not."""
    switches = {name: node for name, node in network.nodes.items() if node.kind == "switch" and node.state != "planned"}
    routers = {name: row for name, node in switches.items() if isinstance(row := _rows(node).get("router"), Router)}
    off = shut(network)
    heard: dict[str, dict[str, _Heard]] = {name: {} for name in routers}
    for link in network.links:
        if link.a.node in routers and link.b.node in routers and link.a not in off and link.b not in off:
            _add(network, link, routers, heard)
    edge = tuple(name for name in routers if any(_is_host(network, far) for _, _, far in network.links_of[name]))
    return Speakers(
        asn={name: row.asn for name, row in routers.items()},
        tier={name: switches[name].tier for name in routers},
        hears={
            name: {far: Session(tuple(each.ends), each.lax, each.families) for far, each in neighbors.items()}
            for name, neighbors in heard.items()
        },
        announced=_announced(network, edge),
        edge=edge,
    )


def _rows(node: Node) -> Mapping[str, BgpRow]:
    return node.settings.rows(Bgp)


def _is_host(network: Network, end: End) -> bool:
    return network.nodes[end.node].kind == "host"


def _add(network: Network, link: Link, routers: Mapping[str, Router], heard: Mapping[str, dict[str, _Heard]]) -> None:
    """Add what both ends of a link hear from each other; nothing where there is no session."""
    a, b = link.a, link.b
    low, high = routers[a.node], routers[b.node]
    one = [row for row in neighbors(network, a, b) if _meets(row, low.asn, high.asn)]
    other = [row for row in neighbors(network, b, a) if _meets(row, high.asn, low.asn)]
    families = _families(one) & _families(other)
    if not families:
        return
    said, replied = _extra(one), _extra(other)
    for own, far, mine, theirs in ((a, b, said, replied), (b, a, replied, said)):
        if _passes(routers[own.node], mine, "in") and _passes(routers[far.node], theirs, "out"):
            each = heard[own.node].setdefault(far.node, _Heard())
            each.ends.append(own)
            each.lax = each.lax or _begins(mine, ("allowas-in",)) or _begins(theirs, _HIDING)
            each.families |= families


def neighbors(network: Network, own: End, far: End) -> list[Neighbor]:
    """Return what a switch says of its neighbour on a port: by the port, by its bond, or by an address of the far port.

    Empty where it says nothing.
    """
    node = network.nodes[own.node]
    rows = _rows(node)
    row = rows.get(f"neighbor {own.port}")
    if row is not None:
        return [row] if isinstance(row, Neighbor) else []
    names = (holder(node, own.port), *_addresses(network).get(far, ()))
    return [row for name in names if isinstance(row := rows.get(f"neighbor {name}"), Neighbor)]


@once
def _addresses(network: Network) -> Mapping[End, tuple[str, ...]]:
    """Return the addresses of the ports of switches that have cables, also those of a bond or a VLAN over them."""
    found: dict[End, tuple[str, ...]] = {}
    for name, node in network.nodes.items():
        if node.kind != "switch":
            continue
        held = by_port(node.settings.rows(Addresses))
        for _, own, _ in network.links_of[name]:
            places = dict.fromkeys((own.port, holder(node, own.port)))
            found[own] = tuple(each.partition("/")[0] for place in places for each in held.get(place, ()))
    return found


def _meets(row: Neighbor, own: int, far: int) -> bool:
    """Tell whether a session with this neighbour comes up: it is on, and the AS number is the one expected."""
    if own == far or (row.extra and any(words.split(" ")[0] == "shutdown" for words in row.extra)):
        return False
    return row.remote_as == "external" or _number(row.remote_as) == far


def _number(text: str) -> int | None:
    """Return an AS number, also in the form ``1.10``; ``None`` where it is none."""
    high, dot, low = text.partition(".")
    if not high.isdecimal() or (dot and not low.isdecimal()):
        return None
    return int(high) * 65536 + int(low) if dot else int(high)


def _families(rows: list[Neighbor]) -> frozenset[int]:
    return _OF_BOTH[any(row.activated is not False for row in rows), any(row.activated6 is True for row in rows)]


def _extra(rows: list[Neighbor]) -> list[list[str]]:
    """Return the words of what is said beyond the model, without the address family before them."""
    return [said.rpartition(": ")[2].split(" ") for row in rows for said in row.extra]


def _passes(router: Router, said: list[list[str]], way: str) -> bool:
    """Tell whether routes pass a router that may want a policy first (RFC 8212)."""
    if router.requires_policy is not True:
        return True
    return any(words[0] in _FILTERS and words[-1] == way for words in said)


def _begins(said: list[list[str]], first: tuple[str, ...]) -> bool:
    return any(words[0] in first for words in said) if said else False


def _announced(network: Network, edge: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """Return per prefix that switches with hosts announce, but for loopbacks and default routes, those that do."""
    found: dict[str, tuple[str, ...]] = {}
    for name in edge:
        node = network.nodes[name]
        own = {key[3:] for key in node.settings.rows(Addresses) if key.startswith("lo ")}
        for key in _rows(node):
            if key.startswith("network ") and (prefix := key[8:]) not in own and prefix not in _DEFAULTS:
                found[prefix] = (*found.get(prefix, ()), name)
    return found
