"""The same file makes the same design, in any process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from fabric.design.build import design
from fabric.intent.loader import load
found = design(load(sys.argv[1]))
for name, node in found.network.nodes.items():
    print(name, [(facet.name, list(facet.rows.items())) for facet in node.settings])
    print(found.scopes[name].prefixes, sorted(found.scopes[name].ports), sorted(found.scopes[name].names))
print(found.network.links, found.classes, found.rails, list(found.origins.items()))
"""


@pytest.mark.parametrize(
    "name",
    [
        "inventories/lab",
        "inventories/pod16",
        "tests/language/brownfield",
        "tests/language/layer2",
        "tests/language/planes",
    ],
)
def test_hash_seeds_do_not_matter(name: str) -> None:
    def printed(seed: str) -> str:
        command = [sys.executable, "-c", SCRIPT, str(ROOT / name)]
        done = subprocess.run(
            command, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        return done.stdout

    first = printed("1")
    assert len(first) > 10_000
    assert printed("2") == first
