"""What BGP makes of the loss of one link, switch or host: in the moment, and when it has settled.

In the moment of a loss, whoever has lost all its next hops falls back to any other path that it has heard of, while
others still send as before; when all have heard of it, paths are the shortest of those that are left. Packets may meet
switches in either state, so the ways after a loss are those before it, those of the moment and those at the end, all
together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_interface, ip_network

from fabric.analysis.bgp_routes import Cut, Destinations, Hops, Routes, Sets, converged, destinations
from fabric.analysis.bgp_sessions import Speakers
from fabric.analysis.buffer_loops import Ways, circle, ordered, pausing
from fabric.settings.addresses import Addresses
from fabric.settings.network import End, Network


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that is lost, in words; ``gone`` are the destinations that a switch no longer announces."""

    words: str
    cut: Cut = field(default_factory=Cut)
    gone: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Closed:
    """A circle of the buffers of some priorities, as the ports that hold packets, and the loss that closes it."""

    priorities: tuple[int, ...]
    loss: Loss
    ports: tuple[End, ...]


def ways_today(speakers: Speakers, family: int) -> Ways:
    """Return the ways that packets take while nothing is lost."""
    routes = converged(speakers, family, destinations(speakers, family).at)
    return Ways(speakers.tier, speakers.edge, routes.hops, routes.at)


def first_circles(network: Network, speakers: Speakers, family: int) -> Iterator[Closed]:
    """Yield, for each set of priorities that are paused alike, the first loss that closes a circle of buffers."""
    found = destinations(speakers, family)
    if not ordered(speakers):
        yield from closing(network, speakers, family, losses(network, speakers, found))
    elif any(len(names) > 1 for names in found.origins):
        # All ways lead up and then down, except at a leaf that has lost a host and hears that another one has not.
        yield from closing(network, speakers, family, _of_hosts(network, found, 2))


def closing(network: Network, speakers: Speakers, family: int, among: Iterable[Loss]) -> Iterator[Closed]:
    """Yield the same among some losses, by trying each of them until a circle is found for all priorities."""
    channels = dict(pausing(network, speakers))
    routes = converged(speakers, family, destinations(speakers, family).at)
    for loss in among if channels else ():
        fallback = rerouted(routes, loss)
        ways = ways_after(routes, loss, fallback) if fallback else None
        for priorities in tuple(channels) if ways else ():
            if ways and (ports := circle(ways, channels[priorities])):
                yield Closed(priorities, loss, ports)
                del channels[priorities]
        if not channels:
            return


def losses(network: Network, speakers: Speakers, found: Destinations) -> Iterator[Loss]:
    """Yield every loss of one link, switch or host; links that others stand beside change no path."""
    for name, neighbors in speakers.hears.items():
        for far, session in neighbors.items():
            if len(session.ends) == 1 and (name < far or name not in speakers.hears[far]):
                end = session.ends[0]
                yield Loss(f"the link {end} to {network.ends[end][1]}", Cut(pair=frozenset((name, far))))
    for name in speakers.asn:
        yield Loss(f"the switch {name}", Cut(node=name))
    yield from _of_hosts(network, found, 1)


def _of_hosts(network: Network, found: Destinations, leaves: int) -> Iterator[Loss]:
    """Yield losses of a host, and of one of its links, with so many leaves at least; one for all with equal leaves."""
    for bit, names in enumerate(found.origins):
        prefix = found.prefixes[bit]
        if len(names) < leaves or not _routed(network, names, prefix):
            continue
        for name in names if len(names) > 1 else ():
            yield Loss(f"the link from {name} to the host of {prefix}", gone={name: 1 << bit})
        yield Loss(f"the host of {prefix}", gone=dict.fromkeys(names, 1 << bit))


def _routed(network: Network, names: tuple[str, ...], prefix: str) -> bool:
    """Tell whether a prefix stands on ports of its own, and is lost with their links; that of a VLAN stays."""
    keys = (key for name in names for key in network.nodes[name].settings.rows(Addresses))
    vlans = (key.partition(" ")[2] for key in keys if key[:4].lower() == "vlan")
    return all(ip_interface(address).network != ip_network(prefix) for address in vlans)


def rerouted(routes: Routes, loss: Loss) -> Hops:
    """Return the ways to which switches fall back in the moment of a loss; none where there are other ways left."""
    lost = _lost(routes, loss)
    found: Hops = {}
    for name, some in lost.items():
        for far, spare in routes.spare(name).items():
            if not loss.cut.severs(name, far) and spare & some:
                found.setdefault(name, {})[far] = spare & some
    return found


def _lost(routes: Routes, loss: Loss) -> Sets:
    """Return the destinations to which switches have no next hop any more, or that they no longer announce.

    Only those are followed to which somebody could fall back.
    """
    lost: Sets = {name: some & routes.spared for name, some in loss.gone.items()}
    pending: Sets = {}
    node, pair = loss.cut.node, loss.cut.pair
    for name in routes.users.get(node, ()) if node else pair:
        for far in (node,) if node else pair - {name}:
            if some := routes.hops[name].get(far, 0) & routes.spared:
                pending[name] = some
    for name, some in tuple(lost.items()):
        _tell(routes, name, some, pending)
    while pending:
        told, pending = pending, {}
        for name, some in told.items():
            if new := _without_ways(routes, loss, name, some & ~lost.get(name, 0), lost):
                lost[name] = lost.get(name, 0) | new
                _tell(routes, name, new, pending)
    return lost


def _without_ways(routes: Routes, loss: Loss, name: str, some: int, lost: Sets) -> int:
    """Return those of some destinations to which a switch has no next hop that still has a way itself."""
    for far, ways in routes.hops[name].items():
        if not some:
            return 0
        if some & ways and not loss.cut.severs(name, far):
            some &= ~ways | lost.get(far, 0)
    return some


def _tell(routes: Routes, name: str, some: int, pending: Sets) -> None:
    for user in routes.users.get(name, ()):
        if concerned := routes.hops[user][name] & some:
            pending[user] = pending.get(user, 0) | concerned


def ways_after(routes: Routes, loss: Loss, fallback: Hops) -> Ways:
    """Return all ways that packets may take from the moment of a loss on."""
    speakers, cut = routes.speakers, loss.cut
    at = {name: some & ~loss.gone.get(name, 0) for name, some in routes.at.items() if name != cut.node}
    after = converged(speakers, routes.family, at, cut)
    hops: Hops = {name: {} for name in speakers.asn if name != cut.node}
    for state in (routes.hops, fallback, after.hops):
        for name, ways in state.items():
            for far, some in ways.items():
                if not cut.severs(name, far):
                    hops[name][far] = hops[name].get(far, 0) | some
    return Ways(speakers.tier, tuple(name for name in speakers.edge if name != cut.node), hops, at)
