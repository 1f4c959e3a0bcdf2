"""What loading a configuration does to traffic, from the statements that differ within the scope."""

from __future__ import annotations

from fabric.changes.steps import Impact
from fabric.platforms.parts.frr_bgp import our_peers, peer_of, requires_policy
from fabric.platforms.parts.frr_text import BASE, IPV4, IPV6, BgpBlock, Config
from fabric.settings.scope import Scope


def impact(now: Config, then: Config, scope: Scope) -> tuple[Impact, str]:
    """Return the impact of going from ``now`` to ``then`` and the reason.

    A session flaps when its neighbour goes away or any of its statements but the description changes, and all do with
    another AS number or router id. New neighbours, prefixes, the ECMP width, and BFD where there was none are hitless;
    BFD that ends on one side first takes the session down (seen with 8.4.4).
    """
    old, new = now.router, then.router
    if old is None:
        return Impact.HITLESS, "there was no BGP here before"
    if new is None:
        return Impact.FLAP, "the BGP router goes away with all its sessions"
    reason = _flap(old, new, scope)
    if reason:
        return Impact.FLAP, reason
    if requires_policy(new, then.profile) and not requires_policy(old, now.profile):
        return Impact.DROP, "routes without a policy are dropped"
    return Impact.HITLESS, "no session that exists is touched"


def _flap(old: BgpBlock, new: BgpBlock, scope: Scope) -> str:
    """Say why sessions flap; empty when none does."""
    if old.asn != new.asn:
        return f"the AS number changes from {old.asn} to {new.asn}, all sessions start again"
    if _router_id(old) != _router_id(new) and _peers(old):
        return "the router id changes, all sessions start again"
    flapping = sorted(
        peer for peer in our_peers([old], scope) if _said(old, peer) != _said(new, peer) - _new_bfd(old, peer)
    )
    return f"sessions with {', '.join(flapping)} start again or end" if flapping else ""


def _router_id(router: BgpBlock) -> tuple[str, ...]:
    return tuple(line for line in router.lines(BASE) if line.startswith("bgp router-id "))


def _peers(router: BgpBlock) -> frozenset[str]:
    return frozenset(peer for line in router.lines(BASE) if (peer := peer_of(line)))


def _new_bfd(old: BgpBlock, peer: str) -> frozenset[str]:
    """Return the statement that adds BFD to a session that had none; a session that is there outlives it."""
    return frozenset((f"{BASE} neighbor {peer} bfd",)) - _said(old, peer)


def _said(router: BgpBlock, peer: str) -> frozenset[str]:
    """Return all that is said of a neighbour, apart from its description."""
    return frozenset(
        f"{section} {line}"
        for section in (BASE, IPV4, IPV6)
        for line in router.lines(section)
        if peer_of(line) == peer and not line.startswith(f"neighbor {peer} description ")
    )
