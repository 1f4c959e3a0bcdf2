"""What a design of many kinds of keys shows: a line for everything that was asked for, and none for what was not."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from fabric.design.build import design
from fabric.intent.loader import load
from fabric.report.design_notes import notes
from fabric.report.design_rows import NODES, class_row, node_row, rail_rows
from fabric.report.style import report
from fabric.results import Finding, Severity
from fabric.settings.buffers import Buffers
from fabric.settings.network import Network

BROKEN_OUT = """
fabric: parts
topology:
  switches:
    spine: {count: 1, system: eos, model: 7060x6-64pe, asn: {first: 65000, per: tier}}
    leaf: {count: 2, system: eos, model: 7060x6-64pe, asn: {first: 65101, per: device}}
  hosts:
    gpu: {count: 16, nics: 1, nic: connectx-7, attach: leaf, per_group: 8}
  cables:
    - {from: leaf, to: spine, per_pair: 2, speed: 400G, length_m: 5, ports: 33-40, to_ports: 1-2/2x}
    - {from: gpu, to: leaf, speed: 200G, length_m: 2, to_ports: "1,3/4x"}
addressing: {loopbacks: 10.255.0.0/16, links: unnumbered, hosts: 10.64.0.0/12, mtu: 9000}
classes:
  default: {priority: 0, share: 100%}
"""
HERE = Path(__file__).parent
LAB = HERE.parents[1] / "inventories" / "lab"


@pytest.fixture(scope="module")
def odd():
    return design(load(HERE / "everything.yaml"))


def test_everything_that_has_no_table_of_its_own_is_noted(odd):
    leaves = "leaf01 .. leaf03 (3), tor-b2"
    assert list(notes(odd)) == [
        ("job", "nccl", "class rdma, dp: class store"),
        ("traffic", "labels", "gradients: class rdma"),
        ("tenant", "blue", "VNI 5001, gpu01 .. gpu04 (4), classes rdma"),
        ("left alone", "spine01, spine02", "neighbor 10.0.0.9, AS 65500"),
        ("left alone", "leaf01", "port swp60"),
        ("VLAN", "100", f"on {leaves}, gateways 10.64.0.1/24, 10.64.2.1/24"),
        ("bonds", leaves, "3 each, of 1 port"),
        ("bonds", "gpu01 .. gpu04 (4)", "1 each, of 2 ports"),
        ("bonds", "storage01, storage02", "1 each, of 2 ports"),
        ("balance", "all switches", "mode dlb"),
        ("watchdog", "all switches", "detect 200ms, restore 400ms, action drop"),
        ("buffers", "all switches", "alpha 0.125"),
        ("pools", "all switches", "ingress_lossless_pool: size 32MiB, xoff 4MiB"),
        ("hook", "idle", "/usr/local/bin/is-idle"),
    ]


def test_ports_that_are_broken_out_are_named_with_the_number_of_their_parts(tmp_path):
    (tmp_path / "fabric.yaml").write_text(BROKEN_OUT)
    found = [(where, said) for what, where, said in notes(design(load(tmp_path))) if what == "breakouts"]
    assert found == [("spine01", "ports 1-2 into 2 each"), ("leaf01, leaf02", "ports 1 3 into 4 each")]


def test_what_is_waived_stands_with_its_reason_and_its_end(odd):
    end = date(2027, 6, 30)
    found = Finding(
        "topology.radix", Severity.NOTE, "leaf01", "few", also=("leaf02",), waived="it is bought", until=end
    )
    other = replace(found, path="leaf03", also=())
    said = "leaf01, leaf02, leaf03: it is bought (until 2027-06-30)"
    assert list(notes(odd, [found, other]))[-1] == ("waived", "topology.radix", said)
    assert said in report("table", color=False).design(odd, [found, other])
    assert said in report("html", color=False).design(odd, [found, other])
    document = json.loads(report("json", color=False).listing(odd, [found, other]))
    assert [(each["path"], each["waived"], each["until"]) for each in document["waived"]] == [
        *(("leaf01", "it is bought", "2027-06-30"), ("leaf03", "it is bought", "2027-06-30"))
    ]


def test_headrooms_of_all_cables_make_one_line_from_the_smallest_to_the_largest(odd):
    nodes = dict(odd.network.nodes)
    for name, headroom in (("leaf01", 200_000), ("leaf02", 90_000), ("spine01", 400_000)):
        ports = {port: replace(row, headroom=headroom) for port, row in nodes[name].settings.rows(Buffers).items()}
        nodes[name] = replace(nodes[name], settings=nodes[name].settings.with_(Buffers(ports)))
    found = notes(replace(odd, network=Network(nodes, odd.network.links)))
    assert [(where, said) for what, where, said in found if what == "buffers"] == [
        ("all switches", "headroom 90KB .. 400KB, alpha 0.125")
    ]


def test_what_the_intent_does_not_speak_of_is_not_noted():
    assert [what for what, _, _ in notes(design(load(LAB)))] == ["job", "traffic", "watchdog"]


def test_classes_say_thresholds_per_speed_marks_limits_and_edges(odd):
    rdma, store, *_ = (dict(zip("ndmpqrlsLceE", class_row(each), strict=True)) for each in odd.classes)
    assert (rdma["d"], rdma["m"], rdma["L"]) == ("26-27", "26", "10G")
    assert rdma["e"] == "10G 100KB .. 400KB, 25G 150KB .. 600KB; 20%"
    assert (store["E"], store["e"], store["c"]) == ("storage", "", "")


def test_states_and_names_of_their_own_are_shown(odd):
    rows = {name: dict(zip(NODES, node_row(odd, node), strict=True)) for name, node in odd.network.nodes.items()}
    assert rows["tor-b2"]["state"] == "maintenance"
    assert rows["spine02"]["state"] == "planned"
    assert rows["leaf01"]["state"] == ""
    assert "maintenance" in report("table", color=False).node(odd, "tor-b2", why=False).splitlines()[0]


def test_cables_that_differ_in_one_attribute_stand_apart(odd):
    shown = [" ".join(line.split()) for line in report("table", color=False).design(odd).splitlines()]
    assert "leaf spine 7 1 10G 5 m dac rs" in shown
    assert "leaf spine 1 1 10G 12 m dac rs" in shown
    assert "storage leaf 4 1 25G 2 m" in shown


def test_a_rail_of_bonds_lands_on_all_leaves_of_its_bonds(odd):
    assert list(rail_rows(odd)) == [("1", "", "leaf01 .. leaf03 (3), tor-b2", "10.64.0.2 .. 10.64.2.18 (6)")]


def test_a_document_of_a_design_holds_what_is_new_in_the_language(odd):
    found = json.loads(report("json", color=False).design(odd))
    assert found["tenants"][0]["vni"] == 5001
    assert found["job_classes"] == {"nccl": "rdma", "nccl.dp": "store"}
    assert found["idle_hook"] == "/usr/local/bin/is-idle"
    assert {each["node"] for each in found["externals"]} == {"spine01", "spine02", "leaf01"}
    assert found["nodes"]["tor-b2"]["state"] == "maintenance"
    assert found["classes"][0]["kmin_by_speed"] == [[10**10, 100_000], [25 * 10**9, 150_000]]


def test_tables_fold_between_words_where_a_terminal_is_narrow(odd):
    narrow = report("table", color=False, width=80).design(odd).splitlines()
    wide = report("table", color=False).design(odd)
    tables = [line for line in narrow if not line.startswith("`fabric show")]
    assert max(map(len, tables)) < max(map(len, wide.splitlines()))
    words = {word for line in wide.splitlines() for word in line.split() if len(word) <= 36}
    assert {word for line in narrow for word in line.split() if len(word) <= 36} <= words
