"""The JSON Schema for editors accepts what the loader accepts, and describes every key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from fabric.intent.schema import schema


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(schema())
    return Draft202012Validator(schema())


def wrong(validator: Draft202012Validator, data: object) -> list[str]:
    return [".".join(map(str, error.absolute_path)) for error in validator.iter_errors(data)]


@pytest.mark.parametrize("name", ["lab", "pod16", "ai1024"])
def test_the_inventories_fit(validator: Draft202012Validator, inventories: Path, name: str) -> None:
    data = YAML(typ="safe", pure=True).load(inventories / name / "fabric.yaml")
    assert wrong(validator, data) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("topology.switches.leaf.count", "4"),
        ("topology.switches.leaf.count", 0),
        ("topology.switches.leaf.asn.per", "pods"),
        ("topology.switches.Leaf", {}),
        ("topology.cables", []),
        ("addressing.links", "numbered"),
        ("addressing.hosts", "fd00::"),
        ("classes.rdma.dscp", 64),
        ("classes.rdma.dscp", "0-64"),
        ("classes.rdma.dscp", []),
        ("classes.rdma.share", 60),
        ("classes.rdma.share", "101%"),
        ("classes.rdma.queue", None),
        ("classes.rdma.ecn.min", 150),
        ("classes.rdma.color", "red"),
        ("pfc.watchdog.detect", 200),
        ("buffers", {"alpha": "nan"}),
        ("nic_settings", {"rdma_mtu": 9000}),
        ("access", {"hosts": {"password": "x"}}),
        ("tenants", {"blue": {}}),
    ],
)
def test_a_wrong_value_does_not_fit(validator: Draft202012Validator, valid: dict, path: str, value: object) -> None:
    here = valid
    *above, last = path.split(".")
    for step in above:
        here = here[step]
    here[last] = value
    assert wrong(validator, valid)


@pytest.mark.parametrize("name", ["fabric", "topology", "addressing", "classes"])
def test_a_missing_part_does_not_fit(validator: Draft202012Validator, valid: dict, name: str) -> None:
    del valid[name]
    assert wrong(validator, valid)


def test_a_fabric_without_default_class_does_not_fit(validator: Draft202012Validator, valid: dict) -> None:
    del valid["classes"]["default"]
    assert wrong(validator, valid) == ["classes"]


@pytest.mark.parametrize("dscp", [0, 63, "26", "0-7", [8, "10-12"]])
def test_every_form_of_a_dscp_fits(validator: Draft202012Validator, valid: dict, dscp: object) -> None:
    valid["classes"]["rdma"]["dscp"] = dscp
    assert wrong(validator, valid) == []


def parts(part: object, at: str = "") -> Iterator[tuple[str, dict]]:
    if isinstance(part, dict):
        yield at, part
        for name, inner in part.items():
            yield from parts(inner, f"{at}/{name}")
    elif isinstance(part, list):
        for index, inner in enumerate(part):
            yield from parts(inner, f"{at}/{index}")


def test_every_key_is_described_and_no_mapping_takes_unknown_keys() -> None:
    made = schema()
    for at, part in parts(made):
        if "properties" in part and not at.endswith("/properties"):
            assert part["additionalProperties"] is False, at
            for name, inner in part["properties"].items():
                assert inner.get("description"), f"{at}.{name}"
        if "patternProperties" in part:
            assert part["additionalProperties"] is False, at


def test_the_schema_knows_neither_null_nor_made_up_titles() -> None:
    text = json.dumps(schema())
    assert '"null"' not in text
    assert text.count('"title"') == 1


def test_the_schema_is_the_same_every_time() -> None:
    assert json.dumps(schema()) == json.dumps(schema())
