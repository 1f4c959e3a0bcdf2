"""What is expected of a fabric of which some nodes are planned and some in maintenance."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from fabric.changes.change import Change, Steps
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.reading import Reading
from fabric.changes.steps import Impact, Put
from fabric.checks.contract import Seen
from fabric.checks.runner import checks, run
from fabric.platforms.contract import Pong
from fabric.results import CheckResult, Status
from fabric.settings.links import Port
from fabric.settings.state.ports import Ports, PortState
from fabric.settings.state.sessions import Session, Sessions
from fabric.workflows.gate import Gate, neighbourhood, quick_checks
from fabric.workflows.planning import _affected
from fabric.workflows.states import in_state, judged, present, spared
from fabric.workflows.waves import waves

_SPEC = spec_from_file_location("checks_conftest", Path(__file__).parents[1] / "checks" / "conftest.py")
fabrics = module_from_spec(_SPEC)
_SPEC.loader.exec_module(fabrics)

BASE = {
    "topology": {
        "switches": {"spine": {"count": 3}, "leaf": {"count": 3}},
        "hosts": {"gpu": {"count": 3}},
    }
}


def designed(planned=(), maintenance=(), patch=BASE):
    built = fabrics.designed(patch)
    states = dict.fromkeys(planned, "planned") | dict.fromkeys(maintenance, "maintenance")
    nodes = {name: replace(node, state=states.get(name, "active")) for name, node in built.network.nodes.items()}
    return replace(built, network=replace(built.network, nodes=nodes))


def reports(built, gone, packets):
    """What nodes report when the ``gone`` are not there and all else is in order."""
    whole = built.network
    states = dict.fromkeys(gone, "planned")
    nodes = {name: replace(node, state=states.get(name, "active")) for name, node in whole.nodes.items()}
    rest = present(replace(built, network=replace(whole, nodes=nodes))).network
    found = {}
    for name in rest.nodes:
        state = fabrics.in_order(rest, name, packets)
        dead = [own.port for _, own, far in whole.links_of[name] if far.node in gone]
        sessions = dict(state.rows(Sessions))
        sessions |= {port: replace(sessions[port], state="Active") for port in dead if port in sessions}
        ports = {**state.rows(Ports), **{port: PortState(up=False) for port in dead}}
        found[name] = Reading(
            name, rest.nodes[name].facts, rest.nodes[name].settings, state.with_(Ports(ports), Sessions(sessions))
        )
    return found


def look(built, gone=(), unreached=(), **changed):
    """All results of all checks, each with two samples and the echoes that would come back."""
    asked = frozenset(built.network.nodes) - in_state(built.network, "planned")
    after = {name: got for name, got in reports(built, gone, 1000).items() if name in asked}
    before = {name: got for name, got in reports(built, gone, 0).items() if name in asked}
    for name, state in changed.items():
        after[name] = replace(after[name], state=after[name].state.with_(*state))
    results = []
    for check in checks():
        pings = check.stimulus(present(built)) if check.stimulus else ()
        pongs = tuple(
            Pong(p, p.count, 0 if owner(built, p.destination) in gone else p.count) for p in pings if p.node not in gone
        )
        seen = Seen(built, after, before if check.samples == 2 else {}, pongs, dict.fromkeys(unreached, "no answer"))
        results += judged((check,), seen)
    return results


def owner(built, address):
    return next((rail.node for rail in built.rails if rail.address.partition("/")[0] == address), "")


def not_passed(results):
    return {
        (each.check, each.at): (each.status, each.message, each.announced)
        for each in results
        if each.status is not Status.PASS
    }


# What only switches with a chip, NICs that are no software, or nodes with a release can tell: there are none here.
OF_CHIPS = {
    "hosts.pcie-distance",
    "management.release",
    "queues.counters",
    "queues.ecn-before-pfc",
    "queues.headroom-watermark",
}


def test_a_fabric_without_states_is_judged_as_it_is():
    results = look(designed())
    assert not_passed(results) == {}
    assert {each.check for each in results} == {check.id for check in checks()} - OF_CHIPS


def test_links_and_sessions_with_planned_nodes_are_skipped_with_the_reason():
    built = designed(planned=["spine03"])
    found = not_passed(look(built, gone=["spine03"]))
    expected = {
        (check, f"leaf0{leaf}:{port}")
        for leaf in (1, 2, 3)
        for port in [own.port for _, own, far in built.network.links_of[f"leaf0{leaf}"] if far.node == "spine03"]
        for check in ("cabling.lldp", "links.up", "routing.bgp-sessions")
    }
    assert found.keys() == expected
    assert set(found.values()) == {(Status.SKIP, "spine03 is planned", True)}


def test_the_ways_around_a_planned_node_are_judged_without_it():
    results = look(designed(planned=["spine03", "leaf02", "gpu02"]), gone=["spine03", "leaf02", "gpu02"])
    assert {each.status for each in results} == {Status.PASS, Status.SKIP}
    assert {each.message.rpartition(" is ")[2] for each in results if each.status is Status.SKIP} == {"planned"}
    widths = [each for each in results if each.check == "routing.ecmp-width"]
    assert [(each.at, each.status) for each in widths] == [("leaf01", Status.PASS), ("leaf03", Status.PASS)]
    assert {each.at for each in results if each.check == "links.mtu-path"} == {"gpu01:eth1", "gpu03:eth1"}
    assert not [each for each in results if each.at.partition(":")[0] in {"spine03", "leaf02", "gpu02"}]


def test_a_planned_node_that_is_cabled_already_is_no_fault():
    assert {each.status for each in look(designed(planned=["gpu02"]), gone=[])} == {Status.PASS}


def test_another_fault_beside_a_planned_node_is_still_one():
    built = designed(planned=["spine03"])
    down = Ports({own.port: PortState(up=False) for _, own, _ in built.network.links_of["leaf01"]})
    results = look(built, gone=["spine03"], leaf01=[down])
    bad = {each.at for each in results if each.status is Status.FAIL}
    assert {at for at in bad if at.startswith("leaf01:")} == {
        f"leaf01:{own.port}" for _, own, far in built.network.links_of["leaf01"] if far.node in ("spine01", "spine02")
    }


def test_a_node_in_maintenance_that_does_not_answer_takes_nothing_with_it():
    built = designed(maintenance=["spine02"])
    results = look(built, gone=["spine02"], unreached=["spine02"])
    assert {each.status for each in results} == {Status.PASS, Status.SKIP}
    skips = [each for each in results if each.status is Status.SKIP]
    assert all(each.announced and each.message.startswith("spine02 is in maintenance: ") for each in skips)
    assert ("management.reachable", "spine02") in {(each.check, each.at) for each in skips}
    assert ("routing.ecmp-width", "leaf01") in {(each.check, each.at) for each in skips}


def test_a_host_in_maintenance_excuses_the_echoes_that_it_does_not_send():
    built = designed(maintenance=["gpu02"])
    results = look(built, gone=["gpu02"], unreached=["gpu02"])
    assert {each.status for each in results} == {Status.PASS, Status.SKIP}
    (lost,) = (each for each in results if each.at == "gpu01:eth1" and each.check == "links.mtu-path")
    assert lost.message.startswith("gpu02 is in maintenance: ")


def test_a_node_in_maintenance_that_is_well_changes_nothing():
    assert {each.status for each in look(designed(maintenance=["spine02", "leaf01"]))} == {Status.PASS}


def test_a_fault_that_maintenance_does_not_explain_is_still_one():
    built = designed(maintenance=["spine02"])
    (port,) = (own.port for _, own, far in built.network.links_of["leaf01"] if far.node == "spine01")
    sessions = {
        key: Session("Established", 4, 0) for key in [own.port for _, own, _ in built.network.links_of["leaf01"]]
    }
    results = look(
        built,
        gone=["spine02"],
        unreached=["spine02"],
        leaf01=[Sessions(sessions | {port: Session("Idle", 4, 0)})],
    )
    assert [(each.check, each.at) for each in results if each.status is Status.FAIL] == [
        ("routing.bgp-sessions", f"leaf01:{port}")
    ]


def test_settings_that_differ_in_maintenance_are_skipped_and_elsewhere_are_not():
    built = designed(maintenance=["leaf01"])
    results = [
        CheckResult("settings.match", "leaf01", Status.FAIL, "pfc differs"),
        CheckResult("settings.match", "leaf02", Status.FAIL, "pfc differs"),
        CheckResult("settings.match", "leaf03", Status.PASS, "set as designed"),
    ]
    assert [(each.status, each.message) for each in spared(built, results)] == [
        (Status.SKIP, "leaf01 is in maintenance: pfc differs"),
        (Status.FAIL, "pfc differs"),
        (Status.PASS, "set as designed"),
    ]


def test_the_gate_looks_at_no_planned_node_and_holds_nothing_against_maintenance():
    built = designed(planned=["spine03"], maintenance=["spine02"])
    assert neighbourhood(built, ["leaf01"]) == {"leaf01", "gpu01", "spine01", "spine02"}
    before = judged(quick_checks(), Seen(built, reports(built, ["spine03"], 0)))
    gone = reports(built, ["spine03", "spine02"], 0)
    after = judged(quick_checks(), Seen(built, gone, unreached={"spine02": "no answer"}))
    assert {(each.check, each.at) for each in before if each.status is Status.PASS} > {
        (each.check, each.at) for each in after if each.status is Status.PASS
    }
    assert all(each.status is Status.PASS or each.announced for each in after)


def test_a_polled_gate_goes_on_when_only_maintenance_got_worse(table):
    built = designed(maintenance=["leaf01"])
    passed = CheckResult("management.reachable", "leaf01", Status.PASS, "answers")
    table.refuse = 99
    gate = Gate(built, table, jobs=1, deadline=0)
    assert gate.wait(["leaf01"], [passed], lambda: True) == ()
    well = replace(passed, at="spine01")
    assert [each.at for each in gate.wait(["leaf01"], [passed, well], lambda: True)] == ["spine01"]


def test_planned_switches_do_not_make_room_for_larger_waves():
    built = designed(planned=["spine02", "spine03"])
    row = RowDelta("links", "swp1", Port(1500), Port(9000), ("mtu",))
    changes = {name: Change(name, Delta(name, (row,)), Steps()) for name in ("spine01",)}
    four = designed(planned=["spine03", "spine04"], patch={"topology": {"switches": {"spine": {"count": 4}}}})
    both = {name: Change(name, Delta(name, (row,)), Steps()) for name in ("spine01", "spine02")}
    assert waves(built.network, changes) == (("spine01",),)
    assert waves(four.network, both) == (("spine01",), ("spine02",))


def test_planned_hosts_feel_nothing():
    built = designed(planned=["gpu02"], patch={"topology": {"hosts": {"gpu": {"count": 2, "per_group": 2}}}})
    step = Put(why="it flaps", path="/x", content="", impact=Impact.FLAP)
    change = Change("leaf01", Delta("leaf01", ()), Steps(do=(step,)))
    assert _affected(built, change) == ("gpu01",)


def test_a_design_without_planned_nodes_is_the_design_itself():
    built = designed(maintenance=["leaf01"])
    assert present(built) is built


@pytest.mark.parametrize("planned", [["leaf01"], ["gpu01"], ["spine01", "spine02", "spine03"]])
def test_every_check_runs_on_what_is_left(planned):
    built = present(designed(planned=planned))
    found = run(checks(), Seen(built, reports(built, [], 0), reports(built, [], 0)))
    assert not [each for each in found if each.status is Status.ERROR]
    assert {rail.node for rail in built.rails} | {rail.leaf for rail in built.rails} <= built.network.nodes.keys()
