"""network.sh: what the templates of Linux systems say, and that a shell can read it."""

from __future__ import annotations

import subprocess

import pytest

from fabric.platforms.parts import tc, tcmake
from fabric.render import render
from fabric.settings.addresses import Address, Addresses
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Links, Port
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.network import Kind
from fabric.settings.policy import Lookup, Policy
from fabric.settings.queues import Queue, Queues, Scheduler
from fabric.settings.routes import NextHop, Route, Routes
from fabric.settings.sysctl import Parameter, Sysctl

HOPS = (NextHop("10.64.0.0", "eth1"), NextHop("10.64.0.2", "eth2"))
HOST = Settings(
    Links({"eth1": Port(9000, enabled=True), "eth2": Port(enabled=False), "eth3": Port()}),
    Addresses({"eth1 10.64.0.1/31": Address()}),
    Routes({"main 10.64.0.0/12": Route(HOPS), "101 default": Route(HOPS[:1])}),
    Policy({"from 10.64.0.1": Lookup(101, 1001)}),
    Sysctl({"net.ipv4.conf.all.rp_filter": Parameter("2"), "net.ipv4.ip_forward": Parameter("1")}),
)
SWITCH = Settings(
    Links({"swp1": Port(9000, enabled=True, speed=10**10), "swp2": Port(9000, enabled=True)}),
    Queues(dict.fromkeys(("swp1", "swp2"), Scheduler((Queue(0, 100, limit=None),)))),
    Maps({"swp1": ClassMap((0,) * 64, (0,) * 8)}),
)

HOST_SCRIPT = """\
#!/bin/sh
# The network of gpu01 as fabric set it. Runs at boot, before routing starts; may be run again at any time.
set -eu
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

sysctl -qw 'net.ipv4.ip_forward=1'
sysctl -qw 'net.ipv4.conf.all.rp_filter=2'

ip -batch - <<'END'
link set dev eth1 mtu 9000
link set dev eth1 up
link set dev eth2 down
address replace 10.64.0.1/31 dev eth1
END

# One way out per rail, and all of them together to the pools.
ip -batch - <<'END'
route replace default table 101 via 10.64.0.0 dev eth1
route replace 10.64.0.0/12 table main nexthop via 10.64.0.0 dev eth1 nexthop via 10.64.0.2 dev eth2
END

# Each source address looks into the table of its own rail.
ip rule del from 10.64.0.1 lookup 101 pref 1001 2>/dev/null || :
ip rule add from 10.64.0.1 lookup 101 pref 1001
"""


def test_a_host_is_set_from_the_bottom_up() -> None:
    assert render("host", "linux", "gpu01", HOST, Facts("linux")).texts == {"network.sh": HOST_SCRIPT}


def test_the_queues_in_the_script_are_those_that_steps_make() -> None:
    text = render("switch", "frr", "leaf01", SWITCH, Facts("frr")).texts["network.sh"]
    assert tc.sections(text) == tcmake.lines(SWITCH)
    assert tc.sections(text).keys() == {"swp1"}  # a port without a speed has no rates


@pytest.mark.parametrize(
    ("kind", "system", "settings"),
    [("host", "linux", HOST), ("switch", "frr", SWITCH), ("host", "linux", Settings()), ("switch", "frr", Settings())],
    ids=["host", "switch", "empty-host", "empty-switch"],
)
def test_a_shell_can_read_it(kind: Kind, system: str, settings: Settings) -> None:
    text = render(kind, system, "node", settings, Facts(system)).texts["network.sh"]
    done = subprocess.run(("sh", "-n"), input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
