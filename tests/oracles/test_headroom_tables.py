"""The headroom formulas against every distinct table that SONiC ships: how many rows are exact, how far the rest is."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from fabric.design.headroom import needed, nvidia, xon
from fabric.hardware.asics import NvidiaPause
from fabric.hardware.constants import constants
from fabric.hardware.lookup import asic, asics
from fabric.units import format_speed

ROOT = Path(__file__).parents[2]
SPEC = spec_from_file_location("benchmark_of_headroom", ROOT / "benchmarks" / "headroom.py")
report = sys.modules[SPEC.name] = module_from_spec(SPEC)
SPEC.loader.exec_module(report)

TABLES = report.tables()
OF_NVIDIA = [table for table in TABLES if table.fits]
NAMED = [table for table in TABLES if table.named]
KIB = 1024
MOST = 7.0
MOST_OF_DATA = 3.6
GIGABIT = 10**9
EXACT = {
    "ACS-MSN2700",
    "SN2700-D40C8S8",
    "ACS-MSN3700",
    "ACS-MSN4700",
    "SN4600C-D24C52",
    "ACS-SN5600",
    "SN5600-V256",
    "SN5640-C448O16",
    "SN5640-C512X2",
}


def ids(tables):
    return [table.label for table in tables]


def vars_of(name):
    """The constants of a chip that headroom depends on."""
    return asic(name).cell, asic(name).pause, asic(name).lengths


def test_every_distinct_table_is_there():
    assert len(TABLES) == len({table.id for table in TABLES}) == 67
    assert sum(table.files for table in TABLES) == 190
    assert sum(len(table.rows) for table in OF_NVIDIA) == 511


def test_one_set_of_inputs_a_table_reproduces_457_of_511_rows_of_nvidia():
    assert sum(row.exact for table in OF_NVIDIA for row in table.compared(single=True)) == 457


def test_nine_tables_are_reproduced_to_the_byte_by_one_set_of_inputs_each():
    exact = [table for table in OF_NVIDIA if table.label.rpartition("/")[2].removeprefix("Mellanox-") in EXACT]
    assert len(exact) == len(EXACT) == 9
    assert [row for table in exact for row in table.compared(single=True) if not row.exact] == []
    assert sum(len(table.rows) for table in exact) == 220


def test_inputs_for_single_lengths_reproduce_502_of_511_rows_of_nvidia():
    assert sum(row.exact for table in OF_NVIDIA for row in table.compared()) == 502
    assert sum(all(row.exact for row in table.compared()) for table in OF_NVIDIA) == len(OF_NVIDIA) - 2


@pytest.mark.parametrize("table", OF_NVIDIA, ids=ids(OF_NVIDIA))
def test_a_row_of_nvidia_that_is_not_exact_repeats_another(table):
    apart = {(row.row.speed // GIGABIT, row.row.metres): row for row in table.compared() if not row.exact}
    halves = {key: row for key, row in apart.items() if key[0] == 400 and key[1] >= 1500}
    # 400G at 1500 m and 2000 m repeat the values of 200G, half of what arrives.
    assert all(row.row.xoff == same(table, 200, row.row.metres) for row in halves.values())
    # The others are those of 30 m, which repeat 40 m.
    others = [row.row for key, row in apart.items() if key not in halves]
    assert all(row.metres == 30 and row.xoff == same(table, row.speed // GIGABIT, 40) for row in others)


def same(table, gigabits, metres):
    (found,) = (row.xoff for row in table.rows if (row.speed, row.metres) == (gigabits * GIGABIT, metres))
    return found


@pytest.mark.parametrize("table", NAMED, ids=ids(NAMED))
def test_a_merchant_chip_is_within_seven_percent_from_100g(table):
    fast = [row for row in table.compared() if row.row.speed >= report.FAST]
    assert fast
    assert report.errors(fast)[1] <= MOST
    assert table.own or report.errors(fast)[1] <= MOST_OF_DATA


@pytest.mark.parametrize("chip", ["Tomahawk4", "Trident4", "Tomahawk6"])
def test_on_these_chips_slower_ports_are_as_close(chip):
    """Their tables give 10G the values of 25G, and 40G those of 50G (Tomahawk 6: 25G those of 50G)."""
    (table,) = (table for table in NAMED if table.chip == chip)
    assert report.errors(table.compared())[1] <= MOST_OF_DATA


@pytest.mark.parametrize("chip", ["Tomahawk2", "Tomahawk5", "Trident3"])
def test_with_bytes_beside_frames_slower_ports_are_within_seven_percent(chip):
    for table in (table for table in NAMED if table.chip == chip):
        assert report.errors([row for row in table.compared() if not flat(table, row.row)])[1] <= MOST


@pytest.mark.parametrize("table", NAMED, ids=ids(NAMED))
def test_what_is_set_aside_is_never_below_the_published_value_at_any_speed(table):
    below = [row.row for row in table.compared() if row.auto < row.row.xoff]
    assert [row for row in below if not flat(table, row)] == []
    assert len(below) == (4 if table.chip == "Tomahawk5" and len(table.rows) == 24 else 0)


def flat(table, row):
    """Whether a row of a slower port repeats that of 100G: over 300 m, where Tomahawk 5 has one value up to there."""
    return row.speed < report.FAST and row.metres == 300 and row.xoff == same(table, 100, 300)


@pytest.mark.parametrize("table", OF_NVIDIA, ids=ids(OF_NVIDIA))
def test_what_is_set_aside_on_nvidia_is_never_below_the_published_value(table):
    """But for the boards with a gearbox (SN3800), whose latency is none of the chip's; no model of them is known."""
    pause = asic(table.chip).pause
    gearbox = max(fit.get("gearbox", 0) for fit in table.fits)
    chip = replace(asic(table.chip), pause=replace(pause, gearbox=gearbox))
    found = {row: nvidia(chip, chip.pause, row.speed, row.metres, report.FRAME) for row in table.rows}
    assert [(row, size) for row, size in found.items() if size < row.xoff] == []


def test_the_chips_that_are_named_are_those_of_the_data():
    """But for the halves of chips, which have the constants of the whole ones."""
    merchant = {asic(name).name for name in asics() if not isinstance(asic(name).pause, NvidiaPause)}
    halves = {name for name in merchant if name.partition("-")[0] in merchant - {name}}
    assert {table.chip for table in NAMED} == merchant - halves | {"Teralynx"}
    assert {name: vars_of(name) for name in halves} == {name: vars_of(name.partition("-")[0]) for name in halves}


@pytest.mark.parametrize(
    ("chip", "sku", "mtu", "rows"),
    [
        ("Spectrum-4", "ACS-SN5600", 9216, 24),
        ("Spectrum-5", "Mellanox-SN5640-C512X2", 9216, 42),
        ("Spectrum-5", "Mellanox-SN5640-C448O16", 9216, 36),
        ("Spectrum-6", "ACS-SN6600", 9216, 14),
    ],
)
def test_the_data_of_a_chip_gives_its_own_table_without_further_inputs(chip, sku, mtu, rows):
    (table,) = (table for table in OF_NVIDIA if table.label.endswith(f"/{sku}"))
    found = [needed(asic(chip), row.speed, row.metres, mtu).auto for row in table.rows]
    assert found == [row.xoff for row in table.rows]
    assert len(found) == rows


def test_what_arrives_in_any_case_is_more_than_published_only_at_2000_m_and_where_a_faster_port_repeats_a_slower_one():
    """So a rule may call less than that a certain loss: the tables that people run with are not accused."""
    fast = [(table, row) for table in TABLES for row in table.rows if row.speed >= report.FAST and asic(table.chip)]
    least = [(table, row, needed(asic(table.chip), row.speed, row.metres, 9216).least) for table, row in fast]
    short = {(table.chip, row.speed // GIGABIT, row.metres) for table, row, arrives in least if row.xoff < arrives}
    assert len(fast) > 300
    assert {(gigabits, metres) for _, gigabits, metres in short} == {(100, 2000), (400, 1500), (400, 2000)}


@pytest.mark.parametrize("table", OF_NVIDIA, ids=ids(OF_NVIDIA))
def test_xon_is_the_latency_of_the_pipeline(table):
    pause = asic(table.chip).pause
    assert table.rows[0].xon == xon(pause, lanes=4)
    doubled = {row.xon for row in table.rows} - {table.rows[0].xon}
    assert all(abs(each - xon(pause, lanes=8)) <= KIB for each in doubled)


@pytest.mark.parametrize("name", [name for name in asics() if "-" not in name.removeprefix("spectrum-")])
def test_the_lengths_of_a_chip_are_those_of_all_its_tables(name):
    chip = asic(name)
    rows = {(row.speed, row.metres) for table in TABLES if table.chip == chip.name for row in table.rows if row.speed}
    assert {(speed, metres) for speed, lengths in chip.lengths.items() for metres in lengths} == rows


@pytest.mark.parametrize("size", sorted(constants()))
def test_a_constant_stands_in_the_table_that_it_is_taken_from_at_its_speeds_and_up_to_its_length(size):
    found = constants()[size]
    tables = [table for table in TABLES if found.file in table.file]
    assert {table.chip for table in tables} == {found.chip}
    rows = [row for table in tables for row in table.rows if row.xoff == size]
    assert {format_speed(row.speed) for row in rows} == {format_speed(speed) for speed in found.speeds}
    assert max(row.metres for row in rows) == found.metres
