"""bgp: the router, its neighbours on our links, and the prefixes that it announces."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, TypeAlias

from fabric.settings.facet import ABSENT, Facet, Maybe

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Router:
    """The BGP process, under ``router``: AS number, router id, ECMP width, multipath over AS paths of equal length.

    ``max_paths`` is the width of IPv4 unicast, ``max_paths6`` that of IPv6 unicast.
    """

    asn: int
    router_id: Maybe[str] = ABSENT
    max_paths: Maybe[int] = ABSENT
    multipath_relax: Maybe[bool] = ABSENT
    requires_policy: Maybe[bool] = ABSENT
    max_paths6: Maybe[int] = ABSENT


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A session, under ``neighbor <port or address>``; ``remote_as`` is a number or ``external``.

    ``activated`` and ``activated6`` say whether it carries IPv4 and IPv6 unicast routes, ``bfd`` that BFD watches it.

    ``extra`` are statements beyond this model in the device's own words (``shutdown``, ``timers 1 3``), sorted;
    designed neighbours have none, so that what is found is shown as a difference and taken away.
    """

    remote_as: str
    interface: bool
    activated: Maybe[bool] = ABSENT
    activated6: Maybe[bool] = ABSENT
    bfd: Maybe[bool] = ABSENT
    extra: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Announced:
    """A prefix that the router announces, under ``network <prefix>``; ``extra`` as with neighbours."""

    extra: tuple[str, ...] = ()


BgpRow: TypeAlias = Router | Neighbor | Announced


@dataclass(frozen=True)
class Bgp(Facet[BgpRow]):
    """BGP of the default VRF, IPv4 and IPv6 unicast."""

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Own the router where any port is ours, neighbours on our ports or pools, prefixes of our pools."""
        kind, _, what = key.partition(" ")
        if kind == "router":
            return bool(scope.ports)
        if kind == "network":
            return scope.covers(str(ip_network(what).network_address))
        return what in scope.ports or (_is_address(what) and scope.covers(what))


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
