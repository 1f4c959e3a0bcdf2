"""What a node is for those who log in."""

import json
import subprocess
import time
from hashlib import sha256
from pathlib import Path

import pytest

from fabric.errors import UsageError
from fabric.lab import control

pytestmark = pytest.mark.lab

WANTED = """\
frr version {version}
frr defaults datacenter
hostname leaf01
log file /var/log/frr/frr.log informational
zebra nexthop-group keep 1
no ip forwarding
no ipv6 forwarding
service integrated-vtysh-config
!
router bgp 65101
 neighbor swp1 interface remote-as external
 address-family ipv4 unicast
  maximum-paths 64
 exit-address-family
exit
!
"""


def neighbours(bench, node):
    raw = json.loads(bench.ssh(node, "lldpcli -f json0 show neighbors"))
    return {
        port["name"]: (port["chassis"][0]["name"][0]["value"], port["port"][0]["id"][0]["value"])
        for port in raw["lldp"][0].get("interface", [])
    }


def eventually(look, wanted, seconds=20.0):
    end = time.monotonic() + seconds
    while (seen := look()) != wanted and time.monotonic() < end:
        time.sleep(0.1)
    return seen


def test_each_node_knows_its_name_and_nothing_of_the_others(bench):
    for name in bench.access:
        assert bench.ssh(name, "hostname; cat /etc/hostname; pwd; echo $0").split() == [name, name, "/root", "sh"]
        assert "spine02" not in bench.ssh(name, "ps -ef; ls /var/lib/fabric /etc/fabric").replace(name, "")


def test_ports_are_those_of_the_design_up_and_bare(bench):
    links = json.loads(bench.ssh("leaf01", "ip -j addr"))
    assert {link["ifname"] for link in links} == {"lo", "eth0", "swp1", "swp2", "swp3"}
    for link in links:
        if link["ifname"].startswith("swp"):
            assert link["mtu"] == 1500
            assert link["operstate"] == "UP"
            assert [address for address in link["addr_info"] if address["scope"] == "global"] == []


def test_nothing_is_forwarded_before_it_is_configured(bench):
    assert bench.ssh("leaf01", "cat /proc/sys/net/ipv4/ip_forward /proc/sys/net/ipv6/conf/all/forwarding").split() == [
        "0",
        "0",
    ]


def test_lldp_tells_the_cabling_by_interface_names(bench):
    wanted = {"swp1": ("spine01", "swp1"), "swp2": ("spine02", "swp1"), "swp3": ("gpu01", "eth1")}
    assert eventually(lambda: neighbours(bench, "leaf01"), wanted) == wanted


def test_frames_of_any_size_pass_when_both_ports_take_them(bench):
    link_local = "ip -6 -o addr show dev swp1 scope link | awk '{print $4}' | cut -d/ -f1"
    far = bench.ssh("spine01", link_local).strip()
    for node in ("leaf01", "spine01"):
        bench.ssh(node, "ip link set dev swp1 mtu 9216")
    try:
        assert "1 received" in bench.ssh("leaf01", f"ping -6 -M do -c 1 -W 5 -s 9168 {far}%swp1")
        assert bench.ssh("leaf01", f"ping -6 -M do -c 1 -W 1 -s 9169 {far}%swp1", check=False).returncode != 0
    finally:
        for node in ("leaf01", "spine01"):
            bench.ssh(node, "ip link set dev swp1 mtu 1500")


def test_frr_is_configured_with_its_own_tools_unchanged(bench):
    version = bench.ssh("leaf01", "vtysh -c 'show version'").split()[1]
    bench.ssh("leaf01", "cat > /tmp/new.conf", text=WANTED.format(version=version))
    bench.ssh("leaf01", "vtysh -C -f /tmp/new.conf")
    reload = "/usr/lib/frr/frr-reload.py"
    assert "router bgp 65101" in bench.ssh("leaf01", f"{reload} --test --stdout /tmp/new.conf")
    bench.ssh("leaf01", f"{reload} --reload --overwrite /tmp/new.conf")
    try:
        assert "router bgp 65101" in bench.ssh("leaf01", "cat /etc/frr/frr.conf")
        again = bench.ssh("leaf01", f"{reload} --test --stdout /tmp/new.conf")
        assert "router bgp" not in again.partition("Lines To Add")[2]
    finally:
        bench.ssh("leaf01", "vtysh -c 'configure terminal' -c 'no router bgp 65101' -c end -c 'write memory'")


def test_files_written_in_a_node_stay_in_it(bench):
    paths = [
        f"{folder}/only-here" for folder in ("/etc/fabric", "/var/lib/fabric", "/etc", "/var", "/run", "/tmp", "/root")
    ]
    bench.ssh("gpu01", "; ".join(f"echo x > {path}" for path in paths))
    assert bench.ssh("gpu01", f"ls {' '.join(paths)}").split() == sorted(paths)
    assert bench.ssh("gpu02", f"ls {' '.join(paths)} || true") == ""
    assert not any(Path(path).exists() for path in paths)


def test_detached_processes_are_collected_when_they_end(bench):
    bench.ssh("gpu01", "for n in 1 2 3; do setsid sh -c 'sleep 0.1' >/dev/null 2>&1 & done")
    zombies = eventually(lambda: bench.ssh("gpu01", "ps -eo stat,comm | grep -c '^Z' || true").strip(), "0", 5.0)
    assert zombies == "0"


def test_a_terminal_can_be_had(bench):
    assert "root@leaf01:~#" in bench.ssh("leaf01", "sh -l", "-tt", text="exit\n")


def test_many_logins_at_once_are_served(bench):
    to = bench.access["gpu02"]
    argv = ["ssh", "-F", "none", "-i", to["key"], "-p", str(to["port"]), "-o", "BatchMode=yes"]
    argv += ["-o", f"UserKnownHostsFile={to['known_hosts']}", "root@127.0.0.1", "true"]
    runs = [subprocess.Popen(argv) for _ in range(24)]
    assert [run.wait(60) for run in runs] == [0] * 24


def test_big_files_pass_the_forwarder_whole(bench):
    text = "".join(map(str, range(400_000)))
    assert bench.ssh("gpu02", "sha256sum", text=text).split()[0] == sha256(text.encode()).hexdigest()


def test_a_node_that_is_not_the_published_one_is_noticed(bench):
    ports = {name: to["port"] for name, to in bench.access.items()}
    alias = f"HostKeyAlias=[127.0.0.1]:{ports['gpu02']}"
    refused = bench.ssh("gpu01", "true", "-o", alias, check=False)
    assert refused.returncode == 255


def test_the_shell_command_lands_in_the_node(bench):
    done = subprocess.run(
        control.shell(bench.fabric, "leaf02"),
        input="hostname; echo $HOME; id -u\n",
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.split() == ["leaf02", "/root", "0"]


def test_the_shell_of_an_unknown_node_suggests_the_nearest(bench):
    with pytest.raises(UsageError, match="unknown node 'leaf1'") as caught:
        control.shell(bench.fabric, "leaf1")
    assert "leaf01" in caught.value.hint
