"""Faults: each is seen by the nodes, and undone by heal."""

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import replace

import pytest

from fabric.errors import UsageError
from fabric.lab import control
from fabric.settings.network import End, Network

pytestmark = pytest.mark.lab


@pytest.fixture
def lab(bench):
    yield bench
    if control.status(bench.fabric).faults:
        bench.fault("heal")


def eventually(look, wanted, seconds=20.0):
    end = time.monotonic() + seconds
    while (seen := look()) != wanted and time.monotonic() < end:
        time.sleep(0.1)
    return seen


def link(lab, node, port):
    return json.loads(lab.ssh(node, f"ip -j link show dev {port}"))[0]


def neighbour(lab, node, port):
    raw = json.loads(lab.ssh(node, f"lldpcli -f json0 show neighbors ports {port}"))
    return [found["chassis"][0]["name"][0]["value"] for found in raw["lldp"][0].get("interface", [])]


def test_a_cut_takes_the_carrier_of_both_ends_and_mend_returns_it(lab):
    said = lab.fault("cut", "leaf01:swp2")
    assert said == "cut the cable leaf01:swp2 - spine02:swp1"
    assert "NO-CARRIER" in link(lab, "leaf01", "swp2")["flags"]
    assert "NO-CARRIER" in link(lab, "spine02", "swp1")["flags"]
    assert "NO-CARRIER" not in link(lab, "leaf01", "swp1")["flags"]
    assert control.status(lab.fabric).faults == (said,)
    # By the other end of the same cable.
    assert lab.fault("mend", "spine02:swp1") == f"undone: {said}"
    assert eventually(lambda: link(lab, "leaf01", "swp2")["operstate"], "UP") == "UP"
    assert control.status(lab.fabric).faults == ()


def test_a_cable_is_not_cut_twice(lab):
    lab.fault("cut", "leaf01:swp2")
    with pytest.raises(UsageError, match="is cut already"):
        lab.fault("cut", "spine02:swp1")


def test_swapped_cables_are_seen_by_lldp_and_no_port_is_touched(lab):
    before = link(lab, "leaf01", "swp3")["ifindex"]
    said = lab.fault("swap-cables", "gpu01:eth1", "gpu02:eth1")
    assert said == "swapped cables: gpu01:eth1 now leads to leaf02:swp3, gpu02:eth1 to leaf01:swp3"
    assert eventually(lambda: neighbour(lab, "leaf01", "swp3"), ["gpu02"]) == ["gpu02"]
    assert eventually(lambda: neighbour(lab, "gpu01", "eth1"), ["leaf02"]) == ["leaf02"]
    assert link(lab, "leaf01", "swp3")["ifindex"] == before
    lab.fault("heal", "leaf02")
    assert eventually(lambda: neighbour(lab, "leaf01", "swp3"), ["gpu01"]) == ["gpu01"]


def test_ends_of_one_cable_cannot_be_swapped_and_cut_ones_neither(lab):
    with pytest.raises(UsageError, match="are on one cable"):
        lab.fault("swap-cables", "gpu01:eth1", "leaf01:swp3")
    lab.fault("cut", "gpu01:eth1")
    with pytest.raises(UsageError, match="the cable at leaf01:swp3 is cut"):
        lab.fault("swap-cables", "leaf01:swp3", "gpu02:eth1")


def test_a_wrong_mtu_is_set_on_one_port_only(lab):
    assert lab.fault("mtu", "leaf02:swp1", "1400") == "set the MTU of leaf02:swp1 from 1500 to 1400"
    assert [link(lab, "leaf02", port)["mtu"] for port in ("swp1", "swp2")] == [1400, 1500]
    lab.fault("heal")
    assert link(lab, "leaf02", "swp1")["mtu"] == 1500


@pytest.mark.parametrize("daemon", ["bgpd", "zebra", "lldpd"])
def test_a_stopped_daemon_is_gone_until_healed(lab, daemon):
    lab.fault("stop-daemon", "spine01", daemon)
    assert lab.ssh("spine01", f"pgrep -x {daemon} || true") == ""
    lab.fault("heal")
    assert lab.ssh("spine01", f"pgrep -x {daemon}") != ""
    assert "hostname spine01" in lab.ssh("spine01", "vtysh -c 'show running-config'")


def test_without_its_ssh_server_a_node_is_not_reached(lab):
    lab.fault("stop-daemon", "gpu01", "sshd")
    assert lab.ssh("gpu01", "true", check=False).returncode == 255
    lab.fault("heal")
    assert lab.ssh("gpu01", "hostname") == "gpu01\n"


def test_drift_of_a_switch_without_bgp_changes_an_mtu(lab):
    assert lab.fault("drift", "leaf01") == "changed on leaf01 by hand: MTU of swp1 from 1500 to 1400"
    assert link(lab, "leaf01", "swp1")["mtu"] == 1400


def test_drift_of_a_router_narrows_its_ecmp_and_heal_widens_it(lab):
    lab.ssh(
        "leaf01",
        "vtysh -c 'configure terminal' -c 'router bgp 65101' -c 'address-family ipv4 unicast' -c 'maximum-paths 64'",
    )
    try:
        said = lab.fault("drift", "leaf01")
        assert said.endswith("and maximum-paths 1 in router bgp 65101 (was: maximum-paths 64)")
        assert "maximum-paths 1\n" in lab.ssh("leaf01", "vtysh -c 'show running-config'")
        lab.fault("heal", "leaf01")
        assert "maximum-paths 64\n" in lab.ssh("leaf01", "vtysh -c 'show running-config'")
    finally:
        lab.ssh("leaf01", "vtysh -c 'configure terminal' -c 'no router bgp 65101'")


def test_a_fault_that_cannot_be_undone_is_over_and_says_why(lab):
    lab.ssh("gpu01", "cp /etc/ssh/sshd_config /tmp/kept; echo Nonsense yes >> /etc/ssh/sshd_config")
    lab.fault("stop-daemon", "gpu01", "sshd")
    try:
        assert "(left as it is: gpu01 refused: /etc/ssh/sshd_config: line" in lab.fault("heal")
        assert control.status(lab.fabric).faults == ()
    finally:
        shell = control.shell(lab.fabric, "gpu01")
        subprocess.run(shell, input="cp /tmp/kept /etc/ssh/sshd_config; /usr/sbin/sshd\n", text=True, check=True)


def test_heal_leaves_alone_what_was_changed_since(lab):
    lab.fault("mtu", "leaf02:swp1", "1400")
    lab.fault("drift", "spine02")
    lab.fault("stop-daemon", "leaf02", "lldpd")
    lab.ssh("leaf02", "ip link set dev swp1 mtu 9000; lldpd -S fabric-lab -I swp1,swp2,swp3")
    lab.ssh("spine02", "ip link set dev swp1 mtu 9000")
    try:
        said = lab.fault("heal")
        assert "left as it is" not in said
        assert [link(lab, node, "swp1")["mtu"] for node in ("leaf02", "spine02")] == [9000, 9000]
    finally:
        for node in ("leaf02", "spine02"):
            lab.ssh(node, "ip link set dev swp1 mtu 1500")


def test_a_daemon_is_not_stopped_twice(lab):
    lab.fault("stop-daemon", "leaf02", "lldpd")
    with pytest.raises(UsageError, match="lldpd on leaf02 is stopped already"):
        lab.fault("stop-daemon", "leaf02", "lldpd")


def test_an_interrupted_swap_is_brought_back_by_heal(lab):
    child = os.fork()
    if child == 0:
        with suppress(KeyboardInterrupt):
            lab.fault("swap-cables", "gpu01:eth1", "gpu02:eth1")
            os._exit(0)
        os._exit(130)
    while "NO-CARRIER" not in link(lab, "gpu01", "eth1")["flags"]:
        assert os.waitpid(child, os.WNOHANG) == (0, 0)
    os.kill(child, signal.SIGINT)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 130
    assert "NO-CARRIER" in link(lab, "gpu01", "eth1")["flags"]
    lab.fault("heal")
    assert eventually(lambda: neighbour(lab, "gpu01", "eth1"), ["leaf01"]) == ["leaf01"]


def test_mend_leaves_faults_that_are_not_of_cables(lab):
    lab.fault("mtu", "leaf02:swp1", "1400")
    lab.fault("cut", "leaf02:swp1")
    lab.fault("swap-cables", "gpu01:eth1", "gpu02:eth1")
    lab.fault("mend")
    assert control.status(lab.fabric).faults == ("set the MTU of leaf02:swp1 from 1500 to 1400",)
    assert eventually(lambda: neighbour(lab, "gpu01", "eth1"), ["leaf01"]) == ["leaf01"]


@pytest.mark.parametrize(
    ("kind", "at", "message", "hint"),
    [
        ("cutt", ("leaf01:swp1",), "unknown fault 'cutt'", "did you mean cut?"),
        ("explode", (), "unknown fault 'explode'", "swap-cables"),
        ("cut", ("leaf1:swp1",), "unknown node 'leaf1'", "did you mean leaf01?"),
        ("cut", ("leaf01:swp9",), "leaf01 has no port 'swp9'", "did you mean swp"),
        ("cut", ("leaf01",), "'leaf01' names no port", "NODE:PORT"),
        ("cut", (), "cut wants NODE:PORT, not nothing", "NODE:PORT"),
        ("swap-cables", ("leaf01:swp1",), "swap-cables wants NODE:PORT NODE:PORT", "NODE:PORT NODE:PORT"),
        ("mtu", ("leaf01:swp1", "huge"), "'huge' is no MTU", "68 to 65535"),
        ("stop-daemon", ("leaf01", "bgp"), "leaf01 runs no 'bgp'", "did you mean bgpd?"),
        ("stop-daemon", ("gpu01", "bgpd"), "gpu01 runs no 'bgpd'", "lldpd"),
        ("heal", (), "nothing to undo", "active faults: none"),
        ("mend", ("leaf01:swp1",), "nothing to undo at leaf01:swp1", "active faults: none"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value) or "nothing",
)
def test_mistakes_are_answered_with_what_was_expected(lab, kind, at, message, hint):
    with pytest.raises(UsageError) as caught:
        lab.fault(kind, *at)
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert control.status(lab.fabric).faults == ()


def test_a_lab_of_another_design_takes_no_faults(lab):
    network = lab.design.network
    strange = replace(network.links[0], a=End("leaf01", "swp60"), b=End("spine01", "swp60"))
    other = replace(lab.design, network=Network(network.nodes, (*network.links, strange)))
    with pytest.raises(UsageError, match="was built from another design"):
        control.fault(lab.fabric, other, "cut", ("leaf01:swp1",))
