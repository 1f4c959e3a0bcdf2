"""Clashes: given addresses that other ports have as well, and given prefixes that others lie in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_network
from typing import TYPE_CHECKING

from fabric.design.bonds import bonded
from fabric.design.faults import Gathered, fault
from fabric.design.layout import Switch
from fabric.design.overrides import path_of

if TYPE_CHECKING:
    from fabric.design.addressing import Pair
    from fabric.design.blueprint import Blueprint
    from fabric.design.layout import Attachment, Wire
    from fabric.errors import DesignError
    from fabric.places import Place


@dataclass(frozen=True, slots=True)
class Claim:
    """An address or prefix, who has it, and where it is given: at a line, or for a switch; ``None`` if computed."""

    what: str
    owner: str
    given: Place | Switch | None


def check_clashes(blueprint: Blueprint) -> None:
    """Raise DesignError for all given addresses and prefixes that meet others."""
    if not _any_given(blueprint):
        return
    faults = Gathered()
    owners: dict[str, Claim] = {}
    for claim in _addresses(blueprint):
        other = owners.setdefault(claim.what, claim)
        if (claim.given or other.given) and claim.owner != other.owner:
            with faults:
                raise _clash(blueprint, claim, other, "it")
    faults.end()
    for claim, other in _nested(blueprint):
        with faults:
            raise _clash(blueprint, claim, other, f"{other.what}, which overlaps it,")
    faults.end()


def _any_given(blueprint: Blueprint) -> bool:
    layout = blueprint.layout
    cables = any(line.from_address for line in blueprint.document.cables)
    return cables or any(switch.given.loopback for switch in layout.switches)


def _addresses(blueprint: Blueprint) -> Iterator[Claim]:
    yield from _loopbacks(blueprint)
    for wire, pairs in blueprint.links.items():
        for pair in pairs:
            line = _line(wire, pair)
            yield Claim(pair.lower, f"{wire.lower.name}:{wire.lower_port}", line)
            yield Claim(pair.upper, f"{wire.upper.name}:{wire.upper_port}", line)
    for row, pairs in blueprint.edges.items():
        shared = blueprint.pools.vlan is not None
        for pair in pairs:
            line = _line(blueprint.ways[row][0], pair)
            yield Claim(pair.lower, f"{'bond' if bonded(row) else 'NIC'} {row.nic + 1} of {row.host.name}", line)
            who = f"subnet {pair.prefix}" if shared else f"NIC {row.nic + 1} of {row.host.name}"
            yield Claim(pair.upper, f"the gateway of {who}", line)


def _loopbacks(blueprint: Blueprint) -> Iterator[Claim]:
    for switch in blueprint.layout.switches:
        given = {str(address) for address in switch.given.loopback or ()}
        for address in blueprint.pools.loopback(switch):
            yield Claim(address, f"loopback of {switch.name}", switch if address in given else None)


def _nested(blueprint: Blueprint) -> Iterator[tuple[Claim, Claim]]:
    """Yield prefixes that overlap others, of which one is given: the given one first."""
    claims = [(ip_network(claim.what), claim) for claim in (*_loopbacks(blueprint), *_prefixes(blueprint))]
    around: list[tuple[int, int, Claim]] = []
    for network, claim in sorted(claims, key=lambda each: (each[0].version, each[0])):
        first, last = int(network.network_address), int(network.broadcast_address)
        while around and (around[-1][0] != network.version or around[-1][1] < first):
            around.pop()
        if around and (claim.given or around[-1][2].given):
            yield (claim, around[-1][2]) if claim.given else (around[-1][2], claim)
        around.append((network.version, last, claim))


def _prefixes(blueprint: Blueprint) -> Iterator[Claim]:
    """Yield the prefixes of cables; of those that share one, such as the ports of a bond, the first."""
    for wire, pairs in blueprint.links.items():
        for pair in pairs:
            owner = f"the link of {wire.lower.name}:{wire.lower_port}"
            yield Claim(pair.prefix, owner, _line(wire, pair))
    seen: set[str] = set()
    for row, pairs in blueprint.edges.items():
        head = blueprint.ways[row][0]
        for pair in pairs:
            key = pair.prefix if blueprint.pools.vlan is not None else f"{pair.lower} {pair.upper}"
            if key not in seen:
                seen.add(key)
                line = _line(head, pair)
                yield Claim(pair.prefix, f"the link of NIC {row.nic + 1} of {row.host.name}", line)


def _line(row: Wire | Attachment, pair: Pair) -> Place | None:
    """Return the line of the list that gives a pair of addresses; ``None`` where it is computed."""
    return row.laid.line if any(str(lower) == pair.lower for lower, _ in row.given) else None


def _clash(blueprint: Blueprint, claim: Claim, other: Claim, which: str) -> DesignError:
    given, met = (claim, other) if claim.given else (other, claim)
    place = path_of(blueprint.document, given.given, "loopback") if isinstance(given.given, Switch) else given.given
    how = "as well" if met.given else "by computation"
    return fault(
        blueprint.document,
        place or "",
        f"{given.what} is given to {given.owner}, and {met.owner} has {which} {how}",
        "give another address, or choose a pool that does not hold it",
    )
