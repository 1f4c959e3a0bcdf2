import shlex
from dataclasses import replace

from fabric.lab import image
from fabric.lab.plan import NodePlan

LEAF = NodePlan("leaf01", "switch", ("swp1", "swp2"), "eth0", "172.31.0.4/16")
HOST = NodePlan("gpu01", "host", ("eth1",), "eth0", "172.31.0.9/16")


def text_of(node, path):
    return next(file.text for file in image.files(node, "HOST", "CLIENT") if file.path == path)


def test_switches_start_with_the_stock_frr_header_only():
    assert text_of(LEAF, "/etc/frr/frr.conf").splitlines() == [
        "frr defaults datacenter",
        "hostname leaf01",
        "log file /var/log/frr/frr.log informational",
        "zebra nexthop-group keep 1",
        "service integrated-vtysh-config",
    ]


def test_hosts_have_no_routing_daemons():
    assert image.daemons(HOST) == ("sshd", "lldpd")
    assert not [file for file in image.files(HOST, "", "") if "frr" in file.path]


def test_bfd_runs_only_where_it_is_wanted():
    watching = replace(LEAF, bfd=True)
    assert image.daemons(watching) == ("zebra", "staticd", "bgpd", "bfdd", "sshd", "lldpd")
    assert "bfdd" not in image.daemons(LEAF)
    assert "bfdd=yes\n" in text_of(watching, "/etc/frr/daemons")
    assert "bfdd=no\n" in text_of(LEAF, "/etc/frr/daemons")
    lines = image.main(watching).splitlines()
    assert lines.index("vtysh -b") == 1 + next(i for i, line in enumerate(lines) if "/bfdd " in line)


def test_a_node_is_heard_when_each_of_its_cables_is():
    assert "\"$(lldpcli -f keyvalue show neighbors | grep -c 'chassis.name=')\" -ge 3" in image.main(
        replace(LEAF, cables=3)
    )


def test_keys_are_readable_by_root_only():
    modes = {file.path: file.mode for file in image.files(HOST, "", "")}
    assert modes["/etc/ssh/ssh_host_ed25519_key"] == 0o600


def test_the_servers_let_many_in_at_once_but_only_by_key():
    text = text_of(HOST, "/etc/ssh/sshd_config")
    assert "MaxStartups 1000:30:2000" in text
    assert "PasswordAuthentication no" in text
    assert "ListenAddress 172.31.0.9\n" in text


def test_lldp_speaks_on_ports_of_the_design_only():
    assert shlex.split(image.start(LEAF, "lldpd")) == ["lldpd", "-S", "fabric-lab", "-I", "swp1,swp2"]


def test_root_gets_a_plain_shell_and_others_keep_theirs():
    accounts = "root:x:0:0:root:/home/r:/bin/zsh\nfrr:x:103:106::/nonexistent:/usr/sbin/nologin\n"
    assert image.login_shell(accounts) == (
        "root:x:0:0:root:/root:/bin/sh\nfrr:x:103:106::/nonexistent:/usr/sbin/nologin\n"
    )


def test_the_configuration_is_loaded_once_all_routing_daemons_run():
    lines = image.main(LEAF).splitlines()
    assert "mgmtd" in lines[1]
    assert [line.split()[0].rpartition("/")[2] for line in lines[2:8]] == [
        "zebra",
        "staticd",
        "bgpd",
        "vtysh",
        "sshd",
        "lldpd",
    ]
