"""What the rules say of the inventories, each with the reason why it is right to say so. Anything more is news."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.design.build import design
from fabric.intent.loader import load
from fabric.results import Severity
from fabric.rules.contract import Subjects
from fabric.rules.runner import run

INVENTORIES = Path(__file__).parents[2] / "inventories"

# Rule, object, measured, and why it is true of the inventory. What this release can set on devices (the rules of group
# systems) is not a property of the fabrics, and belongs to the tests of these rules.
EXPECTED = {
    "lab": [
        (
            "topology.losing-one-spine",
            "leaf01.links",
            "2.00",
            "two spines, one link of 10G to each, under two hosts of 10G: half is left when one of them is down",
        ),
        (
            "topology.stride-missing",
            "topology.hosts.gpu",
            "without topology.hosts.gpu.stride",
            "four hosts in two groups of two leaves: with a third NIC the second group would begin at leaf04",
        ),
    ],
    "pod16": [
        (
            "topology.losing-one-spine",
            "leaf01.links",
            "2.00",
            "two spines with 8 x 400G each under 16 hosts of 400G: 3.2 of 6.4 Tbit/s are left when one of them is down",
        ),
    ],
    "ai1024": [
        (
            "topology.stride-missing",
            "topology.cables.1",
            "without topology.cables.1.planes, topology.cables.1.stride, topology.hosts.gpu.stride",
            "16 planes follow from the 16 spines of a pod, and the 128 hosts of a pod are two groups of eight leaves",
        ),
    ],
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_rules_say_of_an_inventory_what_is_justified_and_nothing_else(name):
    document = load(INVENTORIES / name)
    found = [each for each in run(Subjects(document, design(document))) if not each.rule.startswith("systems.")]
    assert {each.severity for each in found} <= {Severity.NOTE}
    assert [(each.rule, each.path, each.measured) for each in found] == [row[:3] for row in EXPECTED[name]]
    assert all(each.place is not None for each in found)
