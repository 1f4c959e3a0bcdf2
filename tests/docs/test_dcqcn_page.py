"""The table on the page about DCQCN is what the model says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric.analysis.fluid import PAPER, fixed_point, queue

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "dcqcn.md"
ROWS = re.findall(r"^\| (\d+) \| ([\d.]+) \| ([\d.]+|at Kmax) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_table_has_the_flows_of_the_paper():
    assert [int(flows) for flows, _, _ in ROWS] == [1, 2, 4, 8, 10, 16, 32, 64]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_row_of_the_table_is_computed(row):
    p = fixed_point(PAPER, 40 * 10**9, int(row[0]))
    rests = queue(p, 5_000, 200_000, 0.01)
    assert row[1:] == (f"{100 * p:.3g}", "at Kmax" if rests is None else f"{rests / 1000:.1f}")
