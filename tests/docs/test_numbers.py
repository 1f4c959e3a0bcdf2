"""Numbers of the explanation are computed again from the formulas beside them."""

from __future__ import annotations

import re

import pytest

MTU, CELL, SMALL, ON_WIRE = 9216, 254, 64, 84
STOPS, FIBRE = 2.1e-6, 5e-9


def headroom(gigabits: int, metres: int) -> float:
    rate = gigabits * 1e9 / 8
    return CELL / (SMALL + 20) * (2 * MTU + ON_WIRE + rate * (STOPS + 2 * metres * FIBRE))


@pytest.mark.parametrize("gigabits", [100, 200, 400, 800])
def test_the_table_of_headroom(gigabits: int, written: dict[str, str]) -> None:
    row = re.search(rf"^\| {gigabits}G \| (.*) \|$", written["explanation/pfc.md"], re.MULTILINE)
    assert row is not None
    shown = [int(cell.replace(",", "").removesuffix(" KB")) for cell in row[1].split(" | ")]
    assert shown == [round(headroom(gigabits, metres) / 1000) for metres in (5, 40, 100, 300)]


def test_the_worked_example_adds_up(written: dict[str, str]) -> None:
    rows = re.findall(r"\| ([\d,]+) \|$", written["explanation/pfc.md"].partition("**sum**")[0], re.MULTILINE)
    parts = [int(each.replace(",", "")) for each in rows]
    assert parts == [MTU, MTU, ON_WIRE, 20_000, 105_000]
    assert f"**{sum(parts):,}**" in written["explanation/pfc.md"]


@pytest.mark.parametrize(("said", "alpha"), [("1/8", 1 / 8), ("1/4", 1 / 4), ("1", 1.0)])
def test_the_table_of_alpha(said: str, alpha: float, written: dict[str, str]) -> None:
    row = re.search(rf"^\| {said} \| (.*) \|$", written["explanation/pfc.md"], re.MULTILINE)
    assert row is not None
    shown = [float(cell.removesuffix(" MB")) for cell in row[1].split(" | ")]
    assert shown == [round(ports * alpha * 64 / (1 + ports * alpha), 1) for ports in (1, 8, 32)]


@pytest.mark.parametrize("gigabits", [100, 400, 800])
def test_the_table_of_bytes_above_kmin(gigabits: int, written: dict[str, str]) -> None:
    row = re.search(rf"^\| {gigabits}G \| ([\d.]+) MB \|$", written["explanation/ecn.md"], re.MULTILINE)
    assert row is not None
    assert float(row[1]) == round(7 * gigabits * 1e9 / 8 * 8e-6 / 1e6, 1)
