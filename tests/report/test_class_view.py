"""What is shown of one class: where it marks, how that comes about, and where profiles would lead."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fabric.errors import UsageError
from fabric.report.class_rows import note, threshold_rows, why_rows
from fabric.report.class_view import class_view
from fabric.report.style import report


@pytest.fixture(scope="module")
def view(inventory):
    """A view of a class of an inventory, by names; ``change`` replaces fields of the class."""

    def make(name, class_, **change):
        design = inventory(name)
        found = next(each for each in design.classes if each.name == class_)
        return design, class_view(design, replace(found, **change))

    return make


def test_thresholds_stand_per_model_and_speed(view):
    """ai1024: 270 m and five switches, 2 x (2 x 600 + 5 x 800 + 270 x 5) ns = 13.1 us; cells of 254 bytes."""
    _, shown = view("ai1024", "gradients")
    rows = [row[:-1] for row in threshold_rows(shown)]
    assert rows == [
        ("7060x6-64pe", "eos", "800G", "16,384", "654,812 B", "2,619,756 B", "5%", "2578 segments .. 10314 segments"),
        ("7060x6-64pe", "eos", "400G", "8,192", "327,406 B", "1,309,878 B", "5%", "1289 segments .. 5157 segments"),
    ]


def test_what_all_switches_have_in_common_is_said_once_and_before_the_rest(view):
    _, shown = view("pod16", "rdma")
    ports, sentences = zip(*why_rows(shown), strict=True)
    assert ports == ("as9736-64d at 400G",) * 5 + (
        "as9736-64d at 400G, spine01, spine02",
        "as9736-64d at 400G, spine01, spine02",
        "as9736-64d at 400G, leaf01 .. leaf04 (4)",
        "as9736-64d at 400G, leaf01 .. leaf04 (4)",
    )
    assert sentences[0].startswith("Kmin 197358 B = 1/2 BDP, at least one packet of 9000 B")
    assert sentences[3].startswith("BDP 395000 B = 400G x 7.9 us")
    assert "so that m = 16 senders slow down before they are paused" in sentences[6]


def test_queues_of_profiles_are_predicted_for_few_and_for_many_flows(view):
    _, shown = view("pod16", "rdma")
    rows = {row.profile: row for row in shown.profiles}
    assert [name for name, row in rows.items() if row.chosen] == ["balanced"]
    assert (rows["balanced"].pmax, rows["latency"].pmax) == (5.0, 30.0)  # 5 % is written
    for name, row in rows.items():
        assert [delay.flows for delay in row.delays] == [2, 8, 32]
        assert [delay.size for delay in row.delays] == sorted(delay.size for delay in row.delays)
        if name != "pfc-only":
            assert row.kmin <= row.delays[0].size <= row.kmax
            assert all(delay.rests for delay in row.delays)
    lengths = [rows[name].delays[0].microseconds for name in ("latency", "balanced", "throughput", "pfc-only")]
    assert lengths == sorted(lengths)


def test_pauses_alone_hold_a_queue_where_nothing_is_marked(view):
    """Two feeders of 99.9 MB with an eighth: a fifth of it."""
    _, shown = view("pod16", "rdma")
    last = shown.profiles[-1]
    shared = shown.thresholds[0].around.shared
    assert (last.profile, last.kmin, last.delays[0].rests) == ("pfc-only", None, False)
    assert last.delays[0].size == round(shared / 5)


def test_the_flows_that_a_class_declares_are_predicted_too(view):
    _, shown = view("pod16", "rdma", flows=100)
    assert [delay.flows for delay in shown.profiles[0].delays] == [2, 8, 32, 100]


def test_where_more_marks_are_needed_than_the_ramp_gives_the_queue_swings_at_its_end(view):
    _, shown = view("pod16", "rdma", pmax=0.001)
    chosen = next(row for row in shown.profiles if row.chosen)
    assert [(delay.size, delay.rests) for delay in chosen.delays][-1] == (chosen.kmax, False)


@pytest.mark.parametrize(
    ("change", "said"),
    [({}, "delay of the queue where flows settle"), ({"congestion": "ecn-only"}, "no delays are predicted")],
)
def test_delays_are_those_of_senders_that_follow_dcqcn(view, change, said):
    _, shown = view("pod16", "rdma", **change)
    assert said in note(shown)
    assert bool(shown.profiles[0].delays) is not bool(change)


def test_a_class_that_is_not_marked_has_no_thresholds(view):
    design, shown = view("pod16", "cnp")
    assert (shown.thresholds, shown.profiles) == ((), ())
    assert "nothing is marked in this class" in report("table", color=False).traffic_class(design, shown, why=True)


def test_what_stays_open_says_why(view):
    design, shown = view("lab", "rdma")
    text = report("table", color=False).traffic_class(design, shown, why=False)
    assert "latency needs a round trip, and spine01 forwards in software" in text


def test_a_document_has_inputs_formulas_and_delays(view):
    design, shown = view("pod16", "rdma")
    found = json.loads(report("json", color=False).traffic_class(design, shown, why=False))
    assert (found["kind"], found["fabric"], found["class"]["name"]) == ("class", "pod16", "rdma")
    row = found["thresholds"][0]
    assert (row["kmin"], row["kmax"], row["around"]["trip"], row["around"]["granularity"]["cell"]) == (
        197_358,
        789_940,
        7900,
        254,
    )
    assert len(row["why"]) == 7
    assert {profile["profile"] for profile in found["profiles"] if profile["chosen"]} == {"balanced"}


def test_a_page_has_formulas_and_sources_only_when_asked(view):
    design, shown = view("pod16", "rdma")
    short, whole = (report("html", color=False).traffic_class(design, shown, why=why) for why in (False, True))
    assert "1/2 BDP" in whole
    assert "SIGCOMM 2010" in whole
    assert "1/2 BDP" not in short


@pytest.mark.parametrize("name", ["junit", "md", "sarif"])
def test_a_class_is_no_verdict(view, name):
    design, shown = view("pod16", "rdma")
    with pytest.raises(UsageError, match="a class"):
        report(name, color=False).traffic_class(design, shown, why=False)


def test_what_is_written_stands_before_the_profiles_which_are_as_they_would_be(view):
    """pod16 with NVIDIA's values written: balanced is still half of 395 KB in cells of 254 bytes, and not chosen."""
    _, shown = view("pod16", "rdma", kmin=150_000, kmax=1_500_000, pmax=100.0, ecn_auto=frozenset())
    written, *rest = shown.profiles
    assert (written.profile, written.chosen, written.kmin, written.kmax) == ("as written", True, 150_000, 1_500_000)
    assert [row.profile for row in rest if row.chosen] == []
    assert next(row.kmin for row in rest if row.profile == "balanced") == 197_358
    assert written.delays[0].size > written.kmin


def test_a_class_that_is_only_paused_is_offered_the_profiles(view):
    """Two feeders: 2 alpha S / (1 + 2 alpha) is a fifth of the pool with an eighth, as where it marks."""
    _, marked = view("pod16", "rdma")
    _, shown = view("pod16", "rdma", ecn=False, congestion="pfc-only")
    assert shown.thresholds == ()
    assert [row.profile for row in shown.profiles if row.chosen] == ["pfc-only"]
    assert shown.profiles[-1].delays == marked.profiles[-1].delays
    assert note(shown).startswith("nothing is marked in this class: profiles with marks are what it could do")


def test_a_class_that_nothing_protects_has_neither_thresholds_nor_profiles(view):
    _, shown = view("pod16", "default")
    assert (shown.thresholds, shown.profiles, note(shown)) == ((), (), "nothing is marked in this class")
