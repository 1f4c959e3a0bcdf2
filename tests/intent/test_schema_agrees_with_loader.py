"""The JSON Schema and the loader agree on what each value may be."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
from jsonschema import Draft202012Validator

from fabric.errors import Problem
from fabric.intent.schema import schema

Problems = Callable[[object], tuple[Problem, ...]]
SCHEMA = Draft202012Validator(schema())

# Documents of which one value is wrong by itself; what only several values together make wrong, no schema can say.
WRONG: list[tuple[str, object]] = [
    ("fabric", "Small"),
    ("topology.pods", 0),
    ("topology.switches.leaf.per", "rack"),
    ("topology.switches.leaf.stride", 0),
    ("topology.switches.leaf.asn.stride", "64"),
    ("topology.hosts.gpu.ports", 3),
    ("topology.hosts.gpu.bond", "mlag"),
    ("topology.hosts.gpu.attach", "rails"),
    ("topology.hosts.gpu.interfaces", []),
    ("topology.hosts.gpu.of", 1),
    ("topology.cables", {"files": "cables.csv"}),
    ("topology.cables", {"file": "../cables.csv"}),
    ("topology.cables.0", {"file": "cables.txt"}),
    ("topology.cables.0", {"match": "leaf01", "fec": "rs"}),
    ("topology.cables.0", {"match": "leaf01:swp1", "speed": "1G"}),
    ("topology.cables.0.fec", "on"),
    ("topology.cables.0.spread", "pod"),
    ("topology.cables.0.to_ports", "1-32/3x"),
    ("topology.cables.0.media", "DAC"),
    ("addressing.hosts", {"prefix": "10.0.0.0/8", "per": "rack", "length": 26}),
    ("addressing.hosts", {"prefix": "10.0.0.0/8", "per": "leaf"}),
    ("addressing.hosts", []),
    ("addressing.router_ids", "2001:db8::/32"),
    ("addressing.stride", -1),
    ("classes.rdma.edge", []),
    ("classes.rdma.ecn.min", {}),
    ("classes.rdma.ecn.max", {"100G": 150}),
    ("classes.rdma.ecn.profile", "fast"),
    ("classes.rdma.congestion", "dctcp"),
    ("buffers", {"lossy_alpha": 0}),
    ("buffers", {"override": {"pool": {}}}),
    ("buffers", {"chips": {"Tomahawk5": {"cell": 254}}}),
    ("buffers", {"chips": {"Tomahawk5": {"response": "2.25s"}}}),
    ("buffers", {"chips": {"Spectrum-4": {"quanta": {"400": 905}}}}),
    ("buffers", {"chips": {"Spectrum-4": {"mac_phy": "819B"}}}),
    ("buffers", {"chips": {"Spectrum-4": {"velocity": 198000}}}),
    ("routing", {"load_balance": "random"}),
    ("routing", {"bfd": "yes"}),
    ("nic_settings", {"bnxt": {"cnp_dscp": 64}}),
    ("jobs.nccl.communicators", {"p": 1}),
    ("hooks", {"idle": "is-idle"}),
    ("nodes", {"file": "nodes.txt"}),
    ("nodes", {"leaf 01": {}}),
    ("nodes", {"leaf01": {"state": "gone"}}),
    ("nodes", {"leaf01": {"ports": {"swp1": {"mtu": 100}}}}),
    ("access", {"jump": {"b": {"user": "x"}}}),
    ("access", {"hosts": {"password": {}}}),
    ("access", {"hosts": {"password": {"env": "A", "prompt": True}}}),
    ("access", {"hosts": {"key": {"agent": False}}}),
    ("access", {"hosts": {"key": "file"}}),
    ("tenants", {"blue": {"vni": 0, "hosts": ["gpu*"]}}),
    ("tenants", {"blue": {"vni": 1, "hosts": []}}),
    ("external", [{"node": "leaf01"}]),
    ("waivers", [{"rule": "x", "at": "y", "reason": "z"}]),
    ("waivers", [{"rule": "x", "at": "y", "reason": "because", "until": "soon"}]),
]


def put(data: dict, path: str, value: object) -> dict:
    data = copy.deepcopy(data)
    *above, last = path.split(".")
    here: object = data
    for step in above:
        here = here[int(step)] if isinstance(here, list) else here.setdefault(step, {})
    here[int(last) if isinstance(here, list) else last] = value
    return data


@pytest.mark.parametrize(("path", "value"), WRONG, ids=[f"{path}={value}"[:60] for path, value in WRONG])
def test_what_the_loader_refuses_by_its_value_the_schema_refuses(
    problems: Problems, valid: dict, path: str, value: object
) -> None:
    document = put(valid, path, value)
    assert problems(document)
    errors = list(SCHEMA.iter_errors(document))
    assert errors
    above = [".".join(map(str, error.absolute_path)) for error in errors]
    assert all(path.startswith(at) or at.startswith(path) for at in above)


def test_lists_in_csv_files_fit_the_schema(valid: dict) -> None:
    document = put(valid, "nodes", {"file": "nodes.csv", "leaf01": {"state": "planned"}})
    for cables in ({"file": "cables.csv"}, [{"file": "cables.csv"}, {"match": "leaf01:swp1", "length_m": 3}]):
        assert list(SCHEMA.iter_errors(put(document, "topology.cables", cables))) == []
