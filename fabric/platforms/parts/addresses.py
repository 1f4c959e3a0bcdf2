"""addresses: global addresses of ports by ``ip address``; the new one is there before the old one goes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from fabric.changes.change import Steps
from fabric.changes.command import Command, Effect, Output
from fabric.changes.delta import Delta
from fabric.changes.reading import Reading
from fabric.changes.steps import Impact, Run
from fabric.platforms.contract import Reader
from fabric.platforms.parts.iproute2 import batch, entries, named
from fabric.settings.addresses import Address, Addresses

ADDRESS_SHOW = Command("ip -j address show")


@dataclass(frozen=True, slots=True)
class _Info:
    local: str = ""
    prefixlen: int = 0
    scope: str = ""
    temporary: bool = False
    mngtmpaddr: bool = False


@dataclass(frozen=True, slots=True)
class _Link:
    ifname: str = ""
    addr_info: tuple[_Info, ...] = field(default=())


def parse_addresses(output: Output) -> Addresses:
    """Return the global addresses that somebody gave to a port, not those of router advertisements."""
    return Addresses(
        {
            f"{link.ifname} {info.local}/{info.prefixlen}": Address()
            for link in entries(_Link, output)
            for info in link.addr_info
            if info.local and info.scope == "global" and not (info.temporary or info.mngtmpaddr)
        }
    )


READER = Reader(Addresses, (ADDRESS_SHOW,), lambda _, outputs: parse_addresses(outputs[0]))


def added(reading: Reading, delta: Delta) -> Steps:
    """Give new addresses, while the old ones are still there. The undo removes them."""
    there = frozenset(reading.settings.rows(Addresses))
    new = tuple(key for key, now, _ in delta.of(Addresses) if now is None)
    return Steps(_add(new), _remove(new, there))


def removed(reading: Reading, delta: Delta) -> Steps:
    """Remove old addresses. The undo gives them again."""
    rows = delta.of(Addresses)
    old = tuple(key for key, _, wanted in rows if wanted is None)
    stay = {*reading.settings.rows(Addresses), *(key for key, now, _ in rows if now is None)} - set(old)
    return Steps(_remove(old, stay), _add(old))


def _add(keys: tuple[str, ...]) -> tuple[Run, ...]:
    return batch(map(_replace, keys), f"give {named(keys)}")


def _remove(keys: tuple[str, ...], stay: Iterable[str]) -> tuple[Run, ...]:
    """Remove addresses, and none that went with them.

    With the first address of a subnet the kernel removes the others of that subnet too, and with the last address of a
    port its routes, unless it is told to promote one of the others: ports where that matters are told so meanwhile.
    """
    kept = tuple(stay)
    alone = tuple(key for key in keys if not _siblings(key, kept))
    lines = tuple(f"address del {address} dev {port}" for port, address in map(str.split, alone))
    plain = batch(lines, f"remove {named(alone)}", Impact.FLAP, tolerant=True)
    return (*plain, *(_promoting(key) for key in keys if key not in alone))


def _siblings(key: str, kept: tuple[str, ...]) -> bool:
    gone = _interface(key)
    return isinstance(gone, IPv4Interface) and any(
        _port(other) == _port(key) and gone.network == _interface(other).network for other in kept
    )


def _promoting(key: str) -> Run:
    port, address = key.split()
    switch = f"/proc/sys/net/ipv4/conf/{port}/promote_secondaries"
    command = Command(
        f"was=$(cat {switch}); echo 1 >{switch}; ip address del {address} dev {port}; code=$?; "
        f"echo $was >{switch}; exit $code",
        Effect.WRITES,
    )
    return Run(why=f"remove {key}, and keep its neighbours", impact=Impact.FLAP, command=command, codes=(0, 2))


def _replace(key: str) -> str:
    port, address = key.split()
    return f"address replace {address} dev {port}"


def _port(key: str) -> str:
    return key.partition(" ")[0]


def _interface(key: str) -> IPv4Interface | IPv6Interface:
    return ip_interface(key.partition(" ")[2])
