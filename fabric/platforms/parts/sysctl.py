"""sysctl: kernel parameters of routing, read from /proc/sys and set by ``sysctl``."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.changes.change import Steps
from fabric.changes.command import Command, Effect, Output
from fabric.changes.delta import Delta
from fabric.changes.reading import Reading
from fabric.changes.steps import Impact, Run
from fabric.errors import PlatformError
from fabric.platforms.contract import Reader
from fabric.platforms.parts.iproute2 import named
from fabric.settings.sysctl import Parameter, Sysctl

# What a router or a host with several rails may need. Reading all of /proc/sys would take thousands of files on a
# switch, and some of them are secrets.
_READ = (
    "ipv4/ip_forward",
    "ipv4/fib_multipath_hash_policy",
    "ipv4/fib_multipath_use_neigh",
    "ipv4/ip_local_port_range",
    "ipv4/tcp_ecn",
    "ipv6/fib_multipath_hash_policy",
    "core/rmem_max",
    "core/wmem_max",
    "core/netdev_max_backlog",
    *(
        f"ipv4/conf/*/{name}"
        for name in (
            "accept_local", "arp_announce", "arp_filter", "arp_ignore", "forwarding", "ignore_routes_with_linkdown",
            "promote_secondaries", "rp_filter", "src_valid_mark",
        )
    ),
    *(
        f"ipv6/conf/*/{name}"
        for name in ("accept_ra", "disable_ipv6", "forwarding", "ignore_routes_with_linkdown", "keep_addr_on_down")
    ),
)  # fmt: skip
SYSCTL_SHOW = Command(f"cd /proc/sys/net && grep -s '' {' '.join(_READ)} || :")

_FORWARDING = ("net.ipv4.ip_forward", "net.ipv4.conf.all.forwarding", "net.ipv6.conf.all.forwarding")


def parse_sysctl(output: Output) -> Sysctl:
    """Return the parameters that are read, with single blanks between several numbers."""
    rows = {}
    for line in output.text.splitlines():
        path, colon, value = line.partition(":")
        if colon and "." not in path:
            rows[f"net.{path.replace('/', '.')}"] = Parameter(" ".join(value.split()))
    return Sysctl(rows)


READER = Reader(Sysctl, (SYSCTL_SHOW,), lambda _, outputs: parse_sysctl(outputs[0]))


def steps(reading: Reading, delta: Delta) -> Steps:
    """Set parameters; the undo sets the values that were read.

    The forwarding switches come first both ways, because the kernel resets the ports' own parameters with them.
    """
    now: dict[str, str] = {}
    wanted: dict[str, str] = {}
    for key, was, is_wanted in delta.of(Sysctl):
        if was is None or is_wanted is None:
            raise _unsettable(reading.node, key)
        now[key], wanted[key] = was.value, is_wanted.value
    return Steps(_set(wanted), _set(now))


def _unsettable(node: str, key: str) -> PlatformError:
    return PlatformError(
        f"kernel parameter {key} does not exist, or is not one of those that are read",
        where=node,
        hint=f"look for /proc/sys/{key.replace('.', '/')} on the node; read are: {', '.join(_READ)} below net/",
    )


def _set(values: Mapping[str, str]) -> tuple[Run, ...]:
    if not values:
        return ()
    order = sorted(values, key=lambda key: (key not in _FORWARDING, key))
    stops = any(values[key] == "0" for key in values if key in _FORWARDING)
    command = Command(
        f"sysctl -q -w {' '.join(_quoted(key, values[key]) for key in order)}",
        Effect.WRITES,
    )
    return (Run(why=f"set {named(order)}", impact=Impact.DROP if stops else Impact.HITLESS, command=command),)


def _quoted(key: str, value: str) -> str:
    return f"{key}={value}" if " " not in value else f"'{key}={value}'"
