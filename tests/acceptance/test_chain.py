"""The whole chain on real FRR, sshd and lldpd, as a user walks it."""

import json
from pathlib import Path

import pytest

from fabric.lab import control
from fabric.results import ExitCode

pytestmark = pytest.mark.lab

FOREIGN = {
    "leaf01": (
        "vtysh -c 'configure terminal' -c 'ip route 203.0.113.0/24 blackhole' -c 'router bgp 65101'"
        " -c 'neighbor 192.0.2.9 remote-as 65999' -c 'neighbor 192.0.2.9 description storage';"
        " vtysh -c 'write memory'; ip link add foreign0 type veth peer name foreign1;"
        " ip link set foreign0 up; ip address add 198.51.100.1/24 dev foreign0;"
        " tc qdisc add dev foreign0 root handle 7: htb default 1;"
        " tc class add dev foreign0 parent 7: classid 7:1 htb rate 1gbit"
    ),
    "gpu01": "ip route add 203.0.113.0/24 dev eth0",
}
LOOKS = {
    "leaf01": (
        "vtysh -c 'show running-config' | grep -E '203.0.113|192.0.2.9'; ip -o -4 address show dev foreign0;"
        " tc class show dev foreign0"
    ),
    "gpu01": "ip route show 203.0.113.0/24",
}


def test_a_bare_fabric_is_planned_applied_and_verified_and_rolled_back(bare):
    planned = bare.fabric("plan", bare.file, "--detailed-exitcode")
    assert planned.code == ExitCode.PENDING
    assert "tiny: 6 nodes to change in" in planned.out
    assert "mtu 1500 -> 9000" in planned.out

    assert bare.fabric("apply", bare.file, "--dry-run").code == 0
    assert bare.runs() == []
    unasked = bare.fabric("apply", bare.file)
    assert unasked.code == ExitCode.USAGE
    assert "--yes" in unasked.err

    assert bare.fabric("apply", bare.file, "--yes").code == 0
    again = bare.fabric("plan", bare.file, "--detailed-exitcode")
    assert again.code == 0, again.out
    assert "tiny: no changes; 6 nodes are set as designed" in again.out
    verified = bare.fabric("verify", bare.file)
    assert verified.code == 0, verified.out
    assert " 0 fail" in verified.out

    run = bare.runs()[0]["id"]
    shown = bare.fabric("runs", run)
    assert "done" in shown.out
    undone = bare.fabric("rollback", run, "--yes")
    assert undone.code == 0, undone.out + undone.err
    assert "router bgp" not in bare.on("leaf01", "vtysh -c 'show running-config'")
    assert "mtu 1500" in bare.on("gpu01", "ip link show eth1")
    assert "6 nodes to change" in bare.fabric("plan", bare.file).out
    assert bare.fabric("rollback", run, "--yes").code == 0
    assert bare.fabric("rollback", "20260101-000000-0000", "--yes").code == ExitCode.USAGE


def test_what_is_foreign_survives_apply_and_drift_is_found_and_mended(applied):
    for node, command in FOREIGN.items():
        applied.on(node, command)
    before = {node: applied.on(node, look) for node, look in LOOKS.items()}
    assert all(before.values())
    assert applied.fabric("plan", applied.file, "--detailed-exitcode").code == 0

    applied.on("leaf01", "vtysh -c 'conf t' -c 'router bgp 65101' -c 'address-family ipv4' -c 'maximum-paths 1'")
    applied.on("gpu01", "ip link set eth1 mtu 1500; ip address add 10.64.9.9/32 dev eth1")
    applied.on("leaf02", "ip link set swp2 mtu 1500")
    planned = applied.fabric("plan", applied.file, "--detailed-exitcode")
    assert planned.code == ExitCode.PENDING
    assert "max_paths 1 -> 64" in planned.out
    assert "mtu 1500 -> 9000" in planned.out
    assert "eth1 10.64.9.9/32" in planned.out
    verified = applied.fabric("verify", applied.file)
    assert verified.code == ExitCode.FAILED
    assert "settings.match leaf01: bgp router: max_paths 1 -> 64" in verified.out
    assert "packets of 9000 bytes from gpu01:eth2 to gpu02:eth2 do not arrive (message too long)" in verified.out
    applied.on("gpu01", "ping -c 1 -W 1 -M do -s 8972 -I 10.64.0.129 10.64.0.131 || true")
    assert "mtu 1500" in applied.on("gpu01", "ip route get 10.64.0.131 from 10.64.0.129"), "the host remembers"

    mended = applied.fabric("apply", applied.file, "--yes")
    assert mended.code == 0, mended.out + mended.err
    assert {node: applied.on(node, look) for node, look in LOOKS.items()} == before
    assert applied.fabric("plan", applied.file, "--detailed-exitcode").code == 0
    assert applied.fabric("verify", applied.file).code == 0


def test_swapped_cables_are_found_by_name_and_a_recording_tells_the_same(applied, tmp_path):
    applied.fault("swap-cables", "leaf01:swp33", "leaf01:swp34")
    verified = applied.fabric("verify", applied.file, "--record", tmp_path / "kept")
    assert verified.code == ExitCode.FAILED
    assert "cabling.lldp" in verified.out
    assert "leaf01:swp33" in verified.out
    replayed = applied.fabric("verify", applied.file, "--against", tmp_path / "kept")
    assert replayed.code == ExitCode.FAILED
    assert replayed.out == verified.out
    refused = applied.fabric("apply", applied.file, "--yes")
    assert refused.code == 0, "nothing to change, so nothing is refused"
    applied.fault("mend")


def test_only_and_limit_keep_everything_else_as_it_is(bare):
    applied = bare.fabric("apply", bare.file, "--yes", "--only", "links,addresses", "--limit", "leaf*")
    assert applied.code == 0, applied.out + applied.err
    assert "router bgp" not in bare.on("leaf01", "vtysh -c 'show running-config'")
    assert "mtu 9000" in bare.on("leaf01", "ip link show swp1")
    assert "mtu 1500" in bare.on("gpu01", "ip link show eth1")
    planned = json.loads(bare.fabric("plan", bare.file, "--format", "json").out)
    facets = {row["facet"] for row in planned["nodes"]["leaf01"]["delta"]}
    assert facets.isdisjoint({"links", "addresses"})
    assert {"bgp", "queues"} <= facets


def test_a_kept_plan_is_applied_as_it_was_approved(bare, tmp_path):
    kept = tmp_path / "plan.json"
    assert bare.fabric("plan", bare.file, "--out", kept, "--limit", "spine*").code == 0
    applied = bare.fabric("apply", kept, "--yes")
    assert applied.code == 0, applied.out + applied.err
    assert bare.fabric("plan", bare.file, "--limit", "spine*", "--detailed-exitcode").code == 0


def test_a_recorded_plan_is_made_again_without_devices(bare, tmp_path):
    live = bare.fabric("plan", bare.file, "--record", tmp_path / "kept")
    assert bare.fabric("lab", "down", bare.file).code == 0
    again = bare.fabric("plan", bare.file, "--against", tmp_path / "kept")
    assert again.code == 0
    assert again.out == live.out
    other = bare.fabric("plan", "inventories/lab", "--against", tmp_path / "kept")
    assert other.code == ExitCode.USAGE
    assert "a recording of fabric 'tiny'" in other.err


def test_the_demo_tells_its_whole_story(fabric, state):
    ended = fabric("demo")
    assert ended.code == 0, ended.out + ended.err
    assert "is swapped with the cable" in ended.out
    assert ended.out.rstrip().endswith("lab lab is down")
    assert fabric("lab", "status", "inventories/lab").code == ExitCode.DEVICE


@pytest.fixture
def west(state, tmp_path, fabric):
    file = tmp_path / "fabric.yaml"
    file.write_text(Path(__file__).with_name("west.yaml").read_text())
    assert fabric("lab", "up", file).code == 0
    yield file
    control.down("research-west")


def test_what_an_intent_no_longer_names_is_taken_away_and_comes_back_with_a_rollback(west, fabric):
    assert fabric("apply", west, "--yes").code == 0
    smaller = west.with_name("smaller.yaml")
    text = west.read_text().replace("core: {count: 3", "core: {count: 2").replace("mtu: 4200", "mtu: 4000")
    smaller.write_text(text.replace("dscp: [18, 20, 22]", "dscp: [18, 22]"))
    planned = fabric("plan", smaller, "--limit", "tor01")
    assert "neighbor 10.200.0.40, neighbor 10.200.0.42" in planned.out
    assert "swp21 10.200.0.41/31, swp22 10.200.0.43/31" in planned.out
    assert "affected: train01, train02, nas01, nas02" in planned.out
    applied = fabric("apply", smaller, "--yes")
    assert applied.code == 0, applied.out + applied.err
    assert applied.err.index("train01: done") < applied.err.index("core01: done"), "lower MTUs go to hosts first"
    assert fabric("plan", smaller, "--detailed-exitcode").code == 0
    assert fabric("verify", smaller).code == 0
    run = json.loads(fabric("runs", "--format", "json").out)["runs"][0]["id"]
    undone = fabric("rollback", run, "--yes")
    assert undone.code == 0, undone.out + undone.err
    assert fabric("plan", west, "--detailed-exitcode").code == 0
