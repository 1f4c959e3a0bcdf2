"""routes: static routes with gateways, in the main table and in numbered ones, by ``ip route``."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_network

from fabric.changes.change import Steps
from fabric.changes.command import Command, Output
from fabric.changes.delta import Delta
from fabric.changes.steps import Impact, Run
from fabric.platforms.contract import Reader
from fabric.platforms.parts.iproute2 import batch, entries, named
from fabric.settings.routes import NextHop, Route, Routes

# -N: tables by their numbers, whatever names /etc/iproute2/rt_tables gives them.
ROUTE_SHOW = (Command("ip -4 -N -j route show table all"), Command("ip -6 -N -j route show table all"))

_MAIN = "254"
_KERNEL = ("2", "kernel")
_PLAIN_METRICS = (0, 1024)  # what the kernel gives to IPv4 and IPv6 routes that nobody gave a metric


@dataclass(frozen=True, slots=True)
class _Hop:
    gateway: str = ""
    dev: str = ""
    weight: int = 1


@dataclass(frozen=True, slots=True)
class _Route:
    dst: str = ""
    type: str = ""
    gateway: str = ""
    dev: str = ""
    table: str = _MAIN
    protocol: str = ""
    metric: int = 0
    nexthops: tuple[_Hop, ...] = ()

    @property
    def hops(self) -> tuple[NextHop, ...]:
        """The ways out; one that weighs more stands there as often as it weighs."""
        if self.gateway:
            return (NextHop(self.gateway, self.dev),)
        return tuple(NextHop(hop.gateway, hop.dev) for hop in self.nexthops for _ in range(hop.weight) if hop.gateway)

    @property
    def plain(self) -> bool:
        """Whether this is a route of the kind that the facet knows."""
        return not self.type and self.protocol not in _KERNEL and self.metric in _PLAIN_METRICS and bool(self.hops)


def parse_routes(outputs: tuple[Output, ...]) -> Routes:
    """Return unicast routes with gateways; a next hop that weighs more stands there as often as it weighs.

    The default route is ``default`` in IPv4 and ``::/0`` in IPv6.
    """
    rows: dict[str, Route] = {}
    for output in outputs:
        for route in entries(_Route, output):
            if route.plain:
                rows[_key(route)] = Route(route.hops)
    return Routes(rows)


READER = Reader(Routes, ROUTE_SHOW, lambda _, outputs: parse_routes(outputs))


def _key(route: _Route) -> str:
    table = "main" if route.table == _MAIN else route.table
    if route.dst != "default":
        return f"{table} {ip_network(route.dst)}"
    return f"{table} {'::/0' if ':' in route.hops[0].gateway else 'default'}"


def added(delta: Delta) -> Steps:
    """Set new and other ways. The undo sets what was there, and removes what was not."""
    rows = delta.of(Routes)
    wanted = {key: row for key, _, row in rows if row is not None}
    changed = {key: now for key, now, row in rows if now is not None and row is not None}
    new = {key: row for key, row in wanted.items() if key not in changed}
    return Steps(_set(wanted), (*_set(changed), *_remove(new)))


def removed(delta: Delta) -> Steps:
    """Remove routes. The undo sets them again."""
    old = {key: now for key, now, wanted in delta.of(Routes) if wanted is None and now is not None}
    return Steps(_remove(old), _set(old))


def _set(rows: dict[str, Route]) -> tuple[Run, ...]:
    return batch((f"route replace {_spec(key, row)}" for key, row in rows.items()), f"route {named(rows)}")


def _remove(rows: dict[str, Route]) -> tuple[Run, ...]:
    lines = (f"route del {_spec(key, row)}" for key, row in rows.items())
    return batch(lines, f"remove the route {named(rows)}", Impact.DROP, tolerant=True)


def _spec(key: str, route: Route) -> str:
    table, prefix = key.split()
    if len(route.next_hops) == 1:
        return f"{prefix} table {table} {_via(route.next_hops[0])}"
    return f"{prefix} table {table} {' '.join(f'nexthop {_via(hop)}' for hop in route.next_hops)}"


def _via(hop: NextHop) -> str:
    return f"via {hop.gateway} dev {hop.port}"
