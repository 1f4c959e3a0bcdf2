"""Fabrics that others have described in public, each against what its source says, worked out by hand.

A folder is a case: ``fabric.yaml`` names its source and what was read there, ``expected.yaml`` says what must follow.
"""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from ipaddress import ip_interface
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from fabric.design.model import Design
from fabric.errors import DesignError
from fabric.results import Severity
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Router
from fabric.workflows.prepare import Prepared, prepare

FOLDER = Path(__file__).parent
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/fabric.yaml"))
KEYS = {"nodes", "links", "cables", "addresses", "asns", "oversubscription", "planes", "families", "warnings"}

Expected = Mapping[str, Any]


@cache
def prepared(name: str) -> Prepared:
    return prepare(FOLDER / name)


@cache
def expected(name: str) -> Expected:
    found: Expected = YAML(typ="safe", pure=True).load(FOLDER / name / "expected.yaml")
    assert found.keys() <= KEYS
    return found


def ends(design: Design) -> dict[str, str]:
    """Return the upper end of each cable by its lower end."""
    return {str(link.a): str(link.b) for link in design.network.links}


def bandwidth(design: Design) -> Mapping[str, set[Fraction]]:
    """Return per role of switches that have both the ratios of speed below to speed above."""
    below: dict[str, int] = defaultdict(int)
    above: dict[str, int] = defaultdict(int)
    for link in design.network.links:
        above[link.a.node] += link.speed
        below[link.b.node] += link.speed
    found: dict[str, set[Fraction]] = defaultdict(set)
    for name, node in design.network.nodes.items():
        if name in below and name in above:
            found[node.role].add(Fraction(below[name], above[name]))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_public_fabric_has_the_nodes_of_its_source(name: str) -> None:
    nodes = prepared(name).design.network.nodes.values()
    assert Counter(node.role for node in nodes) == expected(name)["nodes"]


@pytest.mark.parametrize("name", NAMES)
def test_a_public_fabric_has_the_cables_of_its_source(name: str) -> None:
    design = prepared(name).design
    role = {node.name: node.role for node in design.network.nodes.values()}
    pairs = Counter(f"{role[link.a.node]} {role[link.b.node]}" for link in design.network.links)
    assert pairs == expected(name)["links"]
    found = ends(design)
    named = expected(name)["cables"]
    assert {lower: found.get(lower) for lower in named} == named


@pytest.mark.parametrize("name", NAMES)
def test_a_public_fabric_has_the_addresses_of_its_source(name: str) -> None:
    nodes = prepared(name).design.network.nodes
    for node, rows in expected(name)["addresses"].items():
        assert set(rows) <= set(nodes[node].settings.rows(Addresses)), node
    if "families" in expected(name):
        keys = (key for node in nodes.values() for key in node.settings.rows(Addresses))
        assert sorted({ip_interface(key.partition(" ")[2]).version for key in keys}) == expected(name)["families"]


@pytest.mark.parametrize("name", NAMES)
def test_a_public_fabric_has_the_as_numbers_of_its_source(name: str) -> None:
    nodes = prepared(name).design.network.nodes
    named = expected(name)["asns"]
    found = {node: nodes[node].settings.rows(Bgp)["router"] for node in named}
    assert {node: row.asn for node, row in found.items() if isinstance(row, Router)} == named


@pytest.mark.parametrize("name", NAMES)
def test_a_public_fabric_is_subscribed_as_in_its_source(name: str) -> None:
    wanted = {role: {Fraction(ratio)} for role, ratio in expected(name)["oversubscription"].items()}
    assert bandwidth(prepared(name).design) == wanted


@pytest.mark.parametrize("name", [name for name in NAMES if "planes" in expected(name)])
def test_planes_of_a_public_fabric_meet_in_hosts_only(name: str) -> None:
    design = prepared(name).design
    plane = {node.name: node.plane for node in design.network.nodes.values()}
    switches = [link for link in design.network.links if design.network.nodes[link.a.node].kind == "switch"]
    highest = max(node.tier for node in design.network.nodes.values())
    tops = {name: node.plane for name, node in design.network.nodes.items() if node.tier == highest}
    assert set(tops.values()) == set(range(1, expected(name)["planes"] + 1))
    uppermost = [link for link in switches if link.b.node in tops]
    assert all(plane[link.a.node] == plane[link.b.node] for link in uppermost)


@pytest.mark.parametrize("name", NAMES)
def test_rules_find_nothing_in_a_public_fabric_that_is_not_explained(name: str) -> None:
    # What this release can set on devices (the rules of group systems) is not a property of the fabric.
    findings = [finding for finding in prepared(name).findings if not finding.rule.startswith("systems.")]
    assert [str(finding) for finding in findings if finding.stops] == []
    warned = {finding.rule for finding in findings if finding.severity is Severity.WARNING}
    assert warned == expected(name)["warnings"].keys()


@pytest.mark.parametrize("name", NAMES)
def test_a_public_fabric_names_its_source_and_stands_in_the_table(name: str) -> None:
    head = (FOLDER / name / "fabric.yaml").read_text(encoding="utf-8").partition("\nfabric: ")[0]
    assert all(line.startswith("#") for line in head.splitlines())
    assert "# Source: " in head
    assert "# Read there: " in head
    assert f"`{name}`" in (FOLDER / "README.md").read_text(encoding="utf-8")


def test_each_port_of_a_nic_has_a_plane_of_its_own() -> None:
    for name in ("nvidia-b300", "alibaba-hpn"):
        network = prepared(name).design.network
        planes: dict[str, set[int | None]] = defaultdict(set)
        for rail in prepared(name).design.rails:
            for leaf in rail.leaves or (rail.leaf,):
                planes[f"{rail.node} {rail.rail}"].add(network.nodes[leaf].plane)
        assert set(map(frozenset, planes.values())) == {frozenset({1, 2})}


def test_tenants_of_the_rail_fabric_have_their_servers_in_both_units() -> None:
    tenants = {tenant.name: tenant.hosts for tenant in prepared("hedgehog-rail").design.tenants}
    assert tenants["vpc-0"] == ("server-su00-n00", "server-su00-n01", "server-su01-n00", "server-su01-n01")
    assert set(tenants["vpc-1"]).isdisjoint(tenants["vpc-0"])


def test_the_addresses_that_a_source_gives_twice_are_found(tmp_path: Path) -> None:
    """As published, leaf3 has the addresses of leaf4 on its links to spine2."""
    for entry in (FOLDER / "juniper-frontend").iterdir():
        shutil.copy(entry, tmp_path)
    cables = tmp_path / "cables.csv"
    text = cables.read_text(encoding="utf-8")
    assert text.count("10.0.5.41,10.0.5.40") == text.count("10.0.5.43,10.0.5.42") == 1
    cables.write_text(text.replace("10.0.5.41,", "10.0.5.45,").replace("10.0.5.43,", "10.0.5.47,"), encoding="utf-8")
    with pytest.raises(DesignError) as caught:
        prepare(tmp_path)
    said = [problem.message for problem in caught.value.problems]
    assert len(said) == 2
    for line, address in zip(said, ("10.0.5.45", "10.0.5.47"), strict=True):
        assert all(word in line for word in (address, "leaf3", "leaf4"))
