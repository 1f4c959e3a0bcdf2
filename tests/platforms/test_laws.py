"""The laws of every system, on the real thing: no delta means no steps, and apply and undo are exact.

A system is found by its folder. Each is given generated settings of all facets that it has, one after the other, in a
throw-away node; each change is made, found equal, undone, found as before, and made again.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any

import pytest

from fabric.changes.change import Steps
from fabric.changes.delta import Delta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.diff.compare import compare
from fabric.platforms.contract import System
from fabric.platforms.lookup import system, systems
from fabric.render import render
from fabric.settings.addresses import Address, Addresses
from fabric.settings.bgp import Announced, Bgp, Neighbor, Router
from fabric.settings.facet import Absent, Facet, Settings
from fabric.settings.links import Links, Port
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.network import Kind
from fabric.settings.persistence import Persistence
from fabric.settings.policy import Lookup, Policy
from fabric.settings.queues import Queue, Queues, Scheduler
from fabric.settings.routes import NextHop, Route, Routes
from fabric.settings.scope import Scope
from fabric.settings.state.ports import Ports
from fabric.settings.sysctl import Parameter, Sysctl

pytestmark = pytest.mark.lab

PORTS = ("swp1", "swp2", "swp3")
FOREIGN = "swp9"
KINDS: tuple[Kind, ...] = ("switch", "host")
LINUX = [(kind, name) for kind in KINDS for name in systems(kind) if system(kind, name).device_type == "linux"]

Dice = random.Random


def _links(dice: Dice) -> Facet[Any]:
    speed = dice.choice((1, 10, 25, 100, 400)) * 10**9
    return Links({port: Port(dice.choice((1500, 4096, 9000)), enabled=True, speed=speed) for port in PORTS})


def _addresses(dice: Dice) -> Facet[Any]:
    found = {f"{port} 10.64.{at}.{dice.choice((1, 3, 5))}/24" for at, port in enumerate(PORTS)}
    more = {f"swp1 10.64.0.{dice.randrange(10, 99)}/24", "lo 10.255.0.1/32", f"swp2 fd00::{dice.randrange(1, 9)}/64"}
    return Addresses(dict.fromkeys(sorted(found | more), Address()))


def _routes(dice: Dice) -> Facet[Any]:
    hops = tuple(NextHop(f"10.64.{at}.254", port) for at, port in enumerate(PORTS))
    everywhere = Route(tuple(dice.sample(hops, dice.choice((1, 2, 3)))))
    return Routes({"main 10.80.0.0/12": everywhere, "101 default": Route((dice.choice(hops),))})


def _policy(dice: Dice) -> Facet[Any]:
    return Policy({f"from 10.64.0.{dice.choice((1, 3, 5))}": Lookup(dice.choice((101, 102)), 1001)})


def _sysctl(dice: Dice) -> Facet[Any]:
    values = {"net.ipv4.ip_forward": "01", "net.ipv4.conf.all.rp_filter": "012", "net.ipv4.conf.swp1.rp_filter": "02"}
    return Sysctl({key: Parameter(dice.choice(allowed)) for key, allowed in values.items()})


def _queue_numbers(dice: Dice) -> list[int]:
    return sorted({0, *dice.sample(range(1, 8), dice.choice((1, 3)))})


def _maps(dice: Dice) -> Facet[Any]:
    numbers = _queue_numbers(Dice(dice.choice("ab")))
    priorities = [dice.choice((0, 3, 6)) if dscp % 7 == 0 else 0 for dscp in range(64)]
    return Maps(dict.fromkeys(PORTS, ClassMap(tuple(priorities), tuple(dice.choice(numbers) for _ in range(8)))))


def _queues(dice: Dice) -> Facet[Any]:
    numbers = _queue_numbers(Dice(dice.choice("ab")))
    limits = (None, 5 * 10**8)
    rows = [Queue(number, dice.randrange(1, 40), limit=dice.choice(limits)) for number in numbers[:-1]]
    rows.append(Queue(numbers[-1], 0, dice.choice((True, False)), None))
    return Queues(dict.fromkeys(PORTS, Scheduler(tuple(rows))))


def _bgp(dice: Dice) -> Facet[Any]:
    ports = dice.sample(PORTS, dice.choice((1, 2)))
    router = Router(dice.choice((65101, 65102)), "10.255.0.1", 64, multipath_relax=True, requires_policy=False)
    neighbours = {f"neighbor {port}": Neighbor("external", interface=True, activated=True) for port in ports}
    return Bgp({"router": router, "network 10.255.0.1/32": Announced(), **neighbours})


GENERATORS: dict[type[Facet[Any]], Callable[[Dice], Facet[Any]]] = {
    Links: _links,
    Addresses: _addresses,
    Routes: _routes,
    Policy: _policy,
    Sysctl: _sysctl,
    Maps: _maps,
    Queues: _queues,
    Bgp: _bgp,
}

SCOPE = Scope(
    ports=frozenset((*PORTS, "lo")),
    prefixes=(ip_network("10.64.0.0/16"), ip_network("10.255.0.0/16")),
    names=frozenset(
        (
            "routes main 10.80.0.0/12",
            "routes 101 default",
            "sysctl net.ipv4.ip_forward",
            "sysctl net.ipv4.conf.all.rp_filter",
            "sysctl net.ipv4.conf.swp1.rp_filter",
        )
    ),
)


def read(node: Any, runs: System) -> Reading:
    outputs: dict[str, Any] = {}

    def ask(commands: Any) -> tuple[Any, ...]:
        for command in commands:
            outputs.setdefault(command.text, node.run(command))
        return tuple(outputs[command.text] for command in commands)

    facts = runs.facts.parse(ask(runs.facts.commands))
    found = [reader.parse(facts, ask(reader.commands)) for reader in runs.readers(facts)]
    settings = Settings(*(facet for facet in found if not isinstance(facet, Absent)))
    return Reading("node", facts, settings, outputs=outputs)


def wanted(runs: System, kind: Kind, reading: Reading, seed: str) -> tuple[Settings, Rendered]:
    made = [GENERATORS[facet](Dice(f"{seed} {facet.name}")) for facet in runs.facets if facet in GENERATORS]
    settings = Settings(*made)
    rendered = render(kind, runs.name, "node", settings, reading.facts)
    return settings.with_(runs.persisted(settings, rendered)), rendered


def delta(runs: System, now: Reading, target: Settings) -> Delta:
    return compare("node", now.settings, target, SCOPE, runs.unreadable)


def foreign(reading: Reading) -> dict[str, Any]:
    ours = reading.settings.within(SCOPE)
    return {
        facet.name: {key: row for key, row in facet.rows.items() if key not in ours.rows(type(facet))}
        for facet in reading.settings
        if not isinstance(facet, Sysctl)  # the forwarding switches move the ports' own parameters
    }


def start_frr(node: Any) -> None:
    node.sh(
        "mkdir -p /run/frr /etc/frr && chown frr:frr /run/frr /etc/frr"
        " && : >/etc/frr/frr.conf && : >/etc/frr/vtysh.conf && chown frr:frr /etc/frr/*.conf"
        " && for daemon in zebra bgpd; do /usr/lib/frr/$daemon -d -F datacenter -f /etc/frr/frr.conf; done"
    )


def things_of_others(node: Any) -> None:
    node.sh(
        f"ip addr add 192.0.2.1/24 dev {FOREIGN}; ip link set {FOREIGN} up;"
        "ip route add 198.51.100.0/24 via 192.0.2.2; ip addr add 10.99.0.1/32 dev lo;"
        f"ip rule add pref 77 from 192.0.2.1 lookup 300; tc qdisc add dev {FOREIGN} root handle 7: htb;"
        f"tc class add dev {FOREIGN} parent 7: classid 7:1 htb rate 5mbit"
    )


@pytest.fixture
def ready(node: Any, request: pytest.FixtureRequest) -> tuple[Any, Kind, System]:
    kind, name = request.param
    node.wires(*PORTS, FOREIGN)
    things_of_others(node)
    if name == "frr":
        start_frr(node)
    return node, kind, system(kind, name)


@pytest.mark.parametrize("ready", LINUX, ids=[name for _, name in LINUX], indirect=True)
def test_apply_reaches_what_is_wanted_and_undo_brings_back_what_was(ready: tuple[Any, Kind, System]) -> None:
    node, kind, runs = ready
    others = foreign(read(node, runs))
    for seed in ("one", "two", "three"):
        before = read(node, runs)
        target, rendered = wanted(runs, kind, before, seed)
        change = delta(runs, before, target)
        assert change, seed
        steps = runs.steps(before, rendered, change, SCOPE)
        assert steps.do, seed
        node.do(steps.do)
        after = read(node, runs)
        assert not delta(runs, after, target), seed
        assert not delta(runs, after, target).unverified, seed
        node.do(steps.undo)
        back = read(node, runs)
        assert not delta(runs, back, before.settings.within(SCOPE)), seed
        node.do(steps.undo)  # a timer may find that half or all of it is done already
        assert not delta(runs, read(node, runs), before.settings.within(SCOPE)), seed
        node.do(steps.do)
        assert not delta(runs, read(node, runs), target), seed
    assert foreign(read(node, runs)) == others


@pytest.mark.parametrize("ready", LINUX, ids=[name for _, name in LINUX], indirect=True)
def test_no_delta_means_no_steps_and_a_recorded_node_can_be_gone_back_to(ready: tuple[Any, Kind, System]) -> None:
    node, kind, runs = ready
    start = read(node, runs)
    target, rendered = wanted(runs, kind, start, "one")
    node.do(runs.steps(start, rendered, delta(runs, start, target), SCOPE).do)
    reached = read(node, runs)
    assert runs.steps(reached, rendered, delta(runs, reached, target), SCOPE) == Steps()
    managed = frozenset(facet.name for facet in runs.facets)
    earlier = start.settings.within(SCOPE).only(managed)
    way_back = runs.steps(reached, runs.recorded(start, SCOPE), delta(runs, reached, earlier), SCOPE)
    node.do(way_back.do)
    assert not delta(runs, read(node, runs), earlier)
    node.do(way_back.undo)
    assert not delta(runs, read(node, runs), target)


@pytest.mark.parametrize("ready", LINUX, ids=[name for _, name in LINUX], indirect=True)
def test_the_guard_brings_back_a_change_that_stopped_anywhere(ready: tuple[Any, Kind, System]) -> None:
    node, kind, runs = ready
    for seed, made in (("one", 1), ("two", 5), ("three", None)):
        before = read(node, runs)
        target, rendered = wanted(runs, kind, before, seed)
        steps = runs.steps(before, rendered, delta(runs, before, target), SCOPE)
        node.do((runs.guard.arm(seed, steps.undo, 300), *steps.do[:made], runs.guard.restore(seed)))
        assert not delta(runs, read(node, runs), before.settings.within(SCOPE)), node.text(
            f"/var/lib/fabric/runs/{seed}/log"
        )
        node.do(steps.do)


@pytest.mark.parametrize("ready", LINUX, ids=[name for _, name in LINUX], indirect=True)
def test_the_saved_script_sets_the_network_again_however_often(ready: tuple[Any, Kind, System]) -> None:
    node, kind, runs = ready
    start = read(node, runs)
    target, rendered = wanted(runs, kind, start, "two")
    node.put_script(rendered.texts["network.sh"])
    for _ in range(2):
        node.sh("sh /etc/fabric/network.sh")
        now = read(node, runs)
        left = delta(runs, now, target)
        assert {row.facet for row in left.rows} <= {Bgp.name, Persistence.name}, left


@pytest.mark.parametrize("ready", LINUX, ids=[name for _, name in LINUX], indirect=True)
def test_state_is_read_and_what_nobody_can_tell_is_absent(ready: tuple[Any, Kind, System]) -> None:
    node, _, runs = ready
    facts = read(node, runs).facts
    assert set(PORTS) <= set(facts.ports or ())
    found = {
        reader.facet.name: reader.parse(facts, tuple(node.run(command) for command in reader.commands))
        for reader in runs.state_readers(facts)
    }
    ports = found["ports"]
    assert isinstance(ports, Ports)
    assert ports.rows[FOREIGN].up
    assert not ports.rows["swp1"].up
    assert isinstance(found["neighbours"], Absent)  # no lldpd runs here


def test_nothing_is_said_to_be_unreadable_that_is_not_a_facet_of_the_system() -> None:
    for kind, name in LINUX:
        runs = system(kind, name)
        assert {entry.partition(".")[0] for entry in runs.unreadable} <= {facet.name for facet in runs.facets}
