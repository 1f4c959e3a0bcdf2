"""What `fabric show NODE` says of the buffer of a switch."""

import json
from pathlib import Path

import pytest

from fabric.design.build import design
from fabric.intent.loader import load
from fabric.report.style import report

INVENTORIES = Path(__file__).parents[2] / "inventories"


@pytest.fixture(scope="module")
def pod16():
    return design(load(INVENTORIES / "pod16" / "fabric.yaml"))


@pytest.fixture
def copy_with(tmp_path):
    """A function that designs pod16 with one line of its file replaced."""

    def make(old, new):
        text = (INVENTORIES / "pod16" / "fabric.yaml").read_text()
        assert text.count(old) == 1
        (tmp_path / "fabric.yaml").write_text(text.replace(old, new))
        return design(load(tmp_path / "fabric.yaml"))

    return make


def lines_of(made, name, *, why=False):
    text = report("table", color=False, width=100000).node(made, name, why=why)
    rows = text.splitlines()
    at = next((number for number, row in enumerate(rows) if row.startswith("buffer  ")), None)
    return [] if at is None else rows[at:]


def test_a_switch_says_what_its_buffer_is_used_for(pod16):
    (line,) = lines_of(pod16, "spine01")
    assert line.startswith("buffer      117.4 MB: ")
    assert " shared, " in line
    assert "(32 of 32 ports can be paused at once without loss)" in line


def test_why_says_by_which_formula_and_whose_figures_these_are(pod16):
    _, why = lines_of(pod16, "spine01", why=True)
    assert " B shared = 117440512 B - " in why
    assert "the 32 ports on which a priority is paused need" in why
    assert "buffers.oversubscribe is not written, 1 as in SONiC's templates" in why
    assert "292608 B of priority groups, 3820216 B that no pool for lossless traffic has" in why
    assert "total of 112 MB" in why


def test_the_ratio_of_the_file_has_an_effect(copy_with):
    half = copy_with("  alpha: 1/8", "  alpha: 1/8\n  oversubscribe: 2")
    line, why = lines_of(half, "spine01", why=True)
    assert "(16 of 32 ports can be paused at once without loss)" in line
    assert "divided by 2, buffers.oversubscribe" in why


def test_the_headroom_of_a_pool_goes_before_the_ratio(copy_with):
    pool = "{ingress_lossless_pool: {size: 100MB, xoff: 6MB}}"
    line, why = lines_of(copy_with("  alpha: 1/8", f"  alpha: 1/8\n  override: {pool}"), "spine01", why=True)
    assert (
        "94.0 MB" not in line
    )  # size and headroom fit beside each other: all of the size is shared, but for the groups
    assert "99.7 MB shared, 6.0 MB headroom" in line
    assert "headroom is xoff of the pools that are set" in why


def test_hosts_and_switches_of_which_no_chip_is_known_say_nothing(pod16):
    assert lines_of(pod16, "gpu01") == []
    lab = design(load(INVENTORIES / "lab" / "fabric.yaml"))
    assert lines_of(lab, "spine01", why=True) == []
    assert "buffer" not in json.loads(report("json", color=False).node(lab, "spine01", why=False))


def test_json_has_the_same_figures(pod16):
    found = json.loads(report("json", color=False).node(pod16, "spine01", why=False))["buffer"]
    assert (found["total"], found["paused_at_once"]) == (117440512, 32)
    assert found["shared"] == found["total"] - found["kept"] - found["reserved"]
    assert found["kept"] == found["demand"]
