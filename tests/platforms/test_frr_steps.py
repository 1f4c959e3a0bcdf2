"""Steps of FRR: what is done, what it does to traffic, and the guard, with FRR's own lists replayed."""

from __future__ import annotations

import subprocess
from ipaddress import ip_network
from pathlib import Path

import pytest

from fabric.changes.change import Steps
from fabric.changes.command import Effect, Output
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.changes.steps import Impact, Put, Run
from fabric.errors import PlatformError
from fabric.platforms.parts import frr
from fabric.platforms.parts.frr_guard import guard, permitted
from fabric.platforms.parts.frr_impact import impact
from fabric.platforms.parts.frr_text import parse_config
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.scope import Scope
from fabric.settings.sysctl import Parameter

CAPTURES = Path(__file__).parents[1] / "captures" / "switch" / "frr"
RUNNING = (CAPTURES / "running-config.txt").read_text()
SCOPE = Scope(
    frozenset({"lo", "swp1", "swp2", "swp3"}),
    (ip_network("10.255.0.0/16"),),
    frozenset({"sysctl net.ipv4.ip_forward"}),
)
CONF = RUNNING.replace("Building configuration...\n\nCurrent configuration:\n!\n", "").replace("!\nend\n", "")
BGP_DELTA = Delta("leaf01", (RowDelta("bgp", "router", None, None),))
FILE_DELTA = Delta("leaf01", (RowDelta("persistence", "frr.conf router", None, None),))


def reading(running: str = RUNNING, startup: str | None = CONF) -> Reading:
    saved = (
        Output(frr.STARTUP.text, startup)
        if startup is not None
        else Output(frr.STARTUP.text, "", "cat: /etc/frr/frr.conf: No such file or directory", 1)
    )
    outputs = {frr.RUNNING.text: Output(frr.RUNNING.text, running), frr.STARTUP.text: saved}
    return Reading("leaf01", Facts("frr"), Settings(), outputs=outputs)


def rendered(conf: str = CONF) -> Rendered:
    return Rendered("leaf01", {"frr.conf": conf})


def test_no_difference_makes_no_steps() -> None:
    other = Delta("leaf01", (RowDelta("persistence", "network.sh", None, None), RowDelta("links", "swp1", None, None)))
    for delta in (Delta("leaf01"), other):
        assert frr.steps(reading(), rendered(), delta, SCOPE) == Steps()


def test_a_change_checks_guards_loads_saves_and_cleans() -> None:
    wider = rendered(CONF.replace("maximum-paths 64", "maximum-paths 32"))
    steps = frr.steps(reading(), wider, BGP_DELTA, SCOPE)
    assert [step.path if isinstance(step, Put) else step.command.text.split()[0] for step in steps.do] == [
        "/run/frr/frr.conf",
        "vtysh",
        "sh",
        "sh",
        "rm",
        "/etc/frr/frr.conf",
    ]
    files = [step for step in (*steps.do, *steps.undo) if isinstance(step, Put)]
    assert {(step.owner, step.mode) for step in files} == {("frr:frr", 0o640)}
    assert [("maximum-paths 32" in step.content) for step in files] == [True, True, False, False]
    assert all(step.why and step.repeatable for step in (*steps.do, *steps.undo))
    assert {step.impact for step in (*steps.do, *steps.undo)} == {Impact.HITLESS}
    reads = [step.command.text for step in steps.do if isinstance(step, Run) and step.command.effect is Effect.READS]
    assert [text.split()[0] for text in reads] == ["vtysh", "sh"]


def test_a_file_alone_is_only_written_and_a_missing_one_taken_away_again() -> None:
    steps = frr.steps(reading(startup=None), rendered(), FILE_DELTA, SCOPE)
    assert [type(step) for step in steps.do] == [Put]
    assert [step.command.text for step in steps.undo if isinstance(step, Run)] == ["rm -f /etc/frr/frr.conf"]
    changed = frr.steps(reading(startup=CONF.replace("64", "8")), rendered(), FILE_DELTA, SCOPE)
    assert [step.content for step in changed.undo if isinstance(step, Put)] == [CONF.replace("64", "8")]


def test_a_file_that_means_the_same_is_not_written() -> None:
    assert frr.steps(reading(), rendered(), FILE_DELTA, SCOPE) == Steps()


def test_a_saved_switch_against_forwarding_is_taken_out() -> None:
    steps = frr.steps(reading(startup=f"no ip forwarding\n{CONF}"), rendered(), FILE_DELTA, SCOPE)
    (put,) = steps.do
    assert isinstance(put, Put)
    assert "no ip forwarding" not in put.content


@pytest.mark.parametrize(("value", "kept"), [("1", False), ("0", True)])
def test_forwarding_is_loaded_as_the_sysctl_rows_want_it(value: str, kept: bool) -> None:
    running = RUNNING.replace("hostname leaf01\n", "hostname leaf01\nno ip forwarding\nno ipv6 forwarding\n")
    rows = (*BGP_DELTA.rows, RowDelta("sysctl", "net.ipv4.ip_forward", Parameter("0"), Parameter(value)))
    removed = RowDelta("sysctl", "net.ipv6.conf.all.forwarding", Parameter("0"), None)
    steps = frr.steps(reading(running), rendered(), Delta("leaf01", (*rows, removed)), SCOPE)
    do, undo = (half[0] for half in (steps.do, steps.undo))
    assert isinstance(do, Put)
    assert isinstance(undo, Put)
    assert ("no ip forwarding\n" in do.content) is kept
    assert "no ipv6 forwarding\n" in do.content
    assert "no ip forwarding\n" in undo.content
    told = steps.do[2]
    assert isinstance(told, Run)
    # By the time FRR is asked, the kernel parameter is set, and its statement gone or there: nothing to delete.
    assert "- ip forwarding\n" not in told.command.stdin


def test_a_neighbour_with_attributes_goes_in_two_halves_checked_as_a_whole_first() -> None:
    running = RUNNING.replace(
        " !\n", " neighbor 10.255.9.9 remote-as 65009\n neighbor 10.255.9.9 description by hand\n !\n", 1
    )
    steps = frr.steps(reading(running), rendered(), BGP_DELTA, SCOPE)
    texts = [step.content for step in steps.do if isinstance(step, Put)]
    seen = [("10.255.9.9" in text, "by hand" in text) for text in texts]
    assert seen == [(False, False), (True, False), (False, False)]
    assert max(step.impact for step in steps.do) == Impact.FLAP


def test_neighbours_on_interfaces_are_shut_down_and_deleted_together_before_the_reload() -> None:
    running = RUNNING.replace(
        " !\n", " neighbor swp3 interface remote-as external\n neighbor swp3 description by hand\n !\n", 1
    )
    steps = frr.steps(reading(running), rendered(), BGP_DELTA, SCOPE)
    whys = [step.why for step in steps.do]
    at = whys.index("take leave of swp3 before they are deleted")
    assert whys[at - 1] == "nothing that is not ours would be deleted"
    assert whys[at + 1].startswith("load it")
    assert steps.do[at].impact is Impact.FLAP
    assert "for peer in swp3;" in steps.do[at].command.text
    assert [step.content for step in steps.do if isinstance(step, Put) and "swp3" in step.content] == []


def test_what_is_missing_is_named() -> None:
    blind = Reading("leaf01", Facts("frr"), Settings())
    with pytest.raises(PlatformError, match="show running-config"):
        frr.steps(blind, rendered(), BGP_DELTA, SCOPE)
    with pytest.raises(PlatformError, match=r"cat /etc/frr/frr\.conf"):
        frr.steps(blind, rendered(), FILE_DELTA, SCOPE)
    with pytest.raises(PlatformError, match=r"no frr\.conf was rendered"):
        frr.steps(reading(), Rendered("leaf01", {}), BGP_DELTA, SCOPE)
    assert frr.persisted(Rendered("leaf01", {})) == {}


def test_what_is_recorded_is_our_part_of_the_running_configuration() -> None:
    text = frr.recorded(reading(), SCOPE)
    assert " neighbor swp1 interface remote-as external\n" in text
    assert "192.0.2.2" not in text


@pytest.mark.parametrize(
    ("change", "worst", "word"),
    [
        (("maximum-paths 64", "maximum-paths 8"), Impact.HITLESS, "no session"),
        ((" neighbor 192", " neighbor swp3 interface remote-as external\n neighbor 192"), Impact.HITLESS, "no session"),
        (("  network", "  network 10.255.1.1/32\n  network"), Impact.HITLESS, "no session"),
        ((" neighbor 192", " neighbor swp1 description x\n neighbor 192"), Impact.HITLESS, "no session"),
        ((" neighbor 192", " neighbor swp1 timers 1 3\n neighbor 192"), Impact.FLAP, "swp1"),
        (("  neighbor swp1 activate\n", ""), Impact.FLAP, "swp1"),
        ((" neighbor swp2 interface remote-as external\n", ""), Impact.FLAP, "swp2"),
        (("router bgp 65101", "router bgp 65102"), Impact.FLAP, "AS number"),
        (("router-id 10.255.0.3", "router-id 10.255.0.4"), Impact.FLAP, "router id"),
        ((" no bgp default", " bgp ebgp-requires-policy\n no bgp default"), Impact.DROP, "policy"),
    ],
)
def test_the_impact_follows_from_what_is_said(change: tuple[str, str], worst: Impact, word: str) -> None:
    found, reason = impact(parse_config(CONF), parse_config(CONF.replace(*change, 1)), SCOPE)
    assert found == worst
    assert word in reason


def test_the_first_and_the_last_router() -> None:
    none, some = parse_config("frr defaults datacenter\n"), parse_config(CONF)
    assert impact(none, some, SCOPE)[0] == Impact.HITLESS
    assert impact(some, none, SCOPE)[0] == Impact.FLAP
    assert permitted(none, some, SCOPE) == ("+ router bgp 65101 > no bgp default ipv4-unicast",)
    assert permitted(some, none, SCOPE)[-1] == "- no router bgp 65101"


@pytest.mark.parametrize(
    ("listing", "code", "loaded"),
    [("", 0, True), ("\nLines To Delete\n===============\nno route-map X permit 10\n", 3, False)],
    ids=["nothing-foreign", "something-foreign"],
)
def test_no_load_goes_without_its_guard(listing: str, code: int, loaded: bool, tmp_path: Path) -> None:
    steps = frr.steps(reading(), rendered(CONF.replace("maximum-paths 64", "maximum-paths 32")), BGP_DELTA, SCOPE)
    loads = [step.command for step in (*steps.do, *steps.undo) if isinstance(step, Run) and step.why.startswith("load")]
    assert len(loads) == 2
    (tmp_path / "frr-reload").write_text(
        f'case "$*" in *--test*) cat {tmp_path}/list;; *) touch {tmp_path}/loaded;; esac'
    )
    (tmp_path / "list").write_text(listing)
    for command in loads:
        text = command.text.replace("/usr/lib/frr/frr-reload.py", f"sh {tmp_path}/frr-reload")
        done = subprocess.run(["sh", "-c", text], input=command.stdin, capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert (tmp_path / "loaded").exists() is loaded


def judged(listing: str, tmp_path: Path, allowed: tuple[str, ...] | None = None) -> tuple[int, str]:
    """Run the guard on a list that frr-reload printed before."""
    now, then = parse_config(CONF), parse_config(CONF.replace("swp2", "swp3"))
    command = guard("/run/frr/frr.conf", allowed if allowed is not None else permitted(now, then, SCOPE))
    (tmp_path / "list").write_text(listing)
    text = command.text.replace(
        "/usr/lib/frr/frr-reload.py --confdir /run/frr --stdout --test", f"cat {tmp_path}/list; :"
    )
    done = subprocess.run(["sh", "-c", text], input=command.stdin, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


OURS = """
Lines To Delete
===============
router bgp 65101
 no bgp router-id 10.255.0.3
router bgp 65101
 no neighbor swp2 interface remote-as external
router bgp 65101
 address-family ipv4 unicast
  no network 10.255.0.3/32
router bgp 65101
 address-family ipv4 unicast
  no neighbor swp2 activate
"""

ADDED = """
Lines To Add
============
router bgp 65101
 no bgp default ipv4-unicast
router bgp 65101
 address-family ipv4 unicast
  neighbor swp3 activate
"""


@pytest.mark.parametrize("listing", ["", OURS, ADDED, OURS + ADDED], ids=["nothing", "deleted", "added", "both"])
def test_the_guard_lets_pass_what_is_ours(listing: str, tmp_path: Path) -> None:
    assert judged(listing, tmp_path) == (0, "")


@pytest.mark.parametrize(
    ("listing", "named"),
    [
        (OURS + " no neighbor swp20 interface remote-as external\n", "router bgp 65101 > no neighbor swp20 interface"),
        (OURS + "router bgp 65101\n no neighbor 192.0.2.2 remote-as 64999\n" + ADDED, "no neighbor 192.0.2.2"),
        (OURS + "no route-map X permit 10\n" + ADDED, "no route-map X permit 10"),
        (OURS + "no router bgp 65101\n", "no router bgp 65101"),
        (ADDED + "no ip route 198.51.100.0/24 Null0\n", "no ip route 198.51.100.0/24 Null0"),
        (ADDED + "vrf BLUE\n no ip route 198.51.100.0/24 Null0\n", "vrf BLUE > no ip route"),
        ("\nLines To Delete\n===============\nno router bgp 65101 vrf BLUE\n", "no router bgp 65101 vrf BLUE"),
    ],
    ids=["longer-name", "neighbour", "route-map", "router", "route", "route-of-a-vrf", "router-of-a-vrf"],
)
def test_the_guard_stops_and_names_what_is_not(listing: str, named: str, tmp_path: Path) -> None:
    code, said = judged(listing, tmp_path)
    assert code == 3
    assert named in said
    assert said.count("not ours") == 1


def test_the_guard_stops_when_frr_cannot_read_the_file(tmp_path: Path) -> None:
    command = guard("/run/frr/frr.conf", ())
    text = command.text.replace("/usr/lib/frr/frr-reload.py", f"{tmp_path}/absent")
    done = subprocess.run(["sh", "-c", text], input=command.stdin, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "absent" in done.stdout
