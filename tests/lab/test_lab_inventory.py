"""The lab inventory of this project, built as it is."""

import json
import time
from pathlib import Path

import pytest

from fabric.design.build import design
from fabric.intent.loader import load
from fabric.lab import control

pytestmark = pytest.mark.lab

FILE = Path(__file__).parents[2] / "inventories" / "lab" / "fabric.yaml"


def heard(bench, node):
    raw = json.loads(bench.ssh(node, "lldpcli -f json0 show neighbors"))
    return {
        (node, port["name"], port["chassis"][0]["name"][0]["value"], port["port"][0]["id"][0]["value"])
        for port in raw["lldp"][0].get("interface", [])
    }


def test_the_lab_inventory_is_cabled_as_designed(state, bench_of):
    made = design(load(FILE))
    try:
        control.up(made, progress=lambda _: None)
        bench = bench_of(made)
        wanted = {
            (one.node, one.port, far.node, far.port)
            for link in made.network.links
            for one, far in ((link.a, link.b), (link.b, link.a))
        }
        end = time.monotonic() + 20
        while (seen := set().union(*(heard(bench, node) for node in made.network.nodes))) != wanted:
            assert time.monotonic() < end, seen ^ wanted
    finally:
        control.down(made.fabric)
