"""Designs small enough to be built often, and a lab that stands for a whole test module."""

import json
import os
import subprocess

import pytest

from fabric.design.model import Design
from fabric.lab import control
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.network import End, Link, Network, Node


def node(name, kind, tier, system):
    return Node(name, name.rstrip("0123456789"), kind, tier, system, "linux", Facts(system), Settings())


def make_design(fabric, spines=2, leaves=2, hosts=2, system="linux"):
    """Leaf n has swp1.. to the spines and then its hosts; host n hangs on leaf n (modulo)."""
    nodes = [node(f"spine{i:02}", "switch", 2, "frr") for i in range(1, spines + 1)]
    nodes += [node(f"leaf{i:02}", "switch", 1, "frr") for i in range(1, leaves + 1)]
    nodes += [node(f"gpu{i:02}", "host", 0, system) for i in range(1, hosts + 1)]
    links = [
        Link(End(f"leaf{leaf:02}", f"swp{spine}"), End(f"spine{spine:02}", f"swp{leaf}"), 10**10, 5.0)
        for leaf in range(1, leaves + 1)
        for spine in range(1, spines + 1)
    ]
    for host in range(1, hosts + 1):
        leaf, place = (host - 1) % leaves + 1, (host - 1) // leaves + 1
        links.append(Link(End(f"gpu{host:02}", "eth1"), End(f"leaf{leaf:02}", f"swp{spines + place}"), 10**10, 2.0))
    return Design(fabric, Network({n.name: n for n in nodes}, tuple(links)), (), 9000, (), {})


class Bench:
    """A lab that is up, reached as any other tool would: by what it publishes."""

    def __init__(self, design):
        self.design = design
        self.fabric = design.fabric

    @property
    def access(self):
        return json.loads(control.status(self.fabric).access.read_text())["nodes"]

    def ssh(self, node, command, *options, check=True, text=""):
        to = self.access[node]
        argv = ["ssh", "-F", "none", "-i", to["key"], "-p", str(to["port"]), *options]
        for option in (f"UserKnownHostsFile={to['known_hosts']}", "StrictHostKeyChecking=yes", "BatchMode=yes"):
            argv += ["-o", option]
        done = subprocess.run(
            [*argv, f"{to['user']}@{to['host']}", command],
            input=text,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout if check else done

    def fault(self, kind, *at):
        return control.fault(self.fabric, self.design, kind, at)


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """Build a lab of 2 spines, 2 leaves and 2 hosts; taken down after the module's last test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FABRIC_STATE", str(tmp_path_factory.mktemp("state")))
        design = make_design(f"bench{os.getpid()}")
        try:
            control.up(design, progress=lambda _: None)
            yield Bench(design)
        finally:
            control.down(design.fabric)


@pytest.fixture
def design_of():
    """Make designs."""
    return make_design


@pytest.fixture
def state(tmp_path, monkeypatch):
    """Keep labs of this test in a folder of its own."""
    monkeypatch.setenv("FABRIC_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def bench_of():
    """Reach the lab of a design."""
    return Bench
