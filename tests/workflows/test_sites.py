"""From a file to the nodes that a command works on: what is waived, what is planned, and what is missing to log in."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.changes.reading import Reading
from fabric.changes.run import NodeState
from fabric.errors import IntentError, UsageError
from fabric.settings.bgp import Bgp
from fabric.transport.record import Recording, save
from fabric.workflows.journal import Journal
from fabric.workflows.mixture import interim, raised
from fabric.workflows.prepare import prepare, sound
from fabric.workflows.reach import anchored
from fabric.workflows.site import Choice, of_run, site

BASE = Path(__file__).parents[1] / "rules" / "base.yaml"


@pytest.fixture
def file(tmp_path):
    """A function that writes the small fabric with some keys added or replaced."""

    def write(**keys):
        yaml = YAML()
        data = yaml.load(BASE.read_text())
        for key, value in keys.items():
            data[key] = data[key] | value if isinstance(value, dict) and key in data else value
        with (tmp_path / "fabric.yaml").open("w") as out:
            yaml.dump(data, out)
        return tmp_path / "fabric.yaml"

    return write


@pytest.fixture
def recorded(tmp_path):
    """A recording of the small fabric in which nobody has said anything."""
    save(Recording("small", {}), tmp_path / "kept", str)
    return tmp_path / "kept"


SHARED = {"rule": "routing.shared-as", "at": "*", "reason": "allowas-in is set by hand", "until": "2027-06-30"}


def shared_as(file, *waivers):
    wanted = file(waivers=list(waivers))
    wanted.write_text(wanted.read_text().replace("per: device", "per: tier"))
    return wanted


def test_a_waived_error_stops_nothing(file):
    prepared = prepare(shared_as(file, SHARED), date(2027, 6, 30))
    assert prepared.errors == ()
    assert [(each.rule, each.waived, each.until) for each in prepared.waived] == [
        ("routing.shared-as", "allowas-in is set by hand", date(2027, 6, 30))
    ]


def test_an_error_stops_again_on_the_day_after_the_waiver(file):
    prepared = prepare(shared_as(file, SHARED), date(2027, 7, 1))
    assert [each.rule for each in prepared.errors] == ["routing.shared-as"]
    assert prepared.today == date(2027, 7, 1)


def test_without_a_day_the_clock_decides(file):
    assert sound(shared_as(file, SHARED | {"until": "9999-12-31"})).errors == ()
    with pytest.raises(IntentError, match=r"routing\.shared-as"):
        sound(shared_as(file, SHARED | {"until": "2020-01-01"}))


@pytest.mark.parametrize(("until", "stops"), [("2027-06-30", False), ("2025-06-30", True)], ids=["valid", "ended"])
def test_what_is_found_on_devices_is_waived_like_what_is_in_the_file(file, until, stops):
    prepared = prepare(file(waivers=[SHARED | {"until": until}]), date(2026, 7, 1))
    nodes = prepared.design.network.nodes
    rows = dict(nodes["leaf02"].settings.rows(Bgp))
    rows["router"] = replace(rows["router"], asn=nodes["leaf01"].settings.rows(Bgp)["router"].asn)
    read = {"leaf02": nodes["leaf02"].settings.with_(Bgp(rows))}
    (found,) = raised(prepared, read)
    assert (found.rule, found.stops) == ("routing.shared-as", stops)


@pytest.mark.parametrize(("waivers", "told"), [([], ["routing.shared-as"]), ([SHARED], [])], ids=["open", "waived"])
def test_what_is_accepted_is_not_told_of_the_time_between_waves(file, waivers, told):
    prepared = prepare(file(waivers=waivers), date(2027, 6, 30))
    nodes = prepared.design.network.nodes
    wanted = nodes["leaf01"].settings.rows(Bgp)["router"].asn
    readings = {}
    for name, asn in (("leaf01", 65199), ("leaf02", wanted)):  # leaf01 is to get the number that leaf02 has
        rows = dict(nodes[name].settings.rows(Bgp))
        rows["router"] = replace(rows["router"], asn=asn)
        readings[name] = Reading(name, nodes[name].facts, nodes[name].settings.with_(Bgp(rows)))
    found = interim(prepared, readings, (("leaf01",), ("leaf02",)))
    assert [each.rule for each in found.get(1, ())] == told


def test_key_files_lie_beside_the_intent_unless_they_say_otherwise(file):
    keys = {"switches": "keys/admin", "hosts": "/etc/keys/root"}
    access = {kind: {"user": "me", "key": {"file": key}} for kind, key in keys.items()}
    jump = {"jump": {"near": {"host": "h", "key": {"file": "jump"}}, "home": {"host": "h", "key": {"file": "~/k"}}}}
    used = {kind: rule | {"jump": name} for (kind, rule), name in zip(access.items(), jump["jump"], strict=True)}
    wanted = file(access=used | jump)
    found = anchored(prepare(wanted).document).access
    assert found.switches.key.file == str(wanted.parent / "keys/admin")
    assert found.hosts.key.file == "/etc/keys/root"
    assert {name: each.key.file for name, each in found.jump.items()} == {
        "near": str(wanted.parent / "jump"),
        "home": "~/k",
    }
    assert anchored(prepare(BASE).document).access is None


def test_planned_nodes_are_left_out_and_said_in_one_line(file, recorded):
    said = []
    wanted = file(
        nodes={"spine02": {"state": "planned"}, "gpu02": {"state": "planned"}, "leaf01": {"state": "maintenance"}}
    )
    chosen = site(Choice(wanted, against=recorded), said.append, None)
    assert list(chosen.nodes) == ["spine01", "leaf01", "leaf02", "gpu01"]
    assert said == ["left out, as their state is planned: spine02, gpu02"]


def test_a_limit_that_names_only_planned_nodes_leaves_none(file, recorded):
    said = []
    wanted = file(nodes={"spine02": {"state": "planned"}})
    assert site(Choice(wanted, limit="spine02", against=recorded), said.append, None).nodes == {}
    assert said == ["left out, as their state is planned: spine02"]
    assert len(site(Choice(wanted, limit="leaf*", against=recorded), said.append, None).nodes) == 2
    assert len(said) == 1


def test_many_planned_nodes_still_make_one_line(file, recorded):
    said = []
    wanted = file(nodes={"gpu*": {"state": "planned"}})
    wanted.write_text(
        wanted.read_text().replace("count: 2, nics", "count: 20, nics").replace("per_group: 2", "per_group: 20")
    )
    site(Choice(wanted, against=recorded), said.append, None)
    assert said == ["left out, as their state is planned: gpu01 .. gpu20 (20)"]


def test_a_run_is_undone_on_nodes_too_that_are_planned_by_now(file, recorded, tmp_path, monkeypatch):
    monkeypatch.setenv("FABRIC_STATE", str(tmp_path / "state"))
    wanted = file(nodes={"spine02": {"state": "planned"}, "leaf02": {"state": "planned"}})
    journal = Journal()
    run = journal.begin("apply", "small", str(wanted), "digest", {})
    for node, state in (("spine02", NodeState.DONE), ("leaf02", NodeState.DEFERRED)):
        journal.enter(run, node, 1, "")
        journal.note(run, node, state, "")
    names = list(of_run(run, Choice(against=recorded), [].append, None).nodes)
    assert names == ["spine01", "spine02", "leaf01", "gpu01", "gpu02"]


def test_a_password_that_is_missing_is_said_before_any_node_is_reached(file, monkeypatch, tmp_path):
    monkeypatch.setenv("FABRIC_STATE", str(tmp_path / "state"))
    wanted = file(access={"switches": {"user": "admin", "password": {"env": "LEAVES"}}})
    with pytest.raises(UsageError, match="from the variable LEAVES, which is not set"):
        site(Choice(wanted), lambda _: None, None)
