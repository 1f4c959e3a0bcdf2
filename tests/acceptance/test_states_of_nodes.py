"""A fabric that grows and is worked on: planned nodes are left alone, and nodes in maintenance are not judged."""

import json

import pytest

from fabric.workflows.prepare import sound

pytestmark = pytest.mark.lab


def state(bench, **nodes):
    """Write the states of some nodes into the file of a lab."""
    rows = "".join(f"  {name}: {{state: {value}}}\n" for name, value in nodes.items())
    text = bench.file.read_text().partition("\nnodes:\n")[0]
    bench.file.write_text(f"{text}\nnodes:\n{rows}")


def unplug(bench, node):
    """Cut every cable of a node: as far as the others can tell it is not there."""
    for _, _, far in sound(bench.file).design.network.links_of[node]:
        bench.fault("cut", far)


def test_a_planned_spine_is_not_contacted_and_what_leads_to_it_is_expected_down(bare):
    state(bare, spine02="planned")
    unplug(bare, "spine02")
    bare.fault("stop-daemon", "spine02", "sshd")
    ended = bare.fabric("apply", bare.file, "--yes")
    assert ended.code == 0, ended.out + ended.err
    assert "left out, as their state is planned: spine02\n" in ended.err
    assert bare.fabric("plan", bare.file, "--detailed-exitcode").code == 0

    ended = bare.fabric("verify", bare.file)
    assert ended.code == 0, ended.out + ended.err
    assert "spine02 is planned" in ended.out

    bare.fault("heal")
    state(bare, spine02="active")
    assert bare.fabric("apply", bare.file, "--yes").code == 0
    ended = bare.fabric("verify", bare.file)
    assert ended.code == 0, ended.out + ended.err
    assert "planned" not in ended.out


def test_a_node_in_maintenance_is_contacted_and_its_failures_are_skips(applied):
    assert applied.fabric("verify", applied.file).code == 0
    unplug(applied, "leaf02")
    assert applied.fabric("verify", applied.file).code == 4
    state(applied, leaf02="maintenance")
    ended = applied.fabric("verify", applied.file, "--format", "json")
    assert ended.code == 0, ended.out + ended.err
    messages = [r["message"] for r in json.loads(ended.out)["results"] if r["status"] == "skip"]
    assert any(message.startswith("leaf02 is in maintenance: ") for message in messages)

    applied.fault("heal")
    applied.fault("drift", "leaf02")
    ended = applied.fabric("verify", applied.file)
    assert ended.code == 0, ended.out + ended.err
    ended = applied.fabric("plan", applied.file, "--detailed-exitcode")
    assert (ended.code, "leaf02" in ended.out) == (2, True)
