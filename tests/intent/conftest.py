"""A valid intent to change, and what the loader says about the change."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fabric.errors import IntentError, Problem
from fabric.intent.loader import load

VALID = {
    "fabric": "small",
    "topology": {
        "switches": {
            "spine": {"count": 2, "system": "frr", "model": "linux", "asn": {"first": 65000, "per": "tier"}},
            "leaf": {"count": 4, "system": "frr", "model": "linux", "asn": {"first": 65101, "per": "device"}},
        },
        "hosts": {"gpu": {"count": 4, "nics": 2, "nic": "soft-roce", "attach": "rail", "per_group": 2}},
        "cables": [
            {"from": "leaf", "to": "spine", "speed": "10G"},
            {"from": "gpu", "to": "leaf", "speed": "10G"},
        ],
    },
    "addressing": {"loopbacks": "10.255.0.0/16", "links": "unnumbered", "hosts": "10.64.0.0/12", "mtu": 9000},
    "classes": {
        "rdma": {"dscp": 26, "priority": 3, "ecn": {"min": "100KB", "max": "400KB", "probability": "20%"}},
        "cnp": {"dscp": 48, "priority": 6},
        "default": {"priority": 0},
    },
    "pfc": {"watchdog": {"detect": "200ms", "restore": "400ms", "action": "drop"}},
    "jobs": {"nccl": {"class": "rdma"}},
}


@pytest.fixture
def valid() -> dict:
    """A copy that a test may change."""
    return copy.deepcopy(VALID)


@pytest.fixture
def inventories() -> Path:
    return Path(__file__).parents[2] / "inventories"


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Write an intent file; what was written before is replaced."""

    def to_file(content: str | bytes) -> Path:
        file = tmp_path / "fabric.yaml"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return to_file


@pytest.fixture
def problems(write: Callable[[str | bytes], Path]) -> Callable[[object], tuple[Problem, ...]]:
    """Return what is wrong with a text, or with data (every JSON text is YAML); nothing when it loads."""

    def found(content: object) -> tuple[Problem, ...]:
        file = write(content if isinstance(content, str | bytes) else json.dumps(content))
        try:
            load(file)
        except IntentError as error:
            return error.problems
        return ()

    return found
