"""links: MTU and administrative state by ``ip link``; the rate of the root class stands for the speed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fabric.changes.change import Steps
from fabric.changes.command import Output
from fabric.changes.delta import Delta
from fabric.changes.reading import Reading
from fabric.changes.steps import Impact, Run
from fabric.errors import PlatformError
from fabric.platforms.contract import Reader
from fabric.platforms.parts.iproute2 import LINK_SHOW, batch, entries, joined, named
from fabric.settings.addresses import Addresses
from fabric.settings.facet import ABSENT
from fabric.settings.links import Links, Port
from fabric.settings.state.ports import Ports, PortState


@dataclass(frozen=True, slots=True)
class _Link:
    ifname: str = ""
    flags: tuple[str, ...] = ()
    mtu: int = 0
    operstate: str = "UNKNOWN"


def port_names(output: Output) -> frozenset[str]:
    """Return the names of all ports that exist, the loopback among them."""
    return frozenset(link.ifname for link in entries(_Link, output) if link.ifname)


def parse_links(output: Output, speeds: Mapping[str, int]) -> Links:
    """Return all ports but the loopback. ``speeds`` are in bit/s; a port that is not in it has none to be known."""
    return Links(
        {
            link.ifname: Port(link.mtu, "UP" in link.flags, speeds.get(link.ifname, ABSENT))
            for link in entries(_Link, output)
            if link.ifname and "LOOPBACK" not in link.flags
        }
    )


def parse_ports(output: Output) -> Ports:
    """Return which ports have light and a partner."""
    return Ports(
        {
            link.ifname: PortState("LOWER_UP" in link.flags and link.operstate in ("UP", "UNKNOWN"))
            for link in entries(_Link, output)
            if link.ifname and "LOOPBACK" not in link.flags
        }
    )


READER = Reader(Links, (LINK_SHOW,), lambda _, outputs: parse_links(outputs[0], {}))
STATE = Reader(Ports, (LINK_SHOW,), lambda _, outputs: parse_ports(outputs[0]))


def raised(reading: Reading, delta: Delta) -> Steps:
    """Set MTUs and bring ports up: before anything that stands on them. The undo puts back what was read."""
    pairs = _pairs(reading.node, delta)
    up = tuple(port for port, now, wanted in pairs if wanted.enabled is True and now.enabled is False)
    return joined((_mtus(pairs), Steps(_up(up, ()), _down(up))))


def lowered(reading: Reading, delta: Delta) -> Steps:
    """Take ports down: after everything that stood on them is gone. The undo brings them up again."""
    down = tuple(
        port for port, now, wanted in _pairs(reading.node, delta) if wanted.enabled is False and now.enabled is True
    )
    return Steps(_down(down), _up(down, _lost_when_down(reading, down)))


_Pair = tuple[str, Port, Port]


def _pairs(node: str, delta: Delta) -> tuple[_Pair, ...]:
    return tuple(_pair(node, *row) for row in delta.of(Links))


def _pair(node: str, port: str, now: Port | None, wanted: Port | None) -> _Pair:
    if now is None:
        raise PlatformError(f"port {port} does not exist", where=node, hint="compare the port names: ip -br link")
    if wanted is None:
        raise PlatformError(
            f"port {port} belonged to the design and no longer does; a port cannot be removed",
            where=node,
            hint="keep the port in the design until it is out of use, or take it out of /var/lib/fabric/scope.json",
        )
    return port, now, wanted


def _mtus(pairs: Iterable[_Pair]) -> Steps:
    changed = [(port, now.mtu, wanted.mtu) for port, now, wanted in pairs if wanted.mtu not in (ABSENT, now.mtu)]
    why = f"set the MTU of {named(port for port, _, _ in changed)}"
    return Steps(
        batch((f"link set dev {port} mtu {wanted}" for port, _, wanted in changed), why),
        batch((f"link set dev {port} mtu {now}" for port, now, _ in changed if now is not ABSENT), f"{why} back"),
    )


def _up(ports: tuple[str, ...], then: tuple[str, ...]) -> tuple[Run, ...]:
    return batch((*(f"link set dev {port} up" for port in ports), *then), f"bring {named(ports)} up")


def _down(ports: tuple[str, ...]) -> tuple[Run, ...]:
    return batch((f"link set dev {port} down" for port in ports), f"bring {named(ports)} down", Impact.FLAP)


def _lost_when_down(reading: Reading, ports: tuple[str, ...]) -> tuple[str, ...]:
    """Return lines for the IPv6 addresses that the kernel forgets when a port goes down."""
    return tuple(
        f"address replace {address} dev {port}"
        for port, _, address in (key.partition(" ") for key in sorted(reading.settings.rows(Addresses)))
        if port in ports and ":" in address
    )
