import pytest

from fabric.cli.commands import demo
from fabric.cli.story import Act, Story, live
from fabric.errors import UsageError
from fabric.results import ExitCode


def test_without_the_means_for_a_lab_the_story_is_told_from_a_recording(fabric, monkeypatch):
    monkeypatch.setattr(demo, "lacking", lambda: "the lab needs root: it makes namespaces")
    ended = fabric("demo")
    assert ended.code == 0
    assert "left out, because the lab needs root: it makes namespaces: the lab, apply and the mending" in ended.err
    assert "lab: no changes; 10 nodes are set as designed" in ended.out
    assert "is swapped with the cable" in ended.out
    assert "max_paths 1 -> 64" in ended.out


def test_a_story_that_goes_wrong_ends_there_and_cleans_up(fabric, monkeypatch, inventory):
    acts = (Act("fails", ("validate", "nowhere.yaml")), Act("never told", ("runs",)))
    last = Act("always told", ("validate", str(inventory("lab"))))
    monkeypatch.setattr(demo, "lacking", lambda: "")
    monkeypatch.setattr(demo, "live", lambda _: Story(acts, last))
    ended = fabric("demo")
    assert ended.code == ExitCode.INTENT
    assert "the story ends here: exit code 3 instead of 0" in ended.err
    assert "never told" not in ended.err
    assert "lab: 0 errors" in ended.out


def test_an_act_that_should_fail_and_does_not_ends_the_story_too(fabric, monkeypatch, inventory):
    at = ("validate", str(inventory("lab")))
    monkeypatch.setattr(demo, "lacking", lambda: "")
    monkeypatch.setattr(demo, "live", lambda _: Story((Act("should fail", at, ExitCode.FAILED),), Act("end", at)))
    assert fabric("demo").code == ExitCode.FAILED


def test_the_live_story_begins_with_the_file_and_ends_with_no_lab(inventory):
    told = live(inventory("lab"))
    assert told.acts[0].args == ("validate", str(inventory("lab")))
    assert told.last.args == ("lab", "down", str(inventory("lab")))
    swap = next(act for act in told.acts if "swap-cables" in act.args)
    assert swap.args[3:5] == ("leaf04:swp33", "leaf04:swp34")


def test_the_live_story_needs_a_leaf_with_two_ways_up(intent):
    path = intent("spine: {count: 2", "spine: {count: 1")
    with pytest.raises(UsageError, match="uplinks to two switches"):
        live(path)
