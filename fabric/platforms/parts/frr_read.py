"""Reading FRR: the commands, and what their outputs say about facts, settings, state and the saved configuration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError

from fabric.changes.command import Command, Output
from fabric.changes.rendered import digest_of
from fabric.errors import PlatformError
from fabric.platforms.contract import Outputs, Reader
from fabric.platforms.parts.frr_bgp import bgp_rows
from fabric.platforms.parts.frr_text import FORWARDING_OFF, IPV6, Config, parse_config, parse_running
from fabric.settings.bgp import Bgp, BgpRow, Neighbor, Router
from fabric.settings.facet import ABSENT, Absent
from fabric.settings.facts import Facts
from fabric.settings.persistence import Saved
from fabric.settings.state.paths import Path, Paths
from fabric.settings.state.sessions import Session, Sessions

STARTUP_FILE = "/etc/frr/frr.conf"
VERSION = Command("vtysh -c 'show version'")
DAEMONS = Command("vtysh -c 'show daemons'")
RUNNING = Command("vtysh -c 'show running-config'")
STARTUP = Command(f"cat {STARTUP_FILE}")
SUMMARY = Command("vtysh -c 'show bgp summary json'")
ROUTES = Command("vtysh -c 'show ip route bgp json'")
ROUTES6 = Command("vtysh -c 'show ipv6 route bgp json'")

NO_BGPD = "bgpd is not running"
_START = "start it and look at its log: systemctl restart frr, journalctl -u frr"


def readers() -> tuple[Reader, ...]:
    """Return the readers of settings: `Bgp`."""
    return (Reader(Bgp, (DAEMONS, RUNNING), _bgp),)


def state_readers(facts: Facts) -> tuple[Reader, ...]:
    """Return the readers of state: `Sessions` and `Paths`, with those of IPv6 where BGP speaks of it."""
    routes = (ROUTES, ROUTES6) if IPV6 in facts.features.get("frr.families", "") else (ROUTES,)
    return (Reader(Sessions, (SUMMARY,), _sessions), Reader(Paths, routes, _paths))


FACTS_COMMANDS = (VERSION, DAEMONS, RUNNING)
"""What `features` wants to see, in this order; the outputs serve the readers as well."""


def features(outputs: Outputs) -> Mapping[str, str]:
    """Return features of facts from the outputs of `FACTS_COMMANDS`.

    ``frr.version`` (``8.4.4``), ``frr.multipath`` (the ECMP width without ``maximum-paths``; missing when the build
    does not say), ``frr.daemons`` (names with blanks between), ``frr.defaults`` (the profile), ``frr.families`` (only
    where BGP speaks of IPv6 unicast: ``ipv6 unicast``). PlatformError when no FRR answers.
    """
    version, daemons, running = outputs
    found = re.search(r"^FRRouting (\S+)", version.text, re.MULTILINE)
    if not version.ok or found is None:
        raise PlatformError(
            f"{version.command!r} answered {_first(version)!r} instead of a version of FRR",
            hint="FRR must be installed and running, and the user must be allowed to use vtysh (group frrvty, or root)",
        )
    width = re.search(r"--enable-multipath=(\d+)", version.text)
    config = parse_running(running.text)
    return MappingProxyType(
        {
            "frr.version": found[1],
            **({"frr.multipath": width[1]} if width else {}),
            "frr.daemons": " ".join(_daemons(daemons)),
            "frr.defaults": config.profile,
            **({"frr.families": IPV6} if _speaks_ipv6(config) else {}),
        }
    )


def _speaks_ipv6(config: Config) -> bool:
    return config.router is not None and IPV6 in config.router.sections


def bfd_runs(facts: Facts) -> bool:
    """Tell whether the daemon runs without which statements about BFD are accepted and do nothing."""
    return "bfdd" in facts.features.get("frr.daemons", "").split()


def default_width(facts: Facts) -> int | Absent:
    """Return the ECMP width of a router that says nothing about it."""
    text = facts.features.get("frr.multipath", "")
    return int(text) if text else ABSENT


def saved(startup: Output) -> dict[str, Saved]:
    """Return the persistence rows ``frr.conf <row of bgp>`` of the startup file; none when there is no such file."""
    return digests(startup_text(startup))


def startup_text(startup: Output) -> str:
    """Return the text of the startup file; empty when there is none, PlatformError when it may not be read."""
    if startup.ok:
        return startup.text
    if "No such file" in startup.text + startup.error:
        return ""
    raise PlatformError(
        f"{startup.command!r} answered {_first(startup)!r}",
        hint=f"{STARTUP_FILE} must be readable: log in as root, with sudo, or as a member of the group frr",
    )


def digests(conf: str) -> dict[str, Saved]:
    """Return the persistence rows of a configuration text: one digest for each row that it means.

    What IPv6 unicast adds to a row has one of its own, ``frr.conf ipv6 neighbor swp1``, for it may be foreign where the
    row is not. A statement that switches forwarding off at the next boot is a row as well, which nobody wants.
    """
    config = parse_config(conf)
    rows: dict[str, Saved] = {}
    for key, row in sorted(bgp_rows(config).items()):
        plain, six = _without_ipv6(row)
        rows[f"frr.conf {key}"] = Saved(digest_of(repr(plain)))
        if six:
            rows[f"frr.conf ipv6 {key}"] = Saved(digest_of(six))
    said = {*config.before, *config.after}
    off = {name: Saved(digest_of(line)) for name, line in FORWARDING_OFF.items() if line in said}
    return rows | {f"frr.conf sysctl {name}": row for name, row in off.items()}


def _without_ipv6(row: BgpRow) -> tuple[BgpRow, str]:
    """Return a row with nothing said of IPv6 unicast, and what was said of it; empty when nothing was."""
    match row:
        case Router(max_paths6=int(width)):
            return replace(row, max_paths6=ABSENT), f"maximum-paths {width}"
        case Neighbor(activated6=active):
            return replace(row, activated6=ABSENT), "activate" if active else ""
        case _:
            return row, ""


def _bgp(facts: Facts, outputs: Outputs) -> Bgp | Absent:
    """Parse the router; `ABSENT` while bgpd does not run, because then nobody can say how it is set."""
    daemons, running = outputs
    config = parse_running(running.text)
    running_daemons = _daemons(daemons)
    if "bgpd" not in running_daemons:
        return ABSENT
    rows = bgp_rows(config, default_width(facts))
    return Bgp(rows if "bfdd" in running_daemons else {key: _unwatched(row) for key, row in rows.items()})


def _unwatched(row: BgpRow) -> BgpRow:
    """Return what holds without bfdd: where BFD is said, nobody can tell that it watches."""
    return replace(row, bfd=ABSENT) if isinstance(row, Neighbor) and row.bfd else row


def _daemons(output: Output) -> tuple[str, ...]:
    words = tuple(output.text.split())
    if not output.ok or not words or any(re.fullmatch(r"[a-z0-9]+", word) is None for word in words):
        raise PlatformError(f"{output.command!r} answered {_first(output)!r} instead of names of daemons", hint=_START)
    return tuple(sorted(words))


class _Peer(BaseModel):
    model_config = ConfigDict(frozen=True)

    state: str
    prefixes: int = Field(default=0, alias="pfxRcd")
    dropped: int = Field(default=0, alias="connectionsDropped")


class _Family(BaseModel):
    model_config = ConfigDict(frozen=True)

    peers: dict[str, _Peer] = Field(default_factory=dict)


class _Summary(BaseModel):
    model_config = ConfigDict(frozen=True)

    ipv4: _Family = Field(default_factory=_Family, alias="ipv4Unicast")
    ipv6: _Family = Field(default_factory=_Family, alias="ipv6Unicast")


class _Hop(BaseModel):
    model_config = ConfigDict(frozen=True)

    fib: bool = False
    port: str = Field(default="", alias="interfaceName")


class _Route(BaseModel):
    model_config = ConfigDict(frozen=True)

    selected: bool = False
    hops: list[_Hop] = Field(default_factory=list, alias="nexthops")


class _Routes(RootModel[dict[str, list[_Route]]]):
    pass


def _sessions(facts: Facts, outputs: Outputs) -> Sessions:  # noqa: ARG001  # the contract hands facts to every parser
    """Parse the summary; without bgpd there are no sessions, and that much is known."""
    text = outputs[0].text
    if NO_BGPD in text or NO_BGPD in outputs[0].error:
        return Sessions({})
    try:
        summary = _Summary.model_validate_json(text)
    except ValidationError as error:
        raise _unreadable(outputs[0]) from error
    return Sessions({name: _session(summary, name) for name in sorted({*summary.ipv4.peers, *summary.ipv6.peers})})


def _session(summary: _Summary, name: str) -> Session:
    """Return one session with the prefixes of both families; its state and its losses are the same in each."""
    found = [family.peers[name] for family in (summary.ipv4, summary.ipv6) if name in family.peers]
    return Session(found[0].state, sum(peer.prefixes for peer in found), found[0].dropped)


def _paths(facts: Facts, outputs: Outputs) -> Paths:  # noqa: ARG001  # the contract hands facts to every parser
    found = {prefix: _ports(of) for output in outputs for prefix, of in sorted(_routes(output).items())}
    return Paths({prefix: Path(ports) for prefix, ports in found.items() if ports})


def _routes(output: Output) -> dict[str, list[_Route]]:
    try:
        return _Routes.model_validate_json(output.text).root
    except ValidationError as error:
        raise _unreadable(output) from error


def _ports(routes: list[_Route]) -> tuple[str, ...]:
    """Return the ports through which the selected routes forward."""
    hops = [hop for route in routes if route.selected for hop in route.hops]
    return tuple(sorted({hop.port for hop in hops if hop.fib and hop.port}))


def _unreadable(output: Output) -> PlatformError:
    return PlatformError(
        f"{output.command!r} answered {_first(output)!r} instead of the JSON that FRR 8.4 prints",
        hint="is FRR running? systemctl status frr; another release may print another form",
    )


def _first(output: Output) -> str:
    """Return the first line of an answer, to be quoted."""
    lines = (line.strip() for line in f"{output.text}\n{output.error}".splitlines())
    return next((line for line in lines if line), "nothing")[:80]
