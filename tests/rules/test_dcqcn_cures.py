"""What is said to do about flows that swing: the smaller change that helps, tried in the model before it is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.rules.runner import rules, run_rules

CASES = YAML(typ="safe", pure=True).load((Path(__file__).parent / "dcqcn" / "unstable.yaml").read_text())["failing"]
(RULE,) = (rule for rule in rules() if rule.id == "dcqcn.unstable")
KILOMETRES = CASES["the-paper-with-ten-flows-over-kilometres"]


def said(subjects):
    (finding,) = run_rules([RULE], subjects)
    return finding


def swinging(step, low, high, **ecn):
    """A port with a short ramp, beside others with one so long that nothing swings there."""
    port = {"queue": 3, "kmin": low, "kmax": high, "pmax": 20.0}
    return {
        "base": "base_400g",
        "intent": {
            "classes": {"rdma": {"ecn": {"min": "5MB", "max": "200MB", "probability": "5%", **ecn}}},
            "nic_settings": {"mlx5": {"dcqcn": {"rpg_ai_rate": step, "rpg_time_reset": 20}}},
        },
        "settings": {"leaf01": {"ecn": {"Ethernet0": {"queues": [port]}}}},
    }


def test_a_quarter_of_the_step_calms_the_paper_over_kilometres(subjects_of):
    """Published for 10 flows at 100 us: a margin of 4.2 degrees with R_AI 10 Mbit/s, of -17.9 with 40."""
    found = said(subjects_of(KILOMETRES))
    assert found.fix == "write rpg_ai_rate: 10 (R_AI/4): that is enough in the model"
    assert "it swings between 0 KB and 240 KB" in found.message


@pytest.mark.parametrize(
    ("step", "low", "high", "fix"),
    [
        (50, 200_000, 800_000, "write rpg_ai_rate: 12 (R_AI/4): that is enough in the model"),
        (400, 200_000, 800_000, "write a max of 4000000 bytes: that is enough in the model"),
        (
            100,
            200_000,
            400_000,
            "write rpg_ai_rate: 25 (R_AI/4) and a max of 2000000 bytes: that is enough in the model",
        ),
        (
            2000,
            200_000,
            400_000,
            (
                "lower rpg_ai_rate and lengthen rpg_time_reset: rpg_ai_rate: 500 (R_AI/4) and a max of 2000000 bytes "
                "are not enough in the model"
            ),
        ),
    ],
    ids=["a smaller step", "a wider ramp", "both", "neither"],
)
def test_the_first_change_that_is_enough_is_said(step, low, high, fix, subjects_of):
    assert said(subjects_of(swinging(step, low, high, flows=32))).fix == fix
