"""The laws of every system, on the real thing: no delta means no steps, and apply and undo are exact.

A system is found by its folder. Each is given generated settings of all facets that it has, one after the other, in a
throw-away node; each change is made, found equal, undone, found as before, and made again. All of it with IPv4, with
IPv6, and with both side by side.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
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


def _addresses6(dice: Dice) -> Facet[Any]:
    found = {f"{port} 2001:db8:64:{at + 1}::1/127" for at, port in enumerate(PORTS)}
    more = {f"lo 2001:db8:255::{dice.randrange(1, 3)}/128", f"swp1 2001:db8:64:9::{dice.randrange(1, 9)}/64"}
    return Addresses(dict.fromkeys(sorted(found | more), Address()))


def _routes(dice: Dice) -> Facet[Any]:
    hops = tuple(NextHop(f"10.64.{at}.254", port) for at, port in enumerate(PORTS))
    everywhere = Route(tuple(dice.sample(hops, dice.choice((1, 2, 3)))))
    return Routes({"main 10.80.0.0/12": everywhere, "101 default": Route((dice.choice(hops),))})


def _routes6(dice: Dice) -> Facet[Any]:
    hops = tuple(NextHop(f"2001:db8:64:{at + 1}::", port) for at, port in enumerate(PORTS))
    everywhere = Route(tuple(dice.sample(hops, dice.choice((1, 2, 3)))))
    return Routes({"main 2001:db8:80::/48": everywhere, "101 ::/0": Route((dice.choice(hops),))})


def _policy(dice: Dice) -> Facet[Any]:
    return Policy({f"from 10.64.0.{dice.choice((1, 3, 5))}": Lookup(dice.choice((101, 102)), 1001)})


def _policy6(dice: Dice) -> Facet[Any]:
    return Policy({f"from 2001:db8:64::{dice.choice((1, 3, 5))}": Lookup(dice.choice((101, 102)), 1001)})


def _sysctl(dice: Dice) -> Facet[Any]:
    values = {"net.ipv4.ip_forward": "01", "net.ipv4.conf.all.rp_filter": "012", "net.ipv4.conf.swp1.rp_filter": "02"}
    return Sysctl({key: Parameter(dice.choice(allowed)) for key, allowed in values.items()})


def _sysctl6(dice: Dice) -> Facet[Any]:
    return Sysctl(
        {
            "net.ipv6.conf.all.forwarding": Parameter(dice.choice("01")),
            "net.ipv6.fib_multipath_hash_policy": Parameter(dice.choice("01")),
            "net.ipv6.conf.swp2.accept_ra": Parameter(dice.choice("02")),
            "net.ipv6.conf.swp2.keep_addr_on_down": Parameter(dice.choice("01")),
        }
    )


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


def _router6(dice: Dice) -> Router:
    widths = dice.choice((16, 64))
    return Router(dice.choice((65101, 65102)), "10.255.0.1", 64, True, requires_policy=False, max_paths6=widths)  # noqa: FBT003  # the field's own order


def _bgp6(dice: Dice) -> Facet[Any]:
    ports = dice.sample(PORTS, dice.choice((1, 2)))
    rows: dict[str, Any] = {"router": _router6(dice), f"network 2001:db8:255::{dice.randrange(1, 3)}/128": Announced()}
    rows |= {f"neighbor {p}": Neighbor("external", True, False, True, bfd=dice.choice((True, False))) for p in ports}  # noqa: FBT003  # likewise
    rows["neighbor 2001:db8:64:1::"] = Neighbor("65000", False, False, True, bfd=False)  # noqa: FBT003  # likewise
    return Bgp(rows)


def _bgp46(dice: Dice) -> Facet[Any]:
    ports = dice.sample(PORTS, dice.choice((1, 2)))
    rows: dict[str, Any] = {"router": _router6(dice), "network 10.255.0.1/32": Announced()}
    rows |= {"network 2001:db8:255::1/128": Announced()}
    rows |= {f"neighbor {p}": Neighbor("external", True, dice.choice((True, False)), True, bfd=False) for p in ports}  # noqa: FBT003  # likewise
    rows["neighbor 10.64.0.254"] = Neighbor("65000", False, True, False, bfd=dice.choice((True, False)))  # noqa: FBT003  # likewise
    return Bgp(rows)


def _both(*makers: Callable[[Dice], Facet[Any]]) -> Callable[[Dice], Facet[Any]]:
    def made(dice: Dice) -> Facet[Any]:
        first, second = (maker(dice) for maker in makers)
        return replace(first, rows={**first.rows, **second.rows})

    return made


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

GENERATORS6 = GENERATORS | {
    Addresses: _addresses6,
    Routes: _routes6,
    Policy: _policy6,
    Sysctl: _sysctl6,
    Bgp: _bgp6,
}
GENERATORS46 = GENERATORS | {
    Addresses: _both(_addresses, _addresses6),
    Routes: _both(_routes, _routes6),
    Policy: _both(_policy, _policy6),
    Sysctl: _both(_sysctl, _sysctl6),
    Bgp: _bgp46,
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
SCOPE6 = Scope(
    ports=SCOPE.ports,
    prefixes=(ip_network("2001:db8:64::/48"), ip_network("2001:db8:255::/48")),
    names=frozenset(
        (
            "routes main 2001:db8:80::/48",
            "routes 101 ::/0",
            "sysctl net.ipv6.conf.all.forwarding",
            "sysctl net.ipv6.fib_multipath_hash_policy",
            "sysctl net.ipv6.conf.swp2.accept_ra",
            "sysctl net.ipv6.conf.swp2.keep_addr_on_down",
        )
    ),
)


@dataclass(frozen=True)
class Runs:
    """A node that runs a system, what it may be set to, and what of it is ours."""

    node: Any
    kind: Kind
    system: System
    generators: dict[type[Facet[Any]], Callable[[Dice], Facet[Any]]]
    scope: Scope

    def read(self) -> Reading:
        return read(self.node, self.system)

    def wanted(self, reading: Reading, seed: str) -> tuple[Settings, Rendered]:
        makers = [(facet, self.generators[facet]) for facet in self.system.facets if facet in self.generators]
        settings = Settings(*(make(Dice(f"{seed} {facet.name}")) for facet, make in makers))
        rendered = render(self.kind, self.system.name, "node", settings, reading.facts)
        return settings.with_(self.system.persisted(settings, rendered)), rendered

    def delta(self, now: Reading, target: Settings) -> Delta:
        return compare("node", now.settings, target, self.scope, self.system.unreadable)

    def steps(self, now: Reading, rendered: Rendered, change: Delta) -> Steps:
        return self.system.steps(now, rendered, change, self.scope)

    def foreign(self) -> dict[str, Any]:
        reading = self.read()
        ours = reading.settings.within(self.scope)
        return {
            facet.name: {key: row for key, row in facet.rows.items() if key not in ours.rows(type(facet))}
            for facet in reading.settings
            if not isinstance(facet, Sysctl)  # the forwarding switches move the ports' own parameters
        }


FAMILIES = {"ipv4": (GENERATORS, SCOPE), "ipv6": (GENERATORS6, SCOPE6), "both": (GENERATORS46, SCOPE | SCOPE6)}
RUNS = [(kind, name, family) for kind, name in LINUX for family in FAMILIES]
EVERY = pytest.mark.parametrize("runs", RUNS, ids=[f"{name}-{family}" for _, name, family in RUNS], indirect=True)


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


def start_frr(node: Any) -> None:
    node.sh(
        "mkdir -p /run/frr /etc/frr && chown frr:frr /run/frr /etc/frr"
        " && : >/etc/frr/frr.conf && : >/etc/frr/vtysh.conf && chown frr:frr /etc/frr/*.conf"
        " && for daemon in zebra bgpd bfdd; do /usr/lib/frr/$daemon -d -F datacenter -f /etc/frr/frr.conf; done"
    )


def things_of_others(node: Any) -> None:
    node.sh(
        f"ip addr add 192.0.2.1/24 dev {FOREIGN}; ip link set {FOREIGN} up;"
        "ip route add 198.51.100.0/24 via 192.0.2.2; ip addr add 10.99.0.1/32 dev lo;"
        f"ip rule add pref 77 from 192.0.2.1 lookup 300; tc qdisc add dev {FOREIGN} root handle 7: htb;"
        f"tc class add dev {FOREIGN} parent 7: classid 7:1 htb rate 5mbit"
    )


@pytest.fixture
def runs(node: Any, request: pytest.FixtureRequest) -> Runs:
    kind, name, family = request.param
    node.wires(*PORTS, FOREIGN)
    things_of_others(node)
    if name == "frr":
        start_frr(node)
    return Runs(node, kind, system(kind, name), *FAMILIES[family])


@EVERY
def test_apply_reaches_what_is_wanted_and_undo_brings_back_what_was(runs: Runs) -> None:
    node, others = runs.node, runs.foreign()
    for seed in ("one", "two", "three"):
        before = runs.read()
        target, rendered = runs.wanted(before, seed)
        change = runs.delta(before, target)
        assert change, seed
        steps = runs.steps(before, rendered, change)
        assert steps.do, seed
        node.do(steps.do)
        after = runs.read()
        assert not runs.delta(after, target), seed
        assert not runs.delta(after, target).unverified, seed
        node.do(steps.undo)
        back = runs.read()
        assert not runs.delta(back, before.settings.within(runs.scope)), seed
        node.do(steps.undo)  # a timer may find that half or all of it is done already
        assert not runs.delta(runs.read(), before.settings.within(runs.scope)), seed
        node.do(steps.do)
        assert not runs.delta(runs.read(), target), seed
    assert runs.foreign() == others


@EVERY
def test_no_delta_means_no_steps_and_a_recorded_node_can_be_gone_back_to(runs: Runs) -> None:
    node, start = runs.node, runs.read()
    target, rendered = runs.wanted(start, "one")
    node.do(runs.steps(start, rendered, runs.delta(start, target)).do)
    reached = runs.read()
    assert runs.steps(reached, rendered, runs.delta(reached, target)) == Steps()
    managed = frozenset(facet.name for facet in runs.system.facets)
    earlier = start.settings.within(runs.scope).only(managed)
    way_back = runs.steps(reached, runs.system.recorded(start, runs.scope), runs.delta(reached, earlier))
    node.do(way_back.do)
    assert not runs.delta(runs.read(), earlier)
    node.do(way_back.undo)
    assert not runs.delta(runs.read(), target)


@EVERY
def test_the_guard_brings_back_a_change_that_stopped_anywhere(runs: Runs) -> None:
    node, guard = runs.node, runs.system.guard
    for seed, made in (("one", 1), ("two", 5), ("three", None)):
        before = runs.read()
        target, rendered = runs.wanted(before, seed)
        steps = runs.steps(before, rendered, runs.delta(before, target))
        node.do((guard.arm(seed, steps.undo, 300), *steps.do[:made], guard.restore(seed)))
        log = f"/var/lib/fabric/runs/{seed}/log"
        assert not runs.delta(runs.read(), before.settings.within(runs.scope)), node.text(log)
        node.do(steps.do)


@EVERY
def test_the_saved_script_sets_the_network_again_however_often(runs: Runs) -> None:
    target, rendered = runs.wanted(runs.read(), "two")
    runs.node.put_script(rendered.texts["network.sh"])
    for _ in range(2):
        runs.node.sh("sh /etc/fabric/network.sh")
        left = runs.delta(runs.read(), target)
        assert {row.facet for row in left.rows} <= {Bgp.name, Persistence.name}, left


@pytest.mark.parametrize("runs", RUNS[:: len(FAMILIES)], ids=[name for _, name in LINUX], indirect=True)
def test_state_is_read_and_what_nobody_can_tell_is_absent(runs: Runs) -> None:
    facts = runs.read().facts
    assert set(PORTS) <= set(facts.ports or ())
    found = {
        reader.facet.name: reader.parse(facts, tuple(runs.node.run(command) for command in reader.commands))
        for reader in runs.system.state_readers(facts)
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
