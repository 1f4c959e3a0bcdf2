"""The buffer rules against pools that SONiC ships: vendors run these, so none of them may be called an error.

`buffer_pools.csv` holds the ingress pools with a shared headroom pool of sonic-net/sonic-buildimage 086b03bd
(buffers_defaults files), for the configurations whose ports their names tell (P 800G, O 400G, V 200G, C 100G, D 50G,
Q 40G; of Nokia and of Dell-Z9864f the front panel). ``table`` is the headroom table that ships with them
(pg_profiles.csv), ``metres`` the length for which they take it. Two priorities of all ports are lossless, as in SONiC.
"""

from __future__ import annotations

import csv
from collections import Counter
from fractions import Fraction
from pathlib import Path
from statistics import median

import pytest

from fabric.design.budget import budget
from fabric.design.headroom import LAYER2, needed
from fabric.hardware.lookup import asic, switch, switches
from fabric.results import Severity
from fabric.rules.buffers import beyond_chip, cells, little_shared, oversubscribed, shared_headroom
from fabric.rules.contract import Subjects
from fabric.rules.runner import rule_of, run_rules
from fabric.settings.buffers import Buffers, PortBuffer
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.network import Network, Node
from fabric.settings.pfc import Pause, Pfc
from fabric.settings.pools import BufferPool, Pools
from fabric.units import parse_speed

HERE = Path(__file__).parent
IP_MTU = 9216 - LAYER2  # these tables are for frames of 9216 bytes
PAUSE = Pause(frozenset({3, 4}))
RULES = [rule_of(module) for module in (beyond_chip, little_shared, oversubscribed, shared_headroom, cells)]


def read(name):
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


HEADROOM = {
    (row["table"], int(row["speed_mbps"]), int(row["metres"])): int(row["xoff"]) for row in read("pg_profiles.csv")
}
ROWS = read("buffer_pools.csv")
WITH_DATA = [row for row in ROWS if asic(row["chip"])]


def label_of(row):
    return "-".join((row["chip"], row["file"].split("/")[3], row["ports"], row["size"], row["xoff"]))


def ports_of(row):
    """The speed in Mbit/s of each port."""
    pairs = (part.split("x") for part in row["ports"].split())
    return [parse_speed(speed) // 10**6 for count, speed in pairs for _ in range(int(count))]


def settings_of(row):
    sizes = [HEADROOM[row["table"], speed, int(row["metres"])] for speed in ports_of(row)]
    buffers = {f"Ethernet{number}": PortBuffer(headroom=size) for number, size in enumerate(sizes)}
    pools = {"ingress_lossless_pool": BufferPool(int(row["size"]), int(row["xoff"]))}
    return Settings(Buffers(buffers), Pfc(dict.fromkeys(buffers, PAUSE)), Pools(pools))


def budget_of(row):
    settings = settings_of(row)
    return budget(asic(row["chip"]), settings.rows(Buffers), settings.rows(Pfc), settings.rows(Pools), Fraction(1))


def times(row):
    """How many times the headroom of all ports exceeds the pool."""
    demand = sum(2 * HEADROOM[row["table"], speed, int(row["metres"])] for speed in ports_of(row))
    return demand / int(row["xoff"])


def findings(row):
    """What our rules say of a switch of that chip that is set like this; of chips that no model has, nothing."""
    model = next((name for name in switches() if name != "generic" and switch(name).asic == row["chip"]), None)
    if model is None:
        return ()
    node = Node("tor", "leaf", "switch", 1, "sonic", model, Facts("sonic"), settings_of(row))
    return run_rules(RULES, Subjects(network=Network({"tor": node}, ())))


@pytest.mark.parametrize("row", ROWS, ids=[label_of(row) for row in ROWS])
def test_no_pool_that_ships_is_called_an_error(row):
    assert [found for found in findings(row) if found.severity is Severity.ERROR] == []


def test_the_pools_that_ship_are_promised_up_to_8_7_times_and_half_of_them_more_than_2_3_times():
    found = [times(row) for row in ROWS]
    assert (len(found), round(min(found), 2), round(median(found), 2), round(max(found), 2)) == (65, 0.67, 2.32, 8.71)
    assert (sum(each > 2 for each in found), sum(each > 4 for each in found)) == (40, 20)


def test_what_our_rules_say_of_the_pools_that_ship():
    """36 of the 40 that are promised more than twice are of chips that a model has; four have sizes between cells."""
    said = Counter(kind for row in ROWS for kind in {(found.rule, found.severity.value) for found in findings(row)})
    assert said == {("buffers.oversubscribed", "warning"): 36, ("buffers.cells", "note"): 4}


@pytest.mark.parametrize("row", WITH_DATA, ids=[label_of(row) for row in WITH_DATA])
def test_a_pool_that_ships_fits_into_its_chip_and_leaves_two_fifths_and_more(row):
    found = budget_of(row)
    assert found.kept == int(row["xoff"])
    assert found.shared > 0.4 * found.total


@pytest.mark.parametrize("chip", ["Tomahawk4", "Tomahawk5", "Trident4"])
def test_our_headroom_for_the_devices_that_it_is_fitted_to_is_at_most_six_percent_above_theirs(chip):
    rows = [row for row in ROWS if row["chip"] == chip and "/dell/" in row["file"]]
    assert rows
    for row in rows:
        ours = sum(2 * needed(asic(chip), speed * 10**6, float(row["metres"]), IP_MTU).auto for speed in ports_of(row))
        assert 1 <= ours / int(row["xoff"]) / times(row) <= 1.06
