"""Imports only go down: the contracts hold, and each of them notices the fault it is there for."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = "Imports only go down"

# One line per fault: the contract that has to break, and the files that break it.
FAULTS: dict[str, tuple[str, dict[str, str]]] = {
    "settings import intent, a stranger": (LAYERS, {"settings/planted.py": "import fabric.intent.models"}),
    "results import settings, which lie above": (LAYERS, {"results.py": "import fabric.settings.facet"}),
    "errors import results, which lie above": (LAYERS, {"errors.py": "def late():\n    import fabric.results"}),
    "places import units, a stranger": (LAYERS, {"places.py": "import fabric.units"}),
    "diff imports render, a stranger": (LAYERS, {"diff/planted.py": "def late():\n    import fabric.render"}),
    "hardware imports design, which lies above": (LAYERS, {"hardware/planted.py": "from fabric.design import model"}),
    "a package that no layer names": (LAYERS, {"planted/planted.py": ""}),
    "probe imports transport, a stranger": (LAYERS, {"probe/planted.py": "import fabric.transport"}),
    "workflows import typer": ("typer and rich: only cli and report", {"workflows/planted.py": "import typer"}),
    "report imports typer": ("typer and rich: only cli and report", {"report/planted.py": "import typer"}),
    "lab imports rich": ("typer and rich: only cli and report", {"lab/planted.py": "from rich import print"}),
    "platforms import jinja2": ("jinja2: only render", {"platforms/planted.py": "from jinja2 import Template"}),
    "workflows import netmiko": ("netmiko and paramiko: only transport", {"workflows/planted.py": "import netmiko"}),
    "workflows import keyring": ("keyring: only transport", {"workflows/planted.py": "import keyring"}),
    "lab imports paramiko": ("netmiko and paramiko: only transport", {"lab/planted.py": "import paramiko"}),
    "platforms import pyroute2": ("pyroute2: only probe and lab", {"platforms/planted.py": "import pyroute2"}),
    "report imports sqlalchemy": ("sqlalchemy: only workflows", {"report/planted.py": "import sqlalchemy.orm"}),
    "transport imports asyncssh": ("asyncssh: only lab", {"transport/planted.py": "import asyncssh"}),
    "diff imports hier_config": (
        "hier_config and jsonpatch: only platforms",
        {"diff/planted.py": "import hier_config"},
    ),
    "render imports jsonpatch": (
        "hier_config and jsonpatch: only platforms",
        {"render/planted.py": "import jsonpatch"},
    ),
    "checks import networkx": (
        "scipy and graph libraries: only analysis",
        {"checks/planted.py": "import networkx"},
    ),
    "diff imports scipy": (
        "scipy and graph libraries: only analysis",
        {"diff/planted.py": "from scipy import optimize"},
    ),
    "platforms import a YAML parser": (
        "YAML: only intent and hardware",
        {"platforms/planted.py": "from ruamel.yaml import YAML"},
    ),
    "intent imports the other YAML parser": (
        "YAML: only intent and hardware",
        {"intent/planted.py": "import yaml"},
    ),
    "rdma imports our errors": (
        "rdma: standard library only, for it is sent to hosts",
        {"rdma/planted.py": "from fabric.errors import NoGid"},
    ),
    "rdma imports pyroute2": (
        "rdma: standard library only, for it is sent to hosts",
        {"rdma/planted.py": "import pyroute2"},
    ),
    "a simulated device reads with our platforms": (
        "Simulated devices know nothing of what they test",
        {"lab/simulated/planted.py": "import fabric.platforms.lookup"},
    ),
    "one switch system imports another": (
        "Systems and drivers are strangers",
        {
            "platforms/switch/one/planted.py": "",
            "platforms/switch/two/planted.py": "import fabric.platforms.switch.one",
        },
    ),
    "a host system imports a driver": (
        "Systems and drivers are strangers",
        {"platforms/nic/one/planted.py": "", "platforms/host/two/planted.py": "import fabric.platforms.nic.one"},
    ),
    "one rule imports another of its group": (
        "Rules are strangers",
        {"rules/planted/one.py": "", "rules/planted/two.py": "import fabric.rules.planted.one"},
    ),
    "one check imports another of another group": (
        "Checks are strangers",
        {"checks/sown/one.py": "", "checks/planted/two.py": "import fabric.checks.sown.one"},
    ),
    "two modules of one package import each other": (
        "No import goes in a circle",
        {
            "workflows/one.py": "import fabric.workflows.two",
            "workflows/two.py": "def late():\n    import fabric.workflows.one",
        },
    ),
}


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Per fault the contracts that break; under the empty name those that are broken already."""
    folder = tmp_path_factory.mktemp("planted")
    shutil.copytree(ROOT / "fabric", folder / "fabric", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    faults = folder / "faults.json"
    faults.write_text(json.dumps({name: files for name, (_, files) in FAULTS.items()}))
    script = Path(__file__).with_name("plant_faults.py")
    done = subprocess.run([sys.executable, script, faults], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def test_the_tree_keeps_every_contract(broken: dict[str, list[str]]) -> None:
    assert broken[""] == [], "run scripts/check (or lint-imports) to see the imports at fault"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_breaks_its_contract(fault: str, broken: dict[str, list[str]]) -> None:
    contract = FAULTS[fault][0]
    if contract in broken[""]:
        pytest.skip("the tree itself breaks this contract, as another test tells")
    assert contract in broken[fault]


def test_every_contract_has_a_planted_fault() -> None:
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert {contract["name"] for contract in options["contracts"]} == {contract for contract, _ in FAULTS.values()}
