"""The same rules judge what is designed, what was read, and a mixture of both; and the inventories are clean."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.results import Severity
from fabric.rules.contract import Subjects
from fabric.rules.runner import rules, run, run_rules
from fabric.settings.addresses import Address, Addresses
from fabric.settings.facet import Settings
from fabric.settings.links import Links, Port
from fabric.transport.record import load
from fabric.transport.replay import Replay
from fabric.workflows.mixture import as_read
from fabric.workflows.prepare import prepare
from fabric.workflows.reading import read

INVENTORIES = Path(__file__).parents[2] / "inventories"


def read_of(node, port, mtu):
    """What a device answers that has everything as designed but one MTU, and a bridge that is not ours."""
    links = dict(node.settings.rows(Links)) | {port: Port(mtu=mtu), "docker0": Port(mtu=1500)}
    addresses = dict(node.settings.rows(Addresses)) | {"docker0 172.17.0.1/16": Address()}
    return Settings(Links(links), Addresses(addresses))


@pytest.mark.parametrize(
    ("read", "errors"),
    [
        pytest.param({}, [], id="designed"),
        pytest.param({"spine01": ("swp1", 1500)}, ["spine01.links.swp1"], id="one node read, the others designed"),
        pytest.param(
            {"spine01": ("swp1", 1500), "leaf01": ("swp33", 1500), "gpu01": ("eth1", 9000)},
            ["leaf01.links.swp33"],
            id="both ends read, alike and too small",
        ),
    ],
)
def test_network_rules_judge_designed_read_and_mixed_networks(read, errors, subjects_of):
    whole = subjects_of({})
    nodes = whole.network.nodes
    network = whole.network.with_settings({name: read_of(nodes[name], *row) for name, row in read.items()})
    findings = run(Subjects(whole.document, whole.design, network))
    assert [each.path for each in findings if each.severity is Severity.ERROR] == errors


def test_rules_judge_a_network_alone(subjects_of):
    network = subjects_of({"settings": {"leaf01": {"links": {"swp1": {"mtu": 1500}}}}}).network
    assert [(each.rule, each.place) for each in run(Subjects(network=network)) if each.severity is Severity.ERROR] == [
        ("links.mtu", None)
    ]


@pytest.fixture(scope="module")
def lab():
    """The design of the lab, and what its nodes answered after an apply, through the readers of their platforms."""
    design = prepare(INVENTORIES / "lab").design
    answers = Replay(load(INVENTORIES / "lab" / "recordings" / "applied"))
    return design, {name: read(answers.open(name), node) for name, node in design.network.nodes.items()}


@pytest.mark.parametrize("share", ["designed", "read", "half of the nodes read"])
def test_all_rules_about_networks_say_the_same_of_designed_read_and_mixed_nodes_that_are_alike(lab, share):
    design, readings = lab
    read_nodes = {"designed": [], "read": list(readings), "half of the nodes read": list(readings)[::2]}[share]
    network = design.network.with_settings(as_read(design, {name: readings[name] for name in read_nodes}))
    about_networks = [rule for rule in rules() if rule.subjects == ("network",)]
    expected = run_rules(about_networks, Subjects(network=design.network))
    found = run_rules(about_networks, Subjects(network=network))
    assert [each for each in found if "the rule itself is broken" in each.message] == []
    assert found == expected != ()


def test_all_rules_about_networks_judge_what_was_read_and_nothing_else(lab):
    design, readings = lab
    network = design.network.with_settings({name: reading.settings for name, reading in readings.items()})
    found = run_rules([rule for rule in rules() if rule.subjects == ("network",)], Subjects(network=network))
    assert [each for each in found if "the rule itself is broken" in each.message] == []
    assert [(each.rule, each.path) for each in found if each.severity is Severity.ERROR] == []
