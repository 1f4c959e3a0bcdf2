"""Targets: a node's own text in which our scope is replaced by what was rendered, all else kept as it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fabric.platforms.parts.frr_bgp import (
    NO_DEFAULT_FAMILY,
    activates,
    bgp_rows,
    families,
    group_of,
    is_ours,
    our_peers,
    peer_of,
    requires_policy,
)
from fabric.platforms.parts.frr_text import BASE, IPV4, IPV6, BgpBlock, Config, parse_config
from fabric.settings.bgp import Neighbor
from fabric.settings.facet import ABSENT, Maybe
from fabric.settings.scope import Scope


def target(own: str, rendered_conf: str, scope: Scope, *, width: Maybe[int] = ABSENT) -> str:
    """Return the complete text to load: ``own`` with what ``scope`` owns replaced by what the rendered text says.

    Foreign lines are kept: static routes, foreign neighbours, route-maps, other VRFs and address families. A text that
    says nothing becomes the rendered one. ``width`` is the ECMP width that FRR does not show because it is the default.
    """
    theirs, wanted = parse_config(own), parse_config(rendered_conf)
    if theirs.blank:
        return wanted.text()
    merged = _merged(theirs, wanted, scope)
    if merged is not None and width is not ABSENT:
        merged = BgpBlock(merged.asn, {**merged.sections, **_without_default(merged, width, families(scope))})
    return replace(theirs, router=merged).text()


def _without_default(router: BgpBlock, width: int, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return these address families without the statement of an ECMP width that FRR does not show."""
    return {
        name: tuple(line for line in router.lines(name) if line != f"maximum-paths {width}")
        for name in names
        if name in router.sections
    }


def recorded(own: str, scope: Scope) -> str:
    """Return a frr.conf that says exactly what ``own`` says within the scope, verbatim.

    Peer-groups that our neighbours refer to are repeated for the reader, and so is what other address families say of
    our neighbours; both stay foreign, but the latter comes back with a neighbour that had gone.
    """
    config = parse_config(own)
    router = config.router
    head = (f"frr defaults {config.profile}", "service integrated-vtysh-config", "!")
    if router is None:
        return Config(head, profile=config.profile).text()
    groups = {group_of(router, peer) for peer in our_peers([router], scope)} - {""}
    told = groups | our_peers([router], scope)
    sections = {
        name: tuple(
            line for line in lines if is_ours(name, line, scope) or peer_of(line) in told or line == NO_DEFAULT_FAMILY
        )
        for name, lines in router.sections.items()
    }
    return Config(head, BgpBlock(router.asn, sections), profile=config.profile).text()


def leaving(now: Config, then: Config, scope: Scope) -> tuple[str, ...]:
    """Return our neighbours on interfaces that go away, or start anew, on the way to ``then``; sorted."""
    old, new = now.router, then.router
    if old is None:
        return ()
    stays = new is not None and new.asn == old.asn
    return tuple(
        peer
        for peer in sorted(our_peers([old], scope))
        if any(line.startswith(f"neighbor {peer} interface") for line in old.lines(BASE))
        and not (stays and new is not None and _making(old, peer) == _making(new, peer))
    )


def without(config: Config, peers: tuple[str, ...]) -> Config:
    """Return a configuration in which nothing is said of these neighbours any more."""
    if config.router is None or not peers:
        return config
    sections = {
        name: tuple(line for line in lines if peer_of(line) not in peers)
        for name, lines in config.router.sections.items()
    }
    return replace(config, router=replace(config.router, sections=sections))


def bared(now: Config, then: Config, scope: Scope) -> Config:
    """Return ``now`` without the attributes of our neighbours that go away, or start anew, on the way to ``then``.

    frr-reload deletes such a neighbour first and then fails to delete what had been said of it. Going through this text
    avoids that; it equals ``now`` when there is nothing to take off.
    """
    old = now.router
    if old is None or then.router is None or old.asn != then.router.asn:
        return now
    leaving = {peer for peer in our_peers([old], scope) if _making(old, peer) != _making(then.router, peer)}
    lines = tuple(line for line in old.lines(BASE) if peer_of(line) not in leaving or _makes(line))
    return replace(now, router=replace(old, sections={**old.sections, BASE: lines}))


def _making(router: BgpBlock, peer: str) -> tuple[str, ...]:
    return tuple(line for line in router.lines(BASE) if peer_of(line) == peer and _makes(line))


def _makes(line: str) -> bool:
    """Tell whether a statement makes a neighbour, rather than saying something of it."""
    words = line.split(" ")
    return words[0] == "neighbor" and words[2] in {"interface", "remote-as", "peer-group"}


def _merged(theirs: Config, wanted: Config, scope: Scope) -> BgpBlock | None:
    """Put our statements of ``wanted`` into the router of ``theirs``; none when nothing would be left in it."""
    old, new = theirs.router, wanted.router
    if old is None and new is None:
        return None
    keeper = old if old is not None else BgpBlock(0, {BASE: _family_default(new)})
    ours = _ours(wanted, theirs.profile, scope, keeper)
    gone = our_peers([old], scope) - our_peers([new], scope)
    sections = {name: _foreign(keeper, name, scope, gone) for name in keeper.sections}
    if new is None and not any(_tells(line) for lines in sections.values() for line in lines):
        return None
    sections[BASE] = _ordered(sections[BASE], ours[BASE])
    for name, lines in ours.items():
        had = sections.get(name, ())
        if name != BASE and (lines or name in sections):
            sections[name] = (*had, *(line for line in lines if line not in had))
    return BgpBlock(new.asn if new is not None else keeper.asn, sections)


def _tells(line: str) -> bool:
    """Tell whether a statement is a reason for a router to be there; how neighbours begin is none, without them."""
    return line != NO_DEFAULT_FAMILY


def _family_default(router: BgpBlock | None) -> tuple[str, ...]:
    return () if activates(router) else (NO_DEFAULT_FAMILY,)


def _ours(wanted: Config, profile: str, scope: Scope, keeper: BgpBlock) -> dict[str, tuple[str, ...]]:
    """Return our statements of the rendered router, worded for the defaults of the router that they go to."""
    router = wanted.router
    if router is None:
        return {BASE: (), IPV4: ()}
    base = [
        line
        for line in router.lines(BASE)
        if is_ours(BASE, line, scope) and not line.endswith("bgp ebgp-requires-policy")
    ]
    policy = requires_policy(router, wanted.profile)
    if policy != (profile != "datacenter"):
        base.insert(0, f"{'' if policy else 'no '}bgp ebgp-requires-policy")
    own = families(scope)
    ours = {name: (*_of_family(router, name, scope), *_activations(wanted, scope, name, keeper)) for name in own}
    others = {name: _of_our_peers(router, name, scope) for name in router.sections if name not in (BASE, *own)}
    return {BASE: tuple(base), **ours, **others}


def _of_family(router: BgpBlock, family: str, scope: Scope) -> Iterator[str]:
    """Yield our statements of an address family but those that activate neighbours."""
    for line in router.lines(family):
        if is_ours(family, line, scope) and not _activation(router, line):
            yield line


def _of_our_peers(router: BgpBlock, section: str, scope: Scope) -> tuple[str, ...]:
    """Return what another address family says of our neighbours: foreign, but no loss when they come back."""
    peers = our_peers([router], scope)
    return tuple(line for line in router.lines(section) if peer_of(line) in peers)


def _activation(router: BgpBlock, line: str) -> bool:
    """Tell whether a statement activates a neighbour that has no peer-group to inherit from."""
    peer = peer_of(line)
    return bool(peer) and line.endswith(f"{peer} activate") and not group_of(router, peer)


def _activations(wanted: Config, scope: Scope, family: str, keeper: BgpBlock) -> Iterator[str]:
    """Yield what must be said about activation: only what differs from the default of the router it goes to."""
    router = wanted.router
    rows = bgp_rows(wanted)
    for peer in sorted(our_peers([router], scope)):
        row = rows.get(f"neighbor {peer}")
        if router is None or not isinstance(row, Neighbor) or group_of(router, peer):
            continue
        active = row.activated6 if family == IPV6 else row.activated
        if active != activates(keeper, family):
            yield f"{'' if active else 'no '}neighbor {peer} activate"


def _foreign(router: BgpBlock, section: str, scope: Scope, gone: frozenset[str]) -> tuple[str, ...]:
    """Return the statements of a section that are not ours, without those of neighbours that will be gone."""
    return tuple(
        line for line in router.lines(section) if not is_ours(section, line, scope) and peer_of(line) not in gone
    )


def _ordered(foreign: tuple[str, ...], ours: tuple[str, ...]) -> tuple[str, ...]:
    """Order the base: the router's own words, foreign neighbours with their groups, ours, then listen ranges."""
    lines = (*foreign, *ours)
    listens = tuple(line for line in lines if line.startswith("bgp listen "))
    router = tuple(line for line in lines if not peer_of(line) and line not in listens)
    return (*router, *(line for line in foreign if peer_of(line)), *(line for line in ours if peer_of(line)), *listens)
