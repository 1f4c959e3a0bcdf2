"""script and facts: what lies saved on a Linux node, and what must be known of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.changes.change import Steps
from fabric.changes.command import Output
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered, digest_of
from fabric.changes.steps import Put, Run
from fabric.errors import PlatformError
from fabric.platforms.parts import facts, script
from fabric.settings.facet import ABSENT, Settings
from fabric.settings.facts import Facts
from fabric.settings.persistence import Persistence, Saved

CAPTURES = Path(__file__).parent.parent / "captures" / "host" / "linux"
NEW, OLD = Saved(digest_of("new\n")), Saved(digest_of("old\n"))


def reading(text: str) -> Reading:
    outputs = {script.SCRIPT_SHOW.text: Output(script.SCRIPT_SHOW.text, text)}
    return Reading("gpu01", Facts("linux"), Settings(), outputs=outputs)


def rendered(text: str) -> Rendered:
    return Rendered("gpu01", {"network.sh": text})


def delta(now: Saved | None, wanted: Saved | None) -> Delta:
    return Delta("gpu01", (RowDelta(Persistence.name, "network.sh", now, wanted),))


def test_a_script_that_is_there_is_a_row_and_none_is_none() -> None:
    assert script.saved("new\n") == {"network.sh": NEW} == script.persisted(rendered("new\n"))
    assert script.saved("") == {} == script.persisted(Rendered("gpu01", {}))


def test_a_script_is_replaced_and_put_back() -> None:
    steps = script.steps(reading("old\n"), rendered("new\n"), delta(OLD, NEW))
    for half, text in ((steps.do, "new\n"), (steps.undo, "old\n")):
        folder, put = half
        assert isinstance(folder, Run)
        assert isinstance(put, Put)
        assert (put.path, put.content, put.mode) == ("/etc/fabric/network.sh", text, 0o755)


def test_a_first_script_is_removed_by_the_undo() -> None:
    (remove,) = script.steps(reading(""), rendered("new\n"), delta(None, NEW)).undo
    assert isinstance(remove, Run)
    assert remove.command.text == "rm -f /etc/fabric/network.sh"


def test_a_script_that_is_not_wanted_is_removed() -> None:
    (remove,) = script.steps(reading("old\n"), Rendered("gpu01", {}), delta(OLD, None)).do
    assert isinstance(remove, Run)


def test_other_rows_are_not_its_business() -> None:
    other = Delta("gpu01", (RowDelta(Persistence.name, "frr.conf router", None, NEW),))
    assert script.steps(reading(""), rendered("new\n"), other) == Steps()


@pytest.mark.parametrize(("text", "wanted"), [("", NEW), ("new\n", None)], ids=["not-rendered", "not-wanted"])
def test_settings_and_texts_that_disagree_are_refused(text: str, wanted: Saved | None) -> None:
    with pytest.raises(PlatformError, match=r"/etc/fabric/network\.sh (is wanted|was rendered)"):
        script.steps(reading("old\n"), rendered(text), delta(OLD, wanted))


def test_a_reading_without_the_script_has_none() -> None:
    assert script.recorded(Reading("gpu01", Facts("linux"), Settings())) == ""


def outputs(**other: str) -> tuple[Output, ...]:
    texts = {name: (CAPTURES / name).read_text() for name in ("uname.txt", "os-release.txt", "qdiscs.txt")}
    texts |= {"link-show.json": (CAPTURES / "link-show.json").read_text()} | other
    return tuple(Output(name, text) for name, text in texts.items())


def test_facts_are_read() -> None:
    found = facts.linux("linux", outputs(), {"more": "yes"})
    assert (found.system, found.model, found.release) == ("linux", "linux", "debian 12")
    assert found.ports == frozenset({"lo", "eth1"})
    assert found.features == {"kernel.release": "6.18.44", "kernel.qdiscs": "fifo htb ingress tbf", "more": "yes"}


def test_a_kernel_that_does_not_tell_its_qdiscs_has_no_such_fact() -> None:
    found = facts.linux("linux", outputs(**{"qdiscs.txt": "", "os-release.txt": ""}))
    assert "kernel.qdiscs" not in found.features
    assert found.release is ABSENT
