"""The files that init writes: designed as worked out by hand, each section and key explained, each example right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from fabric.design.build import design
from fabric.design.model import Design
from fabric.intent.loader import load, parse
from fabric.intent.models import Intent
from fabric.intent.schema import schema
from fabric.intent.source import Source
from fabric.results import Severity
from fabric.workflows.prepare import prepare
from fabric.workflows.starting import presets

INVENTORIES = Path(__file__).parents[2] / "inventories"
TEXTS = {preset.name: preset.text for preset in presets()}
NAMES = list(TEXTS)

# Nodes per role, links per pair of roles, and the speed below each switch over the speed above it.
NODES = {
    "two-tier": {"spine": 2, "leaf": 4, "gpu": 32},
    "rail": {"spine": 4, "leaf": 8, "gpu": 32},
    "three-tier": {"superspine": 16, "spine": 2 * 8, "leaf": 2 * 8, "gpu": 2 * 64},
    "converged": {"spine": 4, "leaf": 8, "storage-leaf": 2, "gpu": 16, "storage": 8},
    "lab": {"spine": 2, "leaf": 4, "gpu": 4},
}
LINKS = {
    "two-tier": {"leaf spine": 4 * 2 * 16, "gpu leaf": 32 * 4},
    "rail": {"leaf spine": 8 * 4 * 8, "gpu leaf": 32 * 8},
    "three-tier": {"leaf spine": 2 * 8 * 8 * 4, "spine superspine": 16 * 2 * 16, "gpu leaf": 128 * 8},
    "converged": {
        "leaf spine": 8 * 4 * 4,
        "storage-leaf spine": 2 * 4 * 6,
        "gpu leaf": 16 * 8,
        "gpu storage-leaf": 16 * 2,
        "storage storage-leaf": 8 * 2,
    },
    "lab": {"leaf spine": 4 * 2, "gpu leaf": 4 * 2},
}
RATIOS = {
    "two-tier": {"leaf": Fraction(1)},
    "rail": {"leaf": Fraction(1)},
    "three-tier": {"leaf": Fraction(1), "spine": Fraction(1)},
    "converged": {"leaf": Fraction(1), "storage-leaf": Fraction(1)},
    "lab": {"leaf": Fraction(1)},
}
CABLES = {
    "two-tier": {"leaf01:Ethernet256": "spine01:Ethernet0", "leaf04:Ethernet504": "spine02:Ethernet504"},
    "rail": {"gpu01:nic1": "leaf01:Ethernet0", "gpu32:nic8": "leaf08:Ethernet248"},
    "three-tier": {
        "p1-gpu01:nic1": "p1-leaf01:Ethernet1/1",
        "p1-gpu02:nic1": "p1-leaf01:Ethernet1/5",
        "p2-gpu64:nic8": "p2-leaf08:Ethernet32/5",
        "p2-spine08:Ethernet64/1": "superspine16:Ethernet32/1",
    },
    "converged": {
        "storage-leaf02:Ethernet440": "spine04:Ethernet344",
        "gpu16:nic9": "storage-leaf01:Ethernet120",
        "storage08:nic2": "storage-leaf02:Ethernet184",
    },
    "lab": {"leaf01:swp33": "spine01:swp1", "gpu03:eth2": "leaf04:swp1"},
}
# A key that may be added: a # right before it; lines of the block below it have the # and two blanks.
OPTIONAL = re.compile(r"^( *)#(?=[a-z]+[a-z0-9_]*:|- )")


def designed(name: str) -> Design:
    return design(parse(Source("fabric.yaml", TEXTS[name], "0")))


def examples(text: str) -> Iterator[tuple[str, str]]:
    """Yield each key that may be added, with the text in which it has been."""
    lines = text.splitlines()
    for index, line in enumerate(lines):
        if OPTIONAL.match(line) is None:
            continue
        end = index + 1
        while end < len(lines) and lines[end].startswith("#  ") and not line.startswith(" "):
            end += 1
        block = [OPTIONAL.sub(r"\1", line), *(row[1:] for row in lines[index + 1 : end])]
        yield line.strip(), "\n".join([*lines[:index], *block, *lines[end:]]) + "\n"


EXAMPLES = [
    pytest.param(text, id=f"{name}-{key.partition(':')[0].lstrip('#- {')}-{number}")
    for name in NAMES
    for number, (key, text) in enumerate(examples(TEXTS[name]))
]


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_has_the_nodes_and_cables_that_its_second_line_promises(name: str) -> None:
    network = designed(name).network
    role = {node.name: node.role for node in network.nodes.values()}
    assert Counter(role.values()) == NODES[name]
    assert Counter(f"{role[link.a.node]} {role[link.b.node]}" for link in network.links) == LINKS[name]
    ends = {str(link.a): str(link.b) for link in network.links}
    assert {lower: ends.get(lower) for lower in CABLES[name]} == CABLES[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_non_blocking(name: str) -> None:
    network = designed(name).network
    below: Counter[str] = Counter()
    above: Counter[str] = Counter()
    for link in network.links:
        above[link.a.node] += link.speed
        below[link.b.node] += link.speed
    found = {(network.nodes[node].role, Fraction(below[node], above[node])) for node in below if node in above}
    assert found == set(RATIOS[name].items())


@pytest.mark.parametrize("name", NAMES)
def test_rules_find_nothing_in_a_preset_but_notes(name: str, tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(TEXTS[name], encoding="utf-8")
    findings = prepare(tmp_path).findings
    assert [finding for finding in findings if finding.severity is not Severity.NOTE] == []


def test_the_lab_preset_is_the_lab_that_ships() -> None:
    ours, shipped = designed("lab"), design(load(INVENTORIES / "lab"))
    assert ours.network == shipped.network
    assert ours.rails == shipped.rails


@pytest.mark.parametrize("text", EXAMPLES)
def test_each_key_that_may_be_added_is_right_as_it_stands(text: str, tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(text, encoding="utf-8")
    # What this release can set on devices (the rules of group systems) is another matter.
    stopping = [found for found in prepare(tmp_path).findings if found.stops and not found.rule.startswith("systems.")]
    assert stopping == []


@pytest.mark.parametrize("name", NAMES)
def test_every_section_stands_in_a_preset_and_is_explained(name: str) -> None:
    lines = TEXTS[name].splitlines()
    for section in Intent.model_fields:
        starts = [number for number, line in enumerate(lines) if re.match(rf"#?{section}:", line)]
        assert len(starts) == 1, section
        assert lines[starts[0] - 1].startswith("# "), section


def test_every_key_of_the_language_stands_in_some_preset() -> None:
    words = set(re.findall(r"[a-z][a-z0-9_]*", " ".join(TEXTS.values())))
    assert sorted(set(keys(schema())) - words) == []


def keys(found: object) -> Iterator[str]:
    """Yield the names of all properties of a JSON Schema; the constants of chips have a page of their own."""
    if isinstance(found, dict):
        properties = found.get("properties")
        if isinstance(properties, dict):
            yield from properties
        for key, value in found.items():
            if key not in {"ChipIntent", "MemoryIntent"}:
                yield from keys(value)
    elif isinstance(found, list):
        for value in found:
            yield from keys(value)


@pytest.mark.parametrize("name", NAMES)
def test_strides_are_written(name: str) -> None:
    intent = parse(Source("fabric.yaml", TEXTS[name], "0")).intent
    assert intent.addressing.stride is not None
    assert all(role.stride for role in intent.topology.hosts.values())
    assert all(role.stride for role in intent.topology.switches.values() if role.per)


def test_growth_of_a_preset_moves_nothing() -> None:
    """A second group of rails beside the first, and a pod more."""
    for name, changes in {
        "rail": {"      count: 8\n": "      count: 16\n", "      count: 32\n": "      count: 64\n"},
        "three-tier": {"  pods: 2 ": "  pods: 4 "},
    }.items():
        grown = TEXTS[name]
        for old, new in changes.items():
            assert grown.count(old) == 1
            grown = grown.replace(old, new)
        before, after = designed(name), design(parse(Source("fabric.yaml", grown, "0")))
        assert set(before.network.links) < set(after.network.links)
        assert set(before.rails) < set(after.rails)


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_ends_with_three_commands_that_exist(name: str, fabric: Callable[..., object]) -> None:
    *_, one, two, three = TEXTS[name].splitlines()
    for line in (one, two, three):
        found = re.match(r"#   fabric (lab up|[a-z]+)(?: [a-z0-9-]+ --why)?  +\S", line)
        assert found is not None, line
        assert getattr(fabric(*found[1].split(), "--help"), "code", None) == 0


@pytest.mark.parametrize("name", NAMES)
def test_lines_of_a_preset_fit_a_terminal(name: str) -> None:
    assert [line for line in TEXTS[name].splitlines() if len(line) > 118 or line != line.rstrip()] == []
