"""Hosts whose cables are listed: a line that was forgotten is found, one whose leaf was removed is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.design.build import design
from fabric.intent.loader import load
from fabric.rules.contract import Subjects
from fabric.rules.runner import rules, run_rules

HEAD = "from_node,from_port,to_node,to_port,speed,length_m"
LINES = [f"gpu0{host},eth{nic},leaf0{nic},swp{host},10G,2" for host in (1, 2) for nic in (1, 2)]
RULE = "topology.host-without-cable"


@pytest.fixture
def said(tmp_path):
    """What the rule says of the small fabric with these lines for its hosts, and these nodes."""

    def judge(lines, nodes=None):
        base = YAML(typ="safe", pure=True).load((Path(__file__).parent / "base.yaml").read_text())
        base["topology"]["cables"][1] = {"file": "cables.csv"}
        (tmp_path / "fabric.yaml").write_text(json.dumps(base | {"nodes": nodes or {}}))
        (tmp_path / "cables.csv").write_text("\n".join([HEAD, *lines]))
        document = load(tmp_path)
        chosen = [rule for rule in rules() if rule.id == RULE]
        return [finding.message for finding in run_rules(chosen, Subjects(document, design(document)))]

    return judge


def test_a_whole_list_leaves_nothing_to_say(said):
    assert said(LINES) == []


def test_a_host_without_a_line_is_no_part_of_the_fabric(said):
    assert said(LINES[:2]) == ["gpu02 has no cable at all: it is no part of the fabric"]


def test_a_nic_without_a_line_is_counted(said):
    assert said(LINES[:3]) == ["gpu02 has cables for 1 of its 2 NIC ports: eth2 without"]


def test_a_line_to_a_removed_leaf_was_not_forgotten(said):
    assert said(LINES, {"leaf02": {"state": "removed"}}) == []
    removed = {"leaf01": {"state": "removed"}, "spine02": {"state": "removed"}}
    assert said([*LINES[:2], "gpu02,eth2,leaf02,swp2,10G,2"], removed) == [
        "gpu02 has cables for 1 of its 2 NIC ports: eth1 without"
    ]
    assert said(LINES[:3], {"leaf02": {"state": "removed"}}) == [
        "gpu02 has cables for 1 of its 2 NIC ports: eth2 without"
    ]
