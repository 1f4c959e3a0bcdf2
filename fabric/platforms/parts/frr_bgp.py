"""What BGP statements of FRR mean: rows of the facet, and whose statement a line is.

Choices that are visible in a plan:

* Statements of a peer-group count for each of its members; the group itself is no session and no row.
* What a neighbour or a prefix has beyond our model (shutdown, timers, description, route-map, bfd ...) stands in
  ``extra``, in the words of FRR, so that it shows as a difference and is taken away with it; secrets are masked there.
* ``router_id`` is ``auto`` when no statement sets it; without ``maximum-paths`` the width is what FRR was built with.
* IPv6 unicast is ours where one of the pools in the scope is IPv6. Elsewhere its statements are foreign, also those of
  our neighbours, and so are those of all other address families everywhere.
* What IPv6 unicast says of a neighbour beyond ``activate`` shows in no row, for a reader does not know whose it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from fabric.platforms.parts.frr_text import BASE, IPV4, IPV6, BgpBlock, Config
from fabric.platforms.parts.secrets import masked
from fabric.settings.bgp import Announced, Bgp, BgpRow, Neighbor, Router
from fabric.settings.facet import ABSENT, Maybe
from fabric.settings.scope import Scope

_PEER = re.compile(r"(no )?neighbor (\S+) (.+)")
_OF_ROUTER = re.compile(
    r"bgp router-id \S+|(no )?bgp bestpath as-path multipath-relax|(no )?bgp ebgp-requires-policy|maximum-paths \d+"
)
NO_DEFAULT_FAMILY = "no bgp default ipv4-unicast"
_DEFAULT_FAMILY6 = "bgp default ipv6-unicast"
_WIDTH = re.compile(r"maximum-paths (\d+)")


@dataclass(frozen=True, slots=True)
class _Peer:
    """The statements of one neighbour or peer-group, before inheritance."""

    remote_as: str = ""
    interface: bool = False
    group: str = ""
    is_group: bool = False
    activated: bool | None = None
    activated6: bool | None = None
    bfd: bool | None = None
    extra: frozenset[str] = field(default_factory=frozenset)


def bgp_rows(config: Config, width: Maybe[int] = ABSENT) -> dict[str, BgpRow]:
    """Return all rows of a configuration, ours and foreign; ``width`` is what holds without ``maximum-paths``."""
    router = config.router
    if router is None:
        return {}
    rows: dict[str, BgpRow] = {"router": _router_row(router, config.profile, width)}
    for line in (*router.lines(IPV4), *router.lines(IPV6)):
        if line.startswith("network "):
            _, prefix, *rest = line.split(" ", 2)
            rows[f"network {prefix}"] = Announced(extra=tuple(rest))
    peers = _peers(router)
    for name, peer in peers.items():
        if not peer.is_group:
            rows[f"neighbor {name}"] = _neighbor_row(peer, peers, router)
    return rows


def activates(router: BgpBlock | None, family: str = IPV4) -> bool:
    """Tell whether a router activates a family for neighbours of which nothing is said."""
    if family == IPV6:
        return router is not None and _DEFAULT_FAMILY6 in router.lines(BASE)
    return router is None or NO_DEFAULT_FAMILY not in router.lines(BASE)


def families(scope: Scope) -> tuple[str, ...]:
    """Return the address families of BGP that lie within a scope: IPv6 unicast where a pool is IPv6."""
    return (IPV4, IPV6) if any(prefix.version == 6 for prefix in scope.prefixes) else (IPV4,)


def requires_policy(router: BgpBlock, profile: str) -> bool:
    """Tell whether eBGP needs a policy to let routes pass: said, or as the profile has it."""
    said = [line for line in router.lines(BASE) if line.endswith("bgp ebgp-requires-policy")]
    return not said[-1].startswith("no ") if said else profile != "datacenter"


def peer_of(line: str) -> str:
    """Return the neighbour that a statement is about; empty when it is about none."""
    found = _PEER.fullmatch(line)
    return found[2] if found else ""


def group_of(router: BgpBlock, peer: str) -> str:
    """Return the peer-group of a neighbour; empty when it has none."""
    found = _peers(router).get(peer)
    return found.group if found else ""


def is_ours(section: str, line: str, scope: Scope) -> bool:
    """Tell whether a statement of the BGP router lies within the scope."""
    if section != BASE and section not in families(scope):
        return False
    peer = peer_of(line)
    if peer:
        return Bgp.owned(f"neighbor {peer}", scope)
    if section != BASE and line.startswith("network "):
        return Bgp.owned(f"network {line.split(' ')[1]}", scope)
    return _OF_ROUTER.fullmatch(line) is not None and Bgp.owned("router", scope)


def our_peers(routers: Iterable[BgpBlock | None], scope: Scope) -> frozenset[str]:
    """Return the neighbours within the scope of which any of these routers speaks."""
    return frozenset(
        peer
        for router in routers
        if router is not None
        for line in router.lines(BASE)
        if (peer := peer_of(line)) and Bgp.owned(f"neighbor {peer}", scope)
    )


def _router_row(router: BgpBlock, profile: str, width: Maybe[int]) -> Router:
    ids = [line.split(" ")[2] for line in router.lines(BASE) if line.startswith("bgp router-id ")]
    return Router(
        asn=router.asn,
        router_id=ids[-1] if ids else "auto",
        max_paths=_width(router, IPV4, width),
        multipath_relax="bgp bestpath as-path multipath-relax" in router.lines(BASE),
        requires_policy=requires_policy(router, profile),
        max_paths6=_width(router, IPV6, width),
    )


def _width(router: BgpBlock, family: str, default: Maybe[int]) -> Maybe[int]:
    widths = [int(found[1]) for line in router.lines(family) if (found := _WIDTH.fullmatch(line))]
    return widths[-1] if widths else default


def _neighbor_row(peer: _Peer, peers: Mapping[str, _Peer], router: BgpBlock) -> Neighbor:
    group = peers.get(peer.group, _Peer())
    extra = peer.extra | group.extra
    if peer.interface:
        extra -= {"capability extended-nexthop"}  # on by itself where the neighbour is an interface
    return Neighbor(
        remote_as=peer.remote_as or group.remote_as,
        interface=peer.interface,
        activated=_first(peer.activated, group.activated, activates(router)),
        activated6=_first(peer.activated6, group.activated6, activates(router, IPV6)),
        bfd=_first(peer.bfd, group.bfd, otherwise=False),
        extra=tuple(sorted(extra)),
    )


def _first(own: bool | None, inherited: bool | None, otherwise: bool) -> bool:
    said = [value for value in (own, inherited) if value is not None]
    return said[0] if said else otherwise


def _peers(router: BgpBlock) -> dict[str, _Peer]:
    found: dict[str, _Peer] = {}
    for section in (BASE, IPV4, IPV6):
        for line in router.lines(section):
            statement = _PEER.fullmatch(line)
            if statement:
                name = statement[2]
                peer = found.get(name, _Peer())
                found[name] = _with(peer, section, statement[3], said=not statement[1])
    return found


def _with(peer: _Peer, section: str, words: str, *, said: bool) -> _Peer:
    """Return a peer with one more statement."""
    if section == IPV6:
        return replace(peer, activated6=said) if words == "activate" else peer
    if section == IPV4 and words == "activate":
        return replace(peer, activated=said)
    if section == BASE and words == "bfd":
        return replace(peer, bfd=said)
    return _with_words(peer, section, words) if said else _more(peer, section, f"no {words}")


def _with_words(peer: _Peer, section: str, words: str) -> _Peer:
    first, _, rest = words.partition(" ")
    if first == "remote-as" and section == BASE:
        return replace(peer, remote_as=rest)
    if first == "peer-group":
        return replace(peer, group=rest) if rest else replace(peer, is_group=True)
    if first == "interface" and section == BASE:
        return _interface(replace(peer, interface=True), rest)
    return _more(peer, section, words)


def _interface(peer: _Peer, words: str) -> _Peer:
    rest = words.split()
    while rest:
        word = rest.pop(0)
        if word == "remote-as" and rest:
            peer = replace(peer, remote_as=rest.pop(0))
        elif word == "peer-group" and rest:
            peer = replace(peer, group=rest.pop(0))
        else:
            peer = _more(peer, BASE, f"interface {word}")
    return peer


def _more(peer: _Peer, section: str, words: str) -> _Peer:
    text = words if section == BASE else f"{section}: {words}"
    return replace(peer, extra=peer.extra | {masked(text)})
