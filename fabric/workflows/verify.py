"""Verify: read devices, compare with the design, judge what was read, look at the state, send a little traffic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fabric.changes.reading import Reading
from fabric.changes.wording import grouped
from fabric.checks.contract import Check, Seen
from fabric.checks.runner import checks
from fabric.design.model import Design
from fabric.errors import FabricError
from fabric.platforms.contract import Ping, Pong
from fabric.platforms.lookup import system
from fabric.results import CheckResult, Finding, Status, Verification
from fabric.transport.runner import run as run_all
from fabric.transport.session import Opener, Permitted
from fabric.workflows.mixture import as_read, raised
from fabric.workflows.planning import difference, goal
from fabric.workflows.prepare import Prepared
from fabric.workflows.reading import PROBE, look_all, read_all
from fabric.workflows.states import in_state, judged, present, spared

DRIFT = "settings.match"


@dataclass(frozen=True)
class Look:
    """What verify needs: what is designed, the nodes to look at (none that is planned), and how to reach them."""

    prepared: Prepared
    nodes: tuple[str, ...]
    opener: Opener
    jobs: int

    @property
    def design(self) -> Design:
        """What devices are compared with."""
        return self.prepared.design


def verify(look: Look) -> Verification:
    """Check all nodes of a look; a node that is not reached is a failure, not an error."""
    nodes = {name: look.design.network.nodes[name] for name in look.nodes}
    first = read_all(look.opener, nodes, look.jobs, state=True)
    every = checks()
    pings = {check.id: _pings(check, look) for check in every}
    pongs = _ping(look, tuple(ping for wanted in pings.values() for ping in wanted))
    known = {name: reading.facts for name, reading in first.readings.items()}
    second = look_all(look.opener, nodes, look.jobs, known)
    unreached = {name: error.message for name, error in {**first.failed, **second.failed}.items()}
    results: list[CheckResult] = []
    for check in every:
        seen = Seen(
            look.design,
            second.readings if check.samples == 2 else first.readings,
            first.readings if check.samples == 2 else {},
            tuple(pongs[ping] for ping in pings[check.id] if ping in pongs),
            unreached,
        )
        results.extend(judged((check,), seen))
    drift, unverified = _drift(look, first.readings)
    return Verification(
        look.design.fabric, (*results, *spared(look.design, drift)), _raised(look, first.readings), unverified
    )


def _raised(look: Look, readings: Mapping[str, Reading]) -> tuple[Finding, ...]:
    """Return what network rules find on what was read; nodes in maintenance count as designed."""
    resting = in_state(look.design.network, "maintenance")
    active = {name: reading for name, reading in readings.items() if name not in resting}
    return raised(look.prepared, as_read(look.design, active))


def _pings(check: Check, look: Look) -> tuple[Ping, ...]:
    wanted = check.stimulus(present(look.design)) if check.stimulus is not None else ()
    return tuple(ping for ping in wanted if ping.node in look.nodes)


def _ping(look: Look, pings: Iterable[Ping]) -> Mapping[Ping, Pong]:
    """Send pings from each node in turn; nodes at the same time."""
    by_node: dict[str, list[Ping]] = {}
    for ping in dict.fromkeys(pings):
        by_node.setdefault(ping.node, []).append(ping)

    def one(name: str) -> tuple[Pong, ...]:
        node = look.design.network.nodes[name]
        runs = system(node.kind, node.system)
        if runs.ping is None or runs.pong is None:
            return ()
        session = look.opener.open(name)
        try:
            allowed = Permitted(session, PROBE)
            return tuple(runs.pong(ping, allowed.run(runs.ping(ping))) for ping in by_node[name])
        finally:
            session.close()

    found = run_all(one, tuple(by_node), look.jobs)
    return {pong.ping: pong for got in found.values() if not isinstance(got, FabricError) for pong in got}


def _drift(look: Look, readings: Mapping[str, Reading]) -> tuple[tuple[CheckResult, ...], tuple[str, ...]]:
    """Compare settings with the design: one result per node, and all that is unverified."""
    results = []
    unverified: list[str] = []
    for name, reading in readings.items():
        node = look.design.network.nodes[name]
        try:
            delta = difference(node, reading, goal(look.design, node, reading))
        except FabricError as error:
            results.append(CheckResult(DRIFT, name, Status.ERROR, error.message))
            continue
        unverified.extend(f"{name} {what}" for what in delta.unverified)
        results.extend(
            CheckResult(DRIFT, name, Status.FAIL, f"{facet} {keys}: {said} (found -> designed)")
            for facet, keys, said in grouped(delta.rows)
        )
        if not delta:
            results.append(CheckResult(DRIFT, name, Status.PASS, "set as designed"))
    return tuple(results), tuple(unverified)
