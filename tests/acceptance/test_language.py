"""The language at work on real FRR: tiers, pods, planes, both families, BFD, lists, states of nodes; and growth."""

import json
import time

import pytest

from fabric.results import ExitCode

pytestmark = pytest.mark.lab

BORDER = (
    "vtysh -c 'configure terminal' -c 'router bgp 4200000000' -c 'neighbor {0} remote-as 65999'"
    " -c 'neighbor {0} description border' -c 'end' -c 'write memory'"
)
KEPT, STRAY = "10.128.255.9", "10.128.255.11"


def everything_passes(bench, file=None):
    """Verify; return how many results each check has, and whose skips are announced by the intent."""
    ended = bench.fabric("verify", file or bench.file, "--format", "json")
    results = json.loads(ended.out)["results"]
    assert [result["message"] for result in results if result["status"] not in ("pass", "skip")] == []
    assert ended.code == 0, ended.err
    passes = [result["check"] for result in results if result["status"] == "pass"]
    skips = [result["message"] for result in results if result["status"] == "skip"]
    return {check: passes.count(check) for check in passes}, skips


def changes(bench, file, *args):
    ended = bench.fabric("plan", file, "--format", "json", *args)
    assert ended.code == 0, ended.err
    return {name: node["delta"] for name, node in json.loads(ended.out)["nodes"].items()}


def apply(bench, file=None):
    ended = bench.fabric("apply", file or bench.file, "--yes")
    assert ended.code == 0, ended.out + ended.err
    assert changes(bench, file or bench.file) == {}


def watched(bench, node):
    """Return the far addresses of the sessions that BFD sees up."""
    peers = json.loads(bench.on(node, "vtysh -c 'show bfd peers json'"))
    return {peer["peer"] for peer in peers if peer["status"] == "up"}


def test_three_tiers_in_pods_and_planes_of_both_families(lab_of):
    hall = lab_of("hall")
    for neighbour in (KEPT, STRAY):
        hall.on("core-east", BORDER.format(neighbour))
    assert "super03" not in hall.fabric("lab", "status", hall.file).out, "a planned node is not there yet"
    refused = hall.fabric("lab", "fault", "cut", "p1-spine01:swp14", "-f", hall.file)
    assert (refused.code, "no cable is at p1-spine01:swp14" in refused.err) == (ExitCode.USAGE, True)

    apply(hall)
    said = hall.on("core-east", "vtysh -c 'show running-config'")
    assert f"neighbor {KEPT} description border" in said, "an external neighbour is left alone"
    assert STRAY not in said, "what else stands on links of ours is not"
    passes, skips = everything_passes(hall)
    assert passes["links.mtu-path"] == 8, "a ring per plane and family"
    assert passes["queues.class-counters"] == 24, "each class, up from two leaves and down to a host in each plane"
    assert passes["routing.ecmp-width"] == 4
    assert all(text.startswith(("super03 is planned", "super04 is planned")) for text in skips)

    assert watched(hall, "tor-a2") == {"10.128.0.80", "10.128.0.82", "2001:db8:1::50", "2001:db8:1::52"}
    assert "10.128.200.0" in watched(hall, "p1-spine01"), "the list gives this cable its addresses"
    assert "10.255.200.1/32" in hall.on("p2-leaf01", "vtysh -c 'show ip route bgp'")
    hall.on("p1-gpu02", "ping -c 1 -W 2 -I 2001:db8:2:800::1 2001:db8:2:800::201")

    drifts_are_seen_and_mended(hall)
    first = hall.runs()[-1]["id"]
    undone = hall.fabric("rollback", first, "--yes")
    assert undone.code == 0, undone.out + undone.err
    said = hall.on("core-east", "vtysh -c 'show running-config'")
    assert f"neighbor {KEPT} description border" in said
    assert f"neighbor {STRAY} description border" in said
    assert "router bgp" not in hall.on("tor-a2", "vtysh -c 'show running-config'")
    assert "2001:db8" not in hall.on("tor-a2", "ip -6 address")


def drifts_are_seen_and_mended(hall):
    hall.on("p1-leaf01", "vtysh -c 'configure terminal' -c 'router bgp 65101' -c 'no neighbor 10.128.0.18 bfd'")
    hall.on("p2-leaf02", "ip -6 address del 2001:db8:ff:2000::a/128 dev lo; ip link set swp1s1 mtu 1500")
    planned = changes(hall, hall.file)
    assert [(row["key"], row["change"]) for row in planned["p1-leaf01"]] == [("neighbor 10.128.0.18", "bfd no -> yes")]
    assert {row["key"] for row in planned["p2-leaf02"]} == {"lo 2001:db8:ff:2000::a/128", "swp1s1"}
    verified = hall.fabric("verify", hall.file)
    assert verified.code == ExitCode.FAILED
    for family in ("IPv4", "IPv6"):
        assert f"from p1-gpu02:eth2 to p2-gpu02:eth2 over {family} do not arrive" in verified.out
    apply(hall)
    assert watched(hall, "p1-leaf01") >= {"10.128.0.18"}
    everything_passes(hall)


def larger(text):
    for role in ("spine", "leaf", "gpu"):
        text = text.replace(f"{role}: {{count: 2", f"{role}: {{count: 3")
    return text


def test_a_fabric_of_ipv6_alone_grows_and_shrinks_without_moving_what_is_there(lab_of):
    hamlet = lab_of("hamlet", larger)
    grown, small = hamlet.file, hamlet.file.with_name("small.yaml")
    small.write_text(grown.read_text().replace("count: 3", "count: 2"))
    apply(hamlet, small)
    before, skips = everything_passes(hamlet, small)
    assert before["links.mtu-path"] == 2
    assert skips == []
    assert "inet " not in hamlet.on("leaf01", "ip -4 address show dev swp33")

    planned = changes(hamlet, grown)
    new = {"spine01": "swp3", "spine02": "swp3", "leaf01": "swp35", "leaf02": "swp35"}
    assert planned.keys() == {*new, "spine03", "leaf03", "gpu03"}, "hosts that are there stay as they are"
    for name, port in new.items():
        keys = {row["key"] for row in planned[name] if row["facet"] != "persistence"}
        assert keys == {f"neighbor {port}", port, f"net.ipv6.conf.{port}.keep_addr_on_down"}, name
    apply(hamlet, grown)
    after, skips = everything_passes(hamlet, grown)
    assert after["links.mtu-path"] == 3
    assert skips == []
    routed(hamlet, "leaf01", ("swp33", "swp34", "swp35"))

    hamlet.fault("drift", "leaf01")
    (row,) = (row for row in changes(hamlet, grown, "--limit", "leaf01")["leaf01"] if row["facet"] == "bgp")
    assert row["change"] == "max_paths6 1 -> 64"
    hamlet.fault("heal")

    apply(hamlet, small)
    assert everything_passes(hamlet, small) == (before, [])
    routed(hamlet, "leaf01", ("swp33", "swp34"))
    run = hamlet.runs()[0]["id"]
    undone = hamlet.fabric("rollback", run, "--yes")
    assert undone.code == 0, undone.out + undone.err
    assert changes(hamlet, grown) == {}


def routed(bench, leaf, ports, deadline=20.0):
    """Wait until a leaf sends to the other one by exactly these ports."""
    until = time.monotonic() + deadline
    found = ""
    while time.monotonic() < until:
        found = bench.on(leaf, "ip -6 route show 2001:db8:ff:1000::2")
        if all(f"dev {port} " in found for port in ports) and found.count(" dev ") == len(ports):
            return
        time.sleep(0.2)
    raise AssertionError(found)
