"""The law of change against the real thing: zebra, staticd and bgpd in namespaces of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from ipaddress import ip_network
from pathlib import Path

import pytest

from fabric.changes.change import Steps
from fabric.changes.command import Command, Output
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.changes.steps import Impact, Put, Run, Step
from fabric.diff.compare import compare
from fabric.platforms.parts import frr
from fabric.render import render
from fabric.settings.bgp import Announced, Bgp, BgpRow, Neighbor, Router
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.persistence import Persistence
from fabric.settings.scope import Scope
from fabric.settings.state.paths import Paths
from fabric.settings.state.sessions import Sessions

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(os.geteuid() != 0, reason="namespaces need root"),
    pytest.mark.skipif(shutil.which("vtysh") is None, reason="the package frr is not installed"),
]

SCOPE = Scope(
    frozenset({"lo", "swp1", "swp2", "swp3", "swp4"}), (ip_network("10.0.0.0/16"), ip_network("10.255.0.0/16"))
)

SETUP = r"""
set -e
mount --make-rprivate /
mkdir -p /run/frr /var/log/frr
mount --bind "$1" /etc/frr
mount -t tmpfs tmpfs /run/frr
chown -R frr:frr /run/frr /etc/frr
ip link set lo up
for port in swp1 swp2 swp3 swp4 swp9; do
  ip link add $port type veth peer name far-$port; ip link set $port up; ip link set far-$port up
done
ip addr add 192.0.2.1/24 dev swp9
ip addr add 10.0.0.0/31 dev swp4
# bgpd 8.4.4 may crash when it deletes neighbours on interfaces of which it knows no address: a /31 gives it one
for port in swp1 swp2 swp3; do ip addr add 10.1.${port#swp}.0/31 dev $port; done
for daemon in zebra staticd bgpd; do /usr/lib/frr/$daemon -d -A 127.0.0.1 -F "$2" -f /dev/null; done
echo ready
exec sleep 600
"""

FOREIGN = """\
ip route 198.51.100.0/24 Null0
!
route-map FOREIGN permit 10
exit
!
"""

BLANK_OF_OURS = FOREIGN

PEER_GROUP = (
    FOREIGN
    + """\
router bgp 65101
 bgp router-id 10.255.0.3
 no bgp default ipv4-unicast
 neighbor FAB peer-group
 neighbor FAB remote-as external
 neighbor FAB timers 1 3
 neighbor swp1 interface peer-group FAB
 neighbor swp3 interface remote-as external
 neighbor swp3 timers 5 15
 neighbor swp9 interface remote-as external
 neighbor 10.0.0.1 remote-as 65009
 neighbor 10.0.0.1 shutdown
 neighbor 192.0.2.2 remote-as 64999
 neighbor 192.0.2.2 description transit
 !
 address-family ipv4 unicast
  network 10.255.0.3/32
  network 192.0.2.0/24
  neighbor FAB activate
  neighbor FAB route-map FOREIGN in
  neighbor 10.0.0.1 activate
  neighbor 192.0.2.2 activate
 exit-address-family
 !
 address-family ipv6 unicast
  neighbor swp1 activate
  neighbor swp3 activate
  neighbor 192.0.2.2 activate
 exit-address-family
exit
"""
)

OTHER_AS = PEER_GROUP.replace("router bgp 65101", "router bgp 65199")

FAMILY_BY_DEFAULT = (
    FOREIGN
    + """\
router bgp 65101
 neighbor swp3 interface remote-as external
 neighbor swp3 description by hand
 neighbor swp1 interface remote-as external
 neighbor swp1 description by hand
 neighbor 192.0.2.2 remote-as 64999
 !
 address-family ipv4 unicast
  no neighbor swp1 activate
  maximum-paths 8
  network 10.255.9.9/32
 exit-address-family
exit
"""
)


@dataclass(frozen=True)
class Node:
    """A node of namespaces with FRR; ``folder`` is its configuration folder, seen from here."""

    pid: int
    folder: Path
    profile: str

    def run(self, command: Command) -> Output:
        done = subprocess.run(
            ["nsenter", "-t", str(self.pid), "-n", "-m", "-u", "-p", "sh", "-c", command.text],
            input=command.stdin,
            capture_output=True,
            text=True,
            timeout=command.timeout,
            check=False,
        )
        return Output(command.text, done.stdout, done.stderr, done.returncode)

    def carry_out(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            if isinstance(step, Put):
                where = step.path
                write = f"cat > {where}.new && chmod {step.mode:o} {where}.new && chown {step.owner} {where}.new"
                output = self.run(Command(f"{write} && mv {where}.new {where}", stdin=step.content))
                assert output.ok, output
            else:
                assert isinstance(step, Run)
                output = self.run(step.command)
                assert output.code in step.codes, (step.why, output.code, output.text, output.error)

    def read(self) -> Reading:
        seen: dict[str, Output] = {}
        for command in (*frr.FACTS_COMMANDS, frr.STARTUP):
            seen[command.text] = self.run(command)
        facts = Facts("frr", features=frr.features(tuple(seen[c.text] for c in frr.FACTS_COMMANDS)))
        parsed = [r.parse(facts, tuple(seen[c.text] for c in r.commands)) for r in frr.readers()]
        bgp = [facet for facet in parsed if isinstance(facet, Bgp)]
        return Reading("leaf01", facts, Settings(*bgp, Persistence(frr.saved(seen[frr.STARTUP.text]))), outputs=seen)

    def start_from(self, text: str, saved: str | None) -> None:
        """Make ``text`` the running configuration, and ``saved`` the startup file (none: there is no such file)."""
        for line in self.running().splitlines():
            if line.startswith(("router bgp ", "ip route ")):
                self.run(Command(f"vtysh -c 'configure terminal' -c 'no {line}'"))
        (self.folder / "begin.conf").write_text(text)
        done = self.run(Command("vtysh -f /etc/frr/begin.conf"))
        assert done.ok, done.text + done.error
        for left in ("begin.conf", "frr.conf"):
            (self.folder / left).unlink(missing_ok=True)
        startup = self.folder / "frr.conf"
        if saved is not None:
            startup.write_text(f"frr defaults {self.profile}\n{saved}")

    def running(self) -> str:
        return self.run(frr.RUNNING).text


@contextmanager
def running_node(profile: str, folder: Path) -> Iterator[Node]:
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    (folder / "vtysh.conf").write_text("service integrated-vtysh-config\n")
    isolate = ["unshare", "-n", "-m", "-u", "-p", "-f", "--kill-child=KILL", "--mount-proc"]
    process = subprocess.Popen(
        [*isolate, "sh", "-c", SETUP, "node", str(folder), profile],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        said = []
        for line in process.stdout:
            said.append(line)
            if line.strip() == "ready":
                break
        else:
            pytest.fail(f"the node did not start: {said}")
        child = int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0])
        yield Node(child, folder, profile)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Node]]:
    """Give the node of a profile, started when it is first asked for."""
    with ExitStack() as stack:
        yield cache(lambda profile: stack.enter_context(running_node(profile, tmp_path_factory.mktemp("frr"))))


@pytest.fixture
def node(nodes: Callable[[str], Node]) -> Node:
    return nodes("datacenter")


@pytest.fixture(params=["datacenter", "traditional"])
def any_node(request: pytest.FixtureRequest, nodes: Callable[[str], Node]) -> Node:
    return nodes(request.param)


def wanted_rows(**changes: object) -> dict[str, BgpRow]:
    router = Router(65101, "10.255.0.3", 64, multipath_relax=True, requires_policy=False)
    return {
        "router": replace(router, **changes),
        "neighbor swp1": Neighbor("external", interface=True, activated=True),
        "neighbor swp2": Neighbor("external", interface=True, activated=True),
        "neighbor 10.0.0.1": Neighbor("65000", interface=False, activated=True),
        "network 10.255.0.3/32": Announced(),
    }


def rendering(rows: dict[str, BgpRow]) -> tuple[Settings, Rendered]:
    settings = Settings(Bgp(rows))
    rendered = render("switch", "frr", "leaf01", settings, Facts("frr"))
    return settings.with_(Persistence(frr.persisted(rendered))), rendered


def change(reading: Reading, wanted: Settings, rendered: Rendered) -> Steps:
    return frr.steps(reading, rendered, compare("leaf01", reading.settings, wanted, SCOPE, {}), SCOPE)


@pytest.mark.parametrize(
    ("begin", "saved"),
    [(BLANK_OF_OURS, None), (PEER_GROUP, FAMILY_BY_DEFAULT), (OTHER_AS, PEER_GROUP), (FAMILY_BY_DEFAULT, "!\n")],
    ids=["from-no-bgp", "from-peer-group", "from-other-as", "from-family-by-default"],
)
def test_a_change_leads_to_what_is_wanted_and_its_undo_back(any_node: Node, begin: str, saved: str | None) -> None:
    node = any_node
    node.start_from(begin, saved)
    wanted, rendered = rendering(wanted_rows())
    before, startup = node.read(), node.folder / "frr.conf"
    kept = startup.read_text() if saved else None
    change_now = change(before, wanted, rendered)

    node.carry_out(change_now.do)
    after = node.read()
    assert not compare("leaf01", after.settings, wanted, SCOPE, {})
    assert change(after, wanted, rendered) == Steps()
    for foreign in ("ip route 198.51.100.0/24 Null0", "route-map FOREIGN permit 10"):
        assert foreign in node.running()
    if begin != BLANK_OF_OURS:
        assert " neighbor 192.0.2.2 remote-as 64999\n" in node.running()
    assert sorted(p.name for p in node.folder.iterdir()) == ["frr.conf", "vtysh.conf"]
    assert (startup.owner(), startup.group(), startup.stat().st_mode & 0o777) == ("frr", "frr", 0o640)

    node.carry_out(change_now.undo)
    assert node.running() == before.outputs[frr.RUNNING.text].text
    assert (startup.read_text() if startup.exists() else None) == kept


def test_the_change_leaves_nothing_to_reload(any_node: Node) -> None:
    node = any_node
    node.start_from(PEER_GROUP, None)
    wanted, rendered = rendering(wanted_rows(max_paths=256))
    reading = node.read()
    steps = change(reading, wanted, rendered)
    node.carry_out(steps.do)
    put = [step for step in steps.do if isinstance(step, Put) and step.path == frr.CANDIDATE][-1]
    node.carry_out((put,))
    listed = node.run(Command(f"/usr/lib/frr/frr-reload.py --test --stdout {put.path}"))
    assert listed.ok
    assert "Lines To" not in listed.text
    assert change(node.read(), wanted, rendered) == Steps()


def test_what_is_recorded_brings_the_node_back(node: Node) -> None:
    node.start_from(PEER_GROUP, PEER_GROUP)
    before = node.read()
    back = Rendered("leaf01", {"frr.conf": frr.recorded(before, SCOPE)})
    wanted, rendered = rendering(wanted_rows(asn=65102))
    node.carry_out(change(before, wanted, rendered).do)

    changed = node.read()
    earlier = before.settings.within(SCOPE).with_(Persistence(frr.persisted(back)))
    node.carry_out(change(changed, earlier, back).do)
    assert node.running() == before.outputs[frr.RUNNING.text].text


def test_only_the_file_is_written_when_only_the_file_differs(node: Node) -> None:
    node.start_from(PEER_GROUP, None)
    wanted, rendered = rendering(wanted_rows())
    node.carry_out(change(node.read(), wanted, rendered).do)
    (node.folder / "frr.conf").unlink()
    steps = change(node.read(), wanted, rendered)
    assert [(type(s), s.path) for s in steps.do if isinstance(s, Put)] == [(Put, "/etc/frr/frr.conf")]
    assert len(steps.do) == 1
    node.carry_out(steps.do)
    assert change(node.read(), wanted, rendered) == Steps()


def test_a_foreign_line_that_came_meanwhile_stops_the_reload(node: Node) -> None:
    node.start_from(PEER_GROUP, None)
    wanted, rendered = rendering(wanted_rows())
    steps = change(node.read(), wanted, rendered)
    node.run(Command("vtysh -c 'configure terminal' -c 'ip route 203.0.113.0/24 Null0'"))
    before = node.running()
    with pytest.raises(AssertionError, match=r"not ours, and would be deleted: no ip route 203.0.113.0/24 Null0"):
        node.carry_out(steps.do)
    assert node.running() == before


def test_a_foreign_neighbour_that_came_meanwhile_stops_the_reload(node: Node) -> None:
    node.start_from(PEER_GROUP, None)
    wanted, rendered = rendering(wanted_rows())
    steps = change(node.read(), wanted, rendered)
    node.run(Command("vtysh -c 'configure terminal' -c 'router bgp 65101' -c 'neighbor 192.0.2.3 remote-as 64998'"))
    with pytest.raises(AssertionError, match=r"router bgp 65101 > no neighbor 192.0.2.3 remote-as 64998"):
        node.carry_out(steps.do)


def test_a_word_that_frr_does_not_know_stops_before_anything_is_loaded(node: Node) -> None:
    node.start_from(PEER_GROUP, None)
    wanted, rendered = rendering(wanted_rows())
    bad = Rendered("leaf01", {"frr.conf": rendered.texts["frr.conf"].replace("swp1 activate", "swp1 avtivate")})
    before = node.read()
    with pytest.raises(AssertionError, match=r"Unknown command.*avtivate"):
        node.carry_out(change(before, wanted, bad).do)
    assert node.running() == before.outputs[frr.RUNNING.text].text


def test_a_wider_ecmp_touches_no_session(node: Node) -> None:
    node.start_from(PEER_GROUP, None)
    wanted, rendered = rendering(wanted_rows())
    node.carry_out(change(node.read(), wanted, rendered).do)
    wider, wider_rendered = rendering(wanted_rows(max_paths=32))
    steps = change(node.read(), wider, wider_rendered)
    assert max(step.impact for step in steps.do) == Impact.HITLESS
    node.carry_out(steps.do)
    assert change(node.read(), wider, wider_rendered) == Steps()


def test_state_is_read_while_bgpd_runs_and_when_it_does_not(node: Node) -> None:
    node.start_from(PEER_GROUP, None)
    sessions, paths = frr.state_readers(Facts("frr"))
    facts = Facts("frr")

    def state() -> tuple[object, object]:
        return tuple(r.parse(facts, tuple(map(node.run, r.commands))) for r in (sessions, paths))

    now, ways = state()
    assert isinstance(now, Sessions)
    assert now.rows.keys() == {"swp1", "swp3", "10.0.0.1", "192.0.2.2"}  # swp3 carries IPv6 alone
    assert ways == Paths({})
    node.run(Command("kill $(cat /run/frr/bgpd.pid)"))
    deadline = time.monotonic() + 10
    while "bgpd" in node.run(frr.DAEMONS).text and time.monotonic() < deadline:
        time.sleep(0.1)
    try:
        assert state() == (Sessions({}), Paths({}))
        assert Bgp not in {type(facet) for facet in node.read().settings}
    finally:
        node.run(Command(f"/usr/lib/frr/bgpd -d -A 127.0.0.1 -F {node.profile} -f /dev/null"))
