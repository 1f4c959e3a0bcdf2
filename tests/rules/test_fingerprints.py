"""A finding is known again by its fingerprint when the file is written otherwise, and told from any other."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

import pytest

from fabric.design.build import design
from fabric.intent.loader import parse
from fabric.intent.source import Source
from fabric.results import Finding, Severity
from fabric.rules.contract import SECTIONS, Rule, Subjects, Violation
from fabric.rules.grouping import grouped
from fabric.rules.identity import identity
from fabric.rules.runner import run, run_rules

PAGE = "A rule.\n\n" + "\n\n".join(f"{title}\n    Text." for title in SECTIONS)
FOUND = Finding("a.rule", Severity.ERROR, "leaf01.links", "it is wrong", "3", "2", "mend it")

# Rules that find something in the file below, each about one object.
LASTING = (
    *("cabling.length-missing", "classes.duplicate", "classes.shares", "classes.shared-queue"),
    *("routing.shared-as", "waivers.*"),
)
LAB = {
    "fabric": "small",
    "topology": {
        "switches": {
            "spine": {"count": 2, "system": "frr", "model": "linux", "asn": {"first": 65000, "per": "tier"}},
            "leaf": {"count": 2, "system": "frr", "model": "linux", "asn": {"first": 65101, "per": "tier"}},
        },
        "hosts": {"gpu": {"count": 6, "nics": 2, "nic": "soft-roce", "attach": "rail", "per_group": 6}},
        "cables": [
            {"from": "leaf", "to": "spine", "speed": "10G", "length_m": 5},
            {"from": "gpu", "to": "leaf", "speed": "10G"},
        ],
    },
    "addressing": {"loopbacks": "10.255.0.0/16", "links": "unnumbered", "hosts": "10.64.0.0/12", "mtu": 9000},
    "classes": {
        "rdma": {"rdma": True, "dscp": 26, "priority": 3, "lossless": True, "share": "60%"},
        "bulk": {"dscp": 10, "priority": 3, "share": "30%"},
        "default": {"priority": 0, "share": "20%"},
    },
    "waivers": [
        {"rule": "topology.one-spine", "at": "leaf*", "reason": "old"},
        {"rule": "links.mtu", "at": "leaf*", "reason": "old"},
    ],
}


def document(plain, indent=None):
    text = json.dumps(plain, indent=indent)
    return parse(Source("fabric.yaml", text, sha256(text.encode()).hexdigest()))


def fingerprints(plain, indent=None, select=()):
    read = document(plain, indent)
    return {each.fingerprint for each in run(Subjects(read, design(read)), select)}


def reversed_keys(value):
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(value)}
    return value


def changed(**sections):
    return json.loads(json.dumps(LAB)) | sections


def test_every_object_of_the_file_has_a_fingerprint_of_its_own():
    read = document(LAB)
    found = run(Subjects(read, design(read)))
    assert len(found) > 5
    assert len({each.fingerprint for each in found}) == len(found)
    assert all(len(each.fingerprint) == 16 for each in found)


@pytest.mark.parametrize("indent", [1, 4])
def test_another_layout_of_the_file_changes_none(indent):
    assert fingerprints(LAB, indent) == fingerprints(LAB)


def test_another_order_of_keys_changes_none():
    other = reversed_keys(LAB)
    # Of two classes that collide the later one is named, so that their order says which.
    other["classes"] = {name: other["classes"][name] for name in LAB["classes"]}
    assert list(other) == list(reversed(LAB))
    assert len(fingerprints(LAB, select=LASTING)) > len(LASTING)
    assert fingerprints(other, 2, LASTING) == fingerprints(LAB, select=LASTING)


def test_entries_before_others_in_a_list_change_only_their_own():
    waivers = [{"rule": "ecn.tiny", "at": "*", "reason": "new", "until": "2099-01-01"}, *reversed(LAB["waivers"])]
    external = [{"node": "leaf01", "port": "swp60"}]
    assert fingerprints(LAB) <= fingerprints(changed(waivers=waivers, external=external))


def test_hosts_and_cables_elsewhere_change_none():
    store = {"count": 1, "nics": 1, "nic": "soft-roce", "attach": "leaf", "per_group": 1}
    cable = {"from": "store", "to": "leaf", "speed": "10G", "length_m": 2, "to_ports": "50"}
    to_gpu = {**LAB["topology"]["cables"][1], "to_ports": "1-40"}
    topology = LAB["topology"] | {
        "hosts": LAB["topology"]["hosts"] | {"store": store},
        "cables": [cable, LAB["topology"]["cables"][0], to_gpu],
    }
    about = ("cabling.length-missing", "classes.duplicate", "routing.shared-as")
    assert len(fingerprints(LAB, select=about)) == 3
    assert fingerprints(changed(topology=topology), select=about) == fingerprints(LAB, select=about)


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"message": "it is 7 of 9"}, True),
        ({"measured": "4", "bound": "5", "fix": "mend that"}, True),
        ({"severity": Severity.NOTE}, True),
        ({"waived": "we know"}, True),
        ({"rule": "a.another"}, False),
        ({"path": "leaf02.links"}, False),
    ],
    ids=["message", "numbers", "severity", "waiver", "rule", "object"],
)
def test_it_hangs_on_rule_and_object_alone(change, same):
    assert (replace(FOUND, **change).fingerprint == FOUND.fingerprint) is same


def test_several_findings_about_one_object_are_told_apart(subjects_of):
    def check(network):
        yield Violation("leaf01", "one")
        yield Violation("leaf01", "two", bound="2")
        yield Violation("leaf02", "one", bound=str(len(network.nodes)))

    found = run_rules([Rule("a.rule", PAGE, Severity.ERROR, ("network",), check)], subjects_of({}))
    assert [each.identity for each in found] == ["leaf01", "leaf01 #2", "leaf02"]


def test_a_group_is_the_same_when_others_join_and_when_roles_change_places():
    spine, leaf, more = (replace(FOUND, path=f"{name}.links") for name in ("spine01", "leaf01", "leaf02"))
    groups = [(spine, leaf), (leaf, spine), (leaf, more, spine), (more, spine, leaf)]
    assert {grouped(group)[0].fingerprint for group in groups} == {leaf.fingerprint}
    assert grouped((spine, more))[0].fingerprint != leaf.fingerprint


def test_entries_of_lists_go_by_what_they_are_about():
    cables = [*LAB["topology"]["cables"], {"match": "leaf01:swp1", "length_m": 9}]
    external = [{"node": "leaf01", "port": "swp60"}, {"node": "leaf*", "neighbor": "192.0.2.1"}]
    twice = [{"rule": "a.b", "at": "x", "reason": "one"}, {"rule": "a.b", "at": "x", "reason": "two"}]
    read = document(changed(topology=LAB["topology"] | {"cables": cables}, external=external, waivers=twice))
    assert {path: identity(path, read) for path in PATHS} == PATHS
    assert identity("waivers.0.rule", None) == "waivers.0.rule"


PATHS = {
    "topology.cables.0": "topology.cables[leaf to spine]",
    "topology.cables.1.length_m": "topology.cables[gpu to leaf].length_m",
    "topology.cables.2": "topology.cables[match leaf01:swp1]",
    "external.0": "external[leaf01 swp60]",
    "external.1.neighbor": "external[leaf* 192.0.2.1].neighbor",
    "waivers.0.until": "waivers[a.b at x].until",
    "waivers.1.until": "waivers[a.b at x #2].until",
    "waivers.2": "waivers.2",
    "leaf01.links.swp1": "leaf01.links.swp1",
    "topology.cables": "topology.cables",
}
