"""The kernel itself: what was set is read back exactly, packets go where they should, neighbours stay."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from fabric.changes.delta import Delta, RowDelta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.changes.steps import Impact
from fabric.platforms.parts import addresses, links, policy, routes, tc, tcmake
from fabric.platforms.parts.addresses import ADDRESS_SHOW
from fabric.platforms.parts.policy import RULE_SHOW
from fabric.platforms.parts.routes import ROUTE_SHOW
from fabric.platforms.parts.tctree import COUNT_SHOW, TREE_SHOW, again
from fabric.settings.addresses import Address, Addresses
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Links, Port
from fabric.settings.maps import ClassMap
from fabric.settings.policy import Lookup
from fabric.settings.queues import Queue, Scheduler

pytestmark = pytest.mark.lab

MAP = ClassMap(tuple({26: 3, 48: 6}.get(dscp, 0) for dscp in range(64)), (0, 0, 0, 3, 0, 0, 6, 0))
SCHEDULER = Scheduler((Queue(0, 40, limit=None), Queue(3, 60, limit=None), Queue(6, 0, strict=True, limit=None)))


def make(node: Any, port: str, speed: int, scheduler: Scheduler, maps: ClassMap | None) -> tuple[str, ...]:
    lines = again(tcmake.tree(port, speed, scheduler, maps))
    node.sh("tc -batch -", "\n".join(lines) + "\n")
    return lines


def row(facet: str, key: str, now: object, wanted: object) -> Delta:
    return Delta("node", (RowDelta(facet, key, now, wanted),))


def some(dice: random.Random) -> tuple[int, Scheduler, ClassMap]:
    numbers = sorted(dice.sample(range(8), dice.randrange(1, 9)))
    speed = dice.choice((1, 10, 25, 40, 50, 100, 200, 400, 800)) * 10**9
    limits = (None, None, speed // 2, speed // 10, 10**6)
    queues = tuple(Queue(n, dice.randrange(101), dice.random() < 0.3, dice.choice(limits)) for n in numbers)
    priorities = tuple(dice.randrange(8) if dice.random() < 0.3 else 2 for _ in range(64))
    return speed, Scheduler(queues), ClassMap(priorities, tuple(dice.choice(numbers) for _ in range(8)))


def test_any_tree_is_read_back_exactly_as_it_was_designed(node: Any) -> None:
    node.wires("swp1")
    dice = random.Random("trees")  # noqa: S311  # the same trees each time
    for _ in range(40):
        speed, scheduler, maps = some(dice)
        make(node, "swp1", speed, scheduler, maps)
        output = node.run(TREE_SHOW)
        assert tc.parse_speeds(output) == {"swp1": speed}
        assert tc.parse_queues(output).rows["swp1"] == scheduler
        assert tc.parse_maps(output).rows["swp1"] == maps


def test_every_whole_percent_of_every_speed_is_exact(node: Any) -> None:
    node.wires("swp1")
    for speed in (10**9, 25 * 10**8, 10**10, 25 * 10**9, 4 * 10**11, 8 * 10**11):
        for first in range(1, 101, 8):
            shares = [share for share in range(first, first + 8) if share <= 100]
            wanted = Scheduler(tuple(Queue(n, share, limit=None) for n, share in enumerate(shares)))
            make(node, "swp1", speed, wanted, None)
            assert tc.parse_queues(node.run(TREE_SHOW)).rows["swp1"] == wanted


def test_marked_packets_of_both_families_are_counted_in_their_queue(node: Any) -> None:
    node.wires("swp1")
    node.sh("ip link set swp1 up; ip addr add 10.0.0.1/24 dev swp1; ip addr add fd00::1/64 dev swp1 nodad")
    mac = node.sh("ip -br link show far-swp1").split()[2]
    for address in ("10.0.0.2", "fd00::2"):
        node.sh(f"ip neigh add {address} lladdr {mac} dev swp1")
    make(node, "swp1", 10**10, SCHEDULER, MAP)
    before = tc.parse_counters(node.run(COUNT_SHOW)).rows
    for tos, address in ((104, "10.0.0.2"), (104, "fd00::2"), (192, "10.0.0.2")):
        node.sh(f"ping -c 5 -i 0.01 -W 0.01 -Q {tos} {address} >/dev/null || :")
    after = tc.parse_counters(node.run(COUNT_SHOW)).rows
    moved = {key: after[key].packets - before[key].packets for key in after}
    assert moved["swp1 3"] == 10
    assert moved["swp1 6"] == 5


def test_a_share_changes_without_a_gap_and_without_losing_counts(node: Any) -> None:
    node.wires("swp1")
    node.sh("ip link set swp1 up; ip addr add 10.0.0.1/24 dev swp1")
    make(node, "swp1", 10**10, SCHEDULER, MAP)
    node.sh("ping -c 1 -W 0.01 -b 10.0.0.255 >/dev/null 2>&1 || :")
    counted = tc.parse_counters(node.run(COUNT_SHOW)).rows["swp1 0"].packets
    other = Scheduler((Queue(0, 55, limit=None), Queue(3, 45, limit=None), SCHEDULER.queues[2]))
    now = Reading("node", Facts("frr"), Settings(), outputs={TREE_SHOW.text: node.run(TREE_SHOW)})
    text = "\n".join(("# port swp1", *again(tcmake.tree("swp1", 10**10, other, MAP))))
    steps = tc.steps(now, Rendered("node", {"network.sh": text}), row("queues", "swp1", SCHEDULER, other))
    assert {step.impact for step in (*steps.do, *steps.undo)} == {Impact.HITLESS}
    for half, expected in ((steps.do, other), (steps.undo, SCHEDULER)):
        node.do(half)
        assert tc.parse_queues(node.run(TREE_SHOW)).rows["swp1"] == expected
        assert tc.parse_counters(node.run(COUNT_SHOW)).rows["swp1 0"].packets >= counted > 0


def told(text: str) -> list[str]:
    """Return what a tree is, without counts and without bursts, which tc rounds to ticks of its clock."""
    return [re.sub(r"burst \S+", "", line) for line in text.splitlines() if not line.startswith("qdisc")]


def test_a_tree_of_somebody_else_on_our_port_comes_back_line_by_line(node: Any) -> None:
    node.wires("swp1")
    node.sh(
        "tc qdisc add dev swp1 root handle 5: htb default 20 && "
        "tc class add dev swp1 parent 5: classid 5:1 htb rate 1gbit && "
        "tc class add dev swp1 parent 5:1 classid 5:20 htb rate 100mbit ceil 500mbit prio 3 && "
        "tc class add dev swp1 parent 5:20 classid 5:21 htb rate 50mbit quantum 3000 && "
        "tc filter add dev swp1 parent 5: protocol ip pref 9 u32 "
        "match ip dport 80 0xffff match ip protocol 6 0xff flowid 5:21"
    )
    before = node.run(TREE_SHOW)
    now = Reading("node", Facts("frr"), Settings(), outputs={TREE_SHOW.text: before})
    text = "\n".join(("# port swp1", *again(tcmake.tree("swp1", 10**10, SCHEDULER, MAP))))
    steps = tc.steps(now, Rendered("node", {"network.sh": text}), row("queues", "swp1", Scheduler(()), SCHEDULER))
    node.do(steps.do)
    assert tc.parse_queues(node.run(TREE_SHOW)).rows["swp1"] == SCHEDULER
    node.do(steps.undo)
    assert told(node.run(TREE_SHOW).text) == told(before.text)


def here(node: Any) -> Reading:
    commands = (ADDRESS_SHOW, *ROUTE_SHOW, *RULE_SHOW)
    outputs = {command.text: node.run(command) for command in commands}
    found = addresses.parse_addresses(outputs[ADDRESS_SHOW.text])
    return Reading("node", Facts("linux"), Settings(found), outputs=outputs)


def way_out(node: Any) -> set[str]:
    return set(routes.parse_routes(tuple(node.run(command) for command in ROUTE_SHOW)).rows)


def test_a_first_address_goes_and_its_neighbours_and_routes_stay(node: Any) -> None:
    node.wires("swp1")
    node.sh("ip link set swp1 up; for last in 1 2 3; do ip addr add 10.0.0.$last/24 dev swp1; done")
    node.sh("ip route add 10.9.0.0/16 via 10.0.0.9")
    steps = addresses.removed(here(node), row("addresses", "swp1 10.0.0.1/24", Address(), None))
    for _ in range(2):  # a repeat does no harm
        node.do(steps.do)
        assert here(node).settings.rows(Addresses).keys() == {"swp1 10.0.0.2/24", "swp1 10.0.0.3/24"}
        assert "main 10.9.0.0/16" in way_out(node)
    assert node.sh("cat /proc/sys/net/ipv4/conf/swp1/promote_secondaries").strip() == "0"
    node.do(steps.undo)
    assert "swp1 10.0.0.1/24" in here(node).settings.rows(Addresses)


def test_a_port_that_goes_down_gets_its_ipv6_addresses_back(node: Any) -> None:
    node.wires("swp1")
    node.sh("ip link set swp1 up; ip addr add fd00::1/64 dev swp1; ip addr add 10.0.0.1/31 dev swp1")
    before = here(node).settings.rows(Addresses)
    steps = links.lowered(here(node), row(Links.name, "swp1", Port(enabled=True), Port(enabled=False)))
    node.do(steps.do)
    assert "swp1 fd00::1/64" not in here(node).settings.rows(Addresses)
    node.do(steps.undo)
    assert here(node).settings.rows(Addresses) == before


def test_a_rule_that_stood_behind_another_is_there_after_an_undo(node: Any) -> None:
    node.sh("ip rule add from 10.0.0.1 lookup 101 pref 50; ip rule add from 10.0.0.1 lookup 102 pref 60")
    change = row("policy", "from 10.0.0.1", Lookup(101, 50), Lookup(102, 60))
    before = here(node)
    grow, shrink = policy.added(before, change), policy.removed(change)
    node.do((*grow.do, *shrink.do))
    assert policy.parse_policy((node.run(RULE_SHOW[0]),)).rows == {"from 10.0.0.1": Lookup(102, 60)}
    node.do((*shrink.undo, *grow.undo))
    assert node.run(RULE_SHOW[0]) == before.outputs[RULE_SHOW[0].text]
