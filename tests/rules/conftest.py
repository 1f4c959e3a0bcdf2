"""What rules judge in the tests: base.yaml, or the ``base`` of a case, patched as a file, as a network, or both."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.design.build import design
from fabric.intent.loader import parse
from fabric.intent.source import Source
from fabric.rules.contract import Subjects
from fabric.settings.network import End, Link, Network
from fabric.units import parse_speed

HERE = Path(__file__).parent
_SPEC = spec_from_file_location("plain_rows", HERE / "plain_rows.py")
plain_rows = module_from_spec(_SPEC)
_SPEC.loader.exec_module(plain_rows)


@cache
def read_yaml(path):
    return YAML(typ="safe", pure=True).load(path.read_text())


def listed(designed, case):
    """The design with NIC ports moved, as a list of cables may have them.

    ``swap`` exchanges where two ports land, ``land`` puts one on a port of a leaf.
    """
    ends = {link.a: link.b for link in designed.network.links}
    rails = {End(rail.node, rail.port): rail.leaf for rail in designed.rails}
    for one, other in (map(end_of, pair) for pair in case.get("swap", ())):
        ends[one], ends[other] = ends[other], ends[one]
        rails[one], rails[other] = rails[other], rails[one]
    ends |= {end_of(one): end_of(other) for one, other in case.get("land", ())}
    links = tuple(replace(link, b=ends[link.a]) for link in designed.network.links)
    moved = tuple(
        rail if len(rail.leaves) > 1 else replace(rail, leaf=leaf, leaves=(leaf,))
        for rail, leaf in zip(designed.rails, rails.values(), strict=True)
    )
    return replace(designed, network=replace(designed.network, links=links), rails=moved)


def document_of(patch, base="base"):
    text = json.dumps(plain_rows.merged(read_yaml(HERE / f"{base}.yaml"), patch), indent=1)  # JSON is YAML, in order
    return parse(Source("fabric.yaml", text, sha256(text.encode()).hexdigest()))


def end_of(text):
    return End(*text.split(":"))


def link_of(plain):
    return Link(end_of(plain["a"]), end_of(plain["b"]), parse_speed(plain["speed"]), 5.0)


def mutated(network: Network, case) -> Network:
    """Apply ``settings``, ``nodes`` and ``facts`` (patches per node), ``ports``, ``unplug`` and ``plug`` of a case."""
    nodes = {name: replace(node, **case.get("nodes", {}).get(name, {})) for name, node in network.nodes.items()}
    for name, facts in case.get("facts", {}).items():
        nodes[name] = replace(nodes[name], facts=replace(nodes[name].facts, **facts))
    for name, patch in case.get("settings", {}).items():
        nodes[name] = replace(nodes[name], settings=plain_rows.patched(nodes[name].settings, patch))
    for name, ports in case.get("ports", {}).items():
        nodes[name] = replace(nodes[name], facts=replace(nodes[name].facts, ports=frozenset(ports)))
    gone = {end_of(each) for each in case.get("unplug", ())}
    links = tuple(each for each in network.links if gone.isdisjoint((each.a, each.b)))
    links += tuple(link_of(each) for each in case.get("plug", ()))
    return replace(network, nodes=nodes, links=links)


def subjects(case) -> Subjects:
    """Make the subjects of a case."""
    document = document_of(case.get("intent", {}), case.get("base", "base"))
    designed = listed(design(document), case)
    return Subjects(document, designed, mutated(designed.network, case))


@pytest.fixture(scope="session")
def subjects_of():
    """A function that makes the subjects of a case."""
    return subjects
