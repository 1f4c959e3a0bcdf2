"""A finding has the place of its cause: the key, the line of a list, the override, or the nearest that is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.design.build import design
from fabric.intent.loader import load
from fabric.results import Severity
from fabric.rules.contract import SECTIONS, Rule, Subjects, Violation
from fabric.rules.runner import run_rules

PAGE = "A rule.\n\n" + "\n\n".join(f"{title}\n    Text." for title in SECTIONS)
FILE = """\
fabric: places
topology:
  switches:
    spine: {count: 2, system: frr, model: linux, asn: {first: 65000, per: tier}}
    leaf: {count: 2, system: frr, model: linux, asn: {first: 65101, per: device}}
  hosts:
    gpu: {count: 2, nics: 2, nic: soft-roce, attach: rail, per_group: 2}
  cables:
    - {file: cables.csv}
    - {from: gpu, to: leaf, speed: 10G, length_m: 2}
addressing:
  loopbacks: 10.255.0.0/16
  links: unnumbered
  hosts: 10.64.0.0/12
  mtu: 9000
classes:
  rdma:
    rdma: true
    dscp: 26
    priority: 3
    lossless: true
    share: 60%
    ecn:
      min: {10G: 100KB}
      max: 400KB
      probability: 20%
  default: {priority: 0, share: 40%}
buffers:
  headroom: 100KB
  alpha: 1/8
pfc:
  watchdog: {detect: 200ms, restore: 400ms, action: drop}
nodes:
  file: nodes.csv
  leaf01:
    ports:
      swp1:
        enabled: true
        mtu: 8000
        headroom: 90KB
  "spine*":
    ports:
      swp1: {mtu: 9000}
"""
CABLES = """\
from_node,from_port,to_node,to_port,speed,length_m
leaf01,swp40,spine01,swp1,10G,5
leaf01,swp41,spine02,swp1,10G,5
leaf02,swp40,spine01,swp2,10G,5
leaf02,swp41,spine02,swp2,10G,5
"""
NODES = "node,loopback\nleaf02,10.255.0.99\n"
LINES = FILE.splitlines()


@pytest.fixture(scope="module")
def subjects(tmp_path_factory) -> Subjects:
    folder = tmp_path_factory.mktemp("places")
    (folder / "fabric.yaml").write_text(FILE)
    (folder / "cables.csv").write_text(CABLES)
    (folder / "nodes.csv").write_text(NODES)
    document = load(folder)
    return Subjects(document, design(document))


def found(subjects, path, cause=""):
    def check(network):
        yield Violation(path, f"one of {len(network.nodes)}", cause=cause)

    (finding,) = run_rules([Rule("a.rule", PAGE, Severity.ERROR, ("network",), check)], subjects)
    assert finding.path == path
    return finding.place


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("classes.rdma.ecn.min", "      min: {10G: 100KB}"),
        ("classes.rdma.ecn.min.10G", "      min: {10G: 100KB}"),
        ("classes.rdma.ecn.profile", "    ecn:"),
        ("classes.rdma.queue", "  rdma:"),
        ("classes.cnp", "classes:"),
        ("leaf01.links.swp1.mtu", "        mtu: 8000"),
        ("leaf01.links.swp1.headroom", "        headroom: 90KB"),
        ("leaf01.buffers.swp1", "        headroom: 90KB"),
        ("leaf01.buffers.swp2", "  headroom: 100KB"),
        ("leaf01.buffers.swp2.alpha", "  alpha: 1/8"),
        ("leaf01.buffers.swp1.headroom", "        headroom: 90KB"),
        ("leaf01.buffers.swp1.xon", "        headroom: 90KB"),
        ("spine02.links.swp1.mtu", "      swp1: {mtu: 9000}"),
        ("leaf02.links.swp1", "    - {from: gpu, to: leaf, speed: 10G, length_m: 2}"),
        ("leaf02.links.swp1.mtu", "  mtu: 9000"),
        ("leaf02.links.swp1.fec", "    - {from: gpu, to: leaf, speed: 10G, length_m: 2}"),
        ("gpu02.links.eth1", "    - {from: gpu, to: leaf, speed: 10G, length_m: 2}"),
        ("leaf01.bgp.router", LINES[4]),
        ("spine01.addresses.lo 10.255.0.1/32", "  loopbacks: 10.255.0.0/16"),
        ("leaf01.addresses.swp9 192.0.2.1/31", "addressing:"),
        ("leaf01.buffers", "buffers:"),
        ("leaf01.watchdog.swp1", "  watchdog: {detect: 200ms, restore: 400ms, action: drop}"),
        ("leaf01.watchdog.swp1.detect", "  watchdog: {detect: 200ms, restore: 400ms, action: drop}"),
        ("leaf01.pfc.swp1", "classes:"),
        ("leaf01.links", LINES[4]),
        ("gpu01", LINES[6]),
    ],
)
def test_the_place_is_the_line_of_what_is_nearest_to_the_cause(subjects, path, line):
    place = found(subjects, path)
    assert LINES[place.line - 1] == line
    assert Path(place.file).name == "fabric.yaml"


@pytest.mark.parametrize(
    ("path", "rest"),
    [
        ("spine02.links.swp1.mtu", "mtu: 9000}"),
        ("leaf01.bgp.router", "asn: {first: 65101, per: device}}"),
        ("classes.rdma.dscp", "dscp: 26"),
        ("leaf02.watchdog.swp1.restore", "restore: 400ms, action: drop}"),
        ("classes.rdma.ecn.min.10G", "10G: 100KB}"),
    ],
)
def test_the_column_is_that_of_the_key(subjects, path, rest):
    place = found(subjects, path)
    assert LINES[place.line - 1][place.column - 1 :] == rest


@pytest.mark.parametrize(
    ("path", "file", "line"),
    [
        ("leaf02.links.swp41", "cables.csv", 5),
        ("spine01.links.swp2", "cables.csv", 4),
        ("leaf02.addresses.lo 10.255.0.99/32", "nodes.csv", 2),
    ],
)
def test_what_a_list_says_has_the_line_of_the_list(subjects, path, file, line):
    place = found(subjects, path)
    assert (Path(place.file).name, place.line) == (file, line)


def test_a_rule_that_knows_the_cause_names_it(subjects):
    at = found(subjects, "leaf01.pfc.swp1", cause="classes.rdma.priority")
    assert LINES[at.line - 1] == "    priority: 3"
    at = found(subjects, "leaf01.links.swp1", cause="leaf01.links.swp1.mtu")
    assert LINES[at.line - 1] == "        mtu: 8000"


def test_what_is_in_no_file_has_no_place(subjects):
    assert found(subjects, "nobody.links.swp1") is None
    assert found(Subjects(network=subjects.design.network), "leaf01.links.swp1") is None
