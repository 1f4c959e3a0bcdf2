"""Two real FRR nodes on one cable: what is rendered for IPv6 and for both families makes sessions that carry routes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest

from fabric.changes.change import Steps
from fabric.changes.command import Command
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.changes.steps import Impact
from fabric.diff.compare import compare
from fabric.errors import PlatformError
from fabric.platforms.lookup import system
from fabric.render import render
from fabric.settings.addresses import Address, Addresses
from fabric.settings.bgp import Announced, Bgp, BgpRow, Neighbor, Router
from fabric.settings.facet import ABSENT, Absent, Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Links, Port
from fabric.settings.scope import Scope
from fabric.settings.state.paths import Paths
from fabric.settings.state.sessions import Sessions
from fabric.settings.sysctl import Parameter, Sysctl
from tests.platforms.conftest import Node

pytestmark = pytest.mark.lab

FRR = system("switch", "frr")
SCOPE = Scope(
    ports=frozenset(("swp1", "lo")),
    prefixes=tuple(map(ip_network, ("10.255.0.0/16", "10.1.0.0/16", "2001:db8:255::/48", "2001:db8:1::/48"))),
    names=frozenset(("sysctl net.ipv4.ip_forward", "sysctl net.ipv6.conf.all.forwarding")),
)
PATIENCE = 40.0
FORWARDING = Sysctl({"net.ipv4.ip_forward": Parameter("1"), "net.ipv6.conf.all.forwarding": Parameter("1")})


def settings(number: int, form: str, *, bfd: bool = True) -> Settings:
    """Return what node 1 or 2 is set to: ``unnumbered`` or ``numbered``, with ``4``, ``6`` or ``46``."""
    kind, families = form.split("-")
    four, six = "4" in families, "6" in families
    pools = [(four, "10.255.0.0", "10.1.0.0/31"), (six, "2001:db8:255::", "2001:db8:1::/127")]
    router = Router(65000 + number, f"10.255.0.{number}", 64, multipath_relax=True, requires_policy=False)
    rows: dict[str, BgpRow] = {"router": replace(router, max_paths6=64 if six else ABSENT)}
    addresses = []
    for loopbacks, links in [(ip_address(pool), ip_network(net)) for there, pool, net in pools if there]:
        loopback = ip_network(loopbacks + number)
        addresses.append(f"lo {loopback}")
        rows[f"network {loopback}"] = Announced()
        if kind == "numbered":
            addresses.append(f"swp1 {links[number - 1]}/{links.prefixlen}")
            is_six = links.version == 6
            session = Neighbor(str(65003 - number), interface=False, activated=not is_six, activated6=is_six, bfd=bfd)
            rows[f"neighbor {links[2 - number]}"] = session
    if kind == "unnumbered":
        rows["neighbor swp1"] = Neighbor("external", interface=True, activated=four, activated6=six, bfd=bfd)
    links_facet = Links({"swp1": Port(mtu=9000, enabled=True)})
    return Settings(links_facet, Addresses(dict.fromkeys(addresses, Address())), FORWARDING, Bgp(rows))


class Routing:
    """One of two nodes: read it, and set it to something."""

    def __init__(self, node: Node, number: int) -> None:
        self.node, self.number = node, number

    def read(self) -> Reading:
        outputs = {}
        for command in FRR.facts.commands:
            outputs[command.text] = self.node.run(command)
        facts = FRR.facts.parse(tuple(outputs[command.text] for command in FRR.facts.commands))
        found = []
        for reader in FRR.readers(facts):
            for command in reader.commands:
                outputs.setdefault(command.text, self.node.run(command))
            found.append(reader.parse(facts, tuple(outputs[command.text] for command in reader.commands)))
        return Reading("node", facts, Settings(*(f for f in found if not isinstance(f, Absent))), outputs=outputs)

    def plan(self, wanted: Settings) -> tuple[Steps, Settings]:
        now = self.read()
        rendered: Rendered = render("switch", "frr", "node", wanted, now.facts)
        goal = wanted.with_(FRR.persisted(wanted, rendered))
        return FRR.steps(now, rendered, compare("node", now.settings, goal, SCOPE, FRR.unreadable), SCOPE), goal

    def set(self, wanted: Settings) -> Steps:
        steps, goal = self.plan(wanted)
        self.node.do(steps.do)
        left = compare("node", self.read().settings, goal, SCOPE, FRR.unreadable)
        assert not left, left
        assert not left.unverified
        return steps

    def state(self, facet: type[Any]) -> Any:
        facts = self.read().facts
        (reader,) = (each for each in FRR.state_readers(facts) if each.facet is facet)
        return reader.parse(facts, tuple(map(self.node.run, reader.commands)))

    def bfd_peers_up(self) -> int:
        return self.node.sh("vtysh -c 'show bfd peers json'").count('"status":"up"')


def start(node: Node, *daemons: str) -> None:
    node.sh(
        "mkdir -p /run/frr /etc/frr && chown frr:frr /run/frr /etc/frr"
        " && : >/etc/frr/frr.conf && : >/etc/frr/vtysh.conf && chown frr:frr /etc/frr/*.conf"
        f" && for daemon in {' '.join(daemons)}; do"
        " /usr/lib/frr/$daemon -d -F datacenter -f /etc/frr/frr.conf; done; ip link set swp1 up"
    )


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Routing, Routing]]:
    """Give two nodes, each with the end ``swp1`` of one cable, on which FRR runs with BFD."""
    made: list[Node] = []
    try:
        made += (Node(tmp_path / str(number)) for number in (1, 2))
        made[0].cable("swp1", made[1], "swp1")
        for node in made:
            start(node, "zebra", "bgpd", "bfdd")
        yield Routing(made[0], 1), Routing(made[1], 2)
    finally:
        for node in made:
            node.close()


@pytest.mark.parametrize("form", ["unnumbered-6", "unnumbered-46", "numbered-6", "numbered-46"])
def test_sessions_come_up_carry_the_loopbacks_and_are_watched(pair: tuple[Routing, Routing], form: str) -> None:
    for router in pair:
        router.set(settings(router.number, form))
    sessions = 2 if form == "numbered-46" else 1
    first, second = pair
    far = {key.split()[1] for key in settings(2, form).rows(Addresses) if key.startswith("lo ")}
    first.node.until(lambda: far <= set(first.state(Paths).rows), PATIENCE)
    assert {path.ports for path in (first.state(Paths).rows[prefix] for prefix in far)} == {("swp1",)}
    found = first.state(Sessions)
    assert [row.state for row in found.rows.values()] == ["Established"] * sessions
    assert sum(row.prefixes for row in found.rows.values()) == len(far)
    first.node.until(lambda: first.bfd_peers_up() == second.bfd_peers_up() == sessions, PATIENCE)
    assert [router.plan(settings(router.number, form))[0] for router in pair] == [Steps(), Steps()]


def test_bfd_that_is_added_loses_no_session_and_taking_it_away_is_said_to(pair: tuple[Routing, Routing]) -> None:
    first, second = pair
    for router in pair:
        router.set(settings(router.number, "unnumbered-46", bfd=False))
    first.node.until(lambda: first.state(Sessions).rows["swp1"].state == "Established", PATIENCE)
    time.sleep(3)
    before = [router.state(Sessions) for router in pair]
    steps = [router.set(settings(router.number, "unnumbered-46")) for router in pair]
    assert {max(step.impact for step in each.do) for each in steps} == {Impact.HITLESS}
    first.node.until(lambda: first.bfd_peers_up() == second.bfd_peers_up() == 1, PATIENCE)
    time.sleep(3)
    assert [router.state(Sessions) for router in pair] == before
    # A session whose BFD ends on one side first goes down and comes back.
    back, _ = first.plan(settings(1, "unnumbered-46", bfd=False))
    assert max(step.impact for step in back.do) == Impact.FLAP
    assert max(step.impact for step in steps[0].undo) == Impact.FLAP


def test_bfd_is_refused_where_its_daemon_does_not_run(node: Node) -> None:
    node.wires("swp1")
    start(node, "zebra", "bgpd")
    router = Routing(node, 1)
    with pytest.raises(PlatformError, match="bfdd is not running, and BFD is wanted for neighbor swp1"):
        router.plan(settings(1, "unnumbered-6"))
    router.set(settings(1, "unnumbered-6", bfd=False))
    node.sh("vtysh -c 'configure terminal' -c 'router bgp 65001' -c 'neighbor swp1 bfd' -c end -c 'write memory'")
    goal = settings(1, "unnumbered-6")
    left = compare("node", router.read().settings, goal, SCOPE, FRR.unreadable)
    assert left.unverified == ("bgp neighbor swp1 bfd",)


@pytest.mark.parametrize("form", ["unnumbered-6", "unnumbered-46", "numbered-6", "numbered-46", "unnumbered-4"])
def test_frr_knows_every_word_of_what_is_rendered(form: str, node: Node) -> None:
    conf = render("switch", "frr", "leaf01", settings(1, form), Facts("frr")).texts["frr.conf"]
    node.sh("cat >/run/frr.conf", conf)
    checked = node.run(Command("vtysh -C -f /run/frr.conf"))
    assert checked.ok, checked
    assert ("ipv6 unicast" in conf) == (form[-1] == "6")
