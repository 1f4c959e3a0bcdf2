from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from fabric.design.build import design
from fabric.design.model import Design
from fabric.intent.loader import load, parse
from fabric.intent.source import Source

BASE = """\
fabric: small
topology:
  switches:
    spine: {count: 2, system: frr, model: linux, asn: {first: 65000, per: tier}}
    leaf: {count: 2, system: frr, model: linux, asn: {first: 65101, per: device}}
  hosts:
    gpu: {count: 2, nics: 2, nic: soft-roce, attach: rail, per_group: 4}
  cables:
    - {from: leaf, to: spine, speed: 10G}
    - {from: gpu, to: leaf, speed: 10G}
addressing: {loopbacks: 10.255.0.0/16, links: unnumbered, hosts: 10.64.0.0/12, mtu: 9000}
classes:
  rdma: {rdma: true, dscp: 26, priority: 3, lossless: true, share: 60%}
  default: {priority: 0, share: 40%}
"""


@dataclass(frozen=True)
class Small:
    """A small intent of which single values can be changed by dotted path; ``None`` takes a key away.

    In a list, the new value takes the place of the entry and of all after it.
    """

    changes: Mapping[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        yaml = YAML(typ="safe", pure=True)
        raw = yaml.load(BASE)
        for path, value in self.changes.items():
            at = raw
            *way, last = path.split(".")
            for key in way:
                at = at[int(key)] if isinstance(at, list) else at[key]
            if isinstance(at, list):
                at[int(last) :] = [value]
            elif value is None:
                del at[last]
            else:
                at[last] = value
        return json.dumps(raw, indent=1)  # JSON is YAML, and keeps the order of keys

    def design(self) -> Design:
        return design(parse(Source("fabric.yaml", self.text(), "0")))


@pytest.fixture(scope="session")
def small() -> Callable[[Mapping[str, Any]], Design]:
    """A design of the small intent with changes."""
    return lambda changes: Small(changes).design()


@pytest.fixture
def with_files(tmp_path: Path) -> Callable[[Mapping[str, Any], Mapping[str, str]], Design]:
    """A design of the small intent with changes, beside files with the given texts."""

    def built(changes: Mapping[str, Any], files: Mapping[str, str]) -> Design:
        (tmp_path / "fabric.yaml").write_text(Small(changes).text(), encoding="utf-8")
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        return design(load(tmp_path))

    return built
