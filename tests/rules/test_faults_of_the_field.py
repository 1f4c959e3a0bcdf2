"""What goes wrong in running fabrics is found in what was read, and said once."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.rules.runner import run

FAULTS = YAML(typ="safe", pure=True).load((Path(__file__).parent / "faults.yaml").read_text())
GROUPS = ("classes.*", "pfc.*", "nics.*", "links.*")


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_fault_of_the_field_is_said_once_by_the_rule_that_knows_it(name, subjects_of):
    found = run(subjects_of({"base": "base_400g", "settings": FAULTS[name]["settings"]}), GROUPS)
    assert {each.rule: each.path for each in found} == FAULTS[name]["found"]
    assert len(found) == len(FAULTS[name]["found"])
    assert {each.severity.value for each in found} == ({FAULTS[name].get("severity", "error")} if found else set())
