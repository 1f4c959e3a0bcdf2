"""The edges of changing one device: what is done when it is not there, refuses, or is lost half-way."""

from dataclasses import replace

import pytest

from fabric.changes.command import Output
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.changes.run import NodeState
from fabric.design.build import design
from fabric.errors import ApplyError, Locked, PlatformError, RejectedLine, RollbackFailed, SessionLost, Timeout
from fabric.intent.loader import load
from fabric.platforms.lookup import system
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Port
from fabric.settings.scope import Scope
from fabric.workflows import device as module
from fabric.workflows.device import Held, Job, work
from fabric.workflows.executor import Device
from fabric.workflows.journal import Before, Journal
from fabric.workflows.planning import Goal

NODE = design(load("inventories/lab")).network.nodes["gpu01"]
GUARD = system("host", "linux").guard
LOCK, UNLOCK, CONFIRM = (GUARD.lock("r1").text, GUARD.unlock("r1").text, GUARD.confirm("r1").command.text)
RESTORE = GUARD.restore("r1").command.text
AIM = Goal(Settings(), Rendered("gpu01", {}), Scope(), Scope())
BEFORE = Reading("gpu01", Facts("linux"), Settings())
JOB = Job("r1", NODE, lambda _: AIM, "", 600)


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path)


def go():
    """Never stop."""


def test_a_node_that_is_not_there_is_deferred(table, journal):
    table.refuse = 1
    ended = work(JOB, table, journal, go)
    assert (ended.state, ended.message) == (NodeState.DEFERRED, "not reached: gpu01: not now")


def test_a_node_lost_before_its_first_write_is_deferred(table, journal):
    table.answers[LOCK] = Timeout("no answer", where="gpu01")
    ended = work(JOB, table, journal, go)
    assert ended.state is NodeState.DEFERRED
    assert "lost before its first write: no answer" in ended.message
    assert table.closed == 1


def test_a_node_locked_by_another_run_names_its_holder(table, journal):
    table.answers[LOCK] = Output(LOCK, "run r0, me@there\n", "", 1)
    with pytest.raises(Locked, match="run r0, me@there"):
        work(JOB, table, journal, go)
    assert UNLOCK not in table.log
    assert table.closed == 1


def test_a_node_that_cannot_be_read_is_unlocked_again(table, journal, monkeypatch):
    def unreadable(*_):
        raise PlatformError("cannot be read: bgp", where="gpu01")

    monkeypatch.setattr(module, "read", unreadable)
    with pytest.raises(PlatformError):
        work(JOB, table, journal, go)
    assert table.log[-1] == UNLOCK


def test_an_earlier_run_is_disarmed_and_its_lock_taken_over(table, journal, monkeypatch):
    monkeypatch.setattr(module, "_planned", lambda *_: None)
    ended = work(replace(JOB, takes_over="r0"), table, journal, go)
    assert ended.state is NodeState.EQUAL
    assert table.log[1:4] == [GUARD.confirm("r0").command.text, GUARD.unlock("r0").text, LOCK]


def test_a_node_that_was_written_before_the_run_was_killed_is_done_not_equal(table, journal, monkeypatch):
    run = journal.begin("apply", "lab", "/x", "d", {})
    journal.enter(run, "gpu01", 1, "")
    journal.keep(run, "gpu01", Before({}, Scope(), ()))
    monkeypatch.setattr(module, "_planned", lambda *_: None)
    assert work(replace(JOB, run=run), table, journal, go).state is NodeState.DONE
    assert GUARD.confirm(run).command.text in table.log


def held(table):
    return Held(JOB, Device("gpu01", table), BEFORE, AIM)


def test_a_change_that_cannot_be_confirmed_is_not_done(table):
    table.answers[CONFIRM] = Output(CONFIRM, "too late: the timer has undone this run", "", 1)
    ended = held(table).keep()
    assert ended.state is NodeState.LOST
    assert "written, but not confirmed" in ended.message
    assert "too late" in ended.message


def test_a_timer_that_cannot_be_extended_is_left_to_the_gate(table):
    holding = held(table)
    extend = GUARD.arm("r1", (), 600).extend.text
    table.answers[extend] = SessionLost("gone")
    holding.extend()
    assert table.log[-1] == extend


def broken(error):
    def reverse(*_):
        raise error

    return reverse


def test_where_the_reverse_change_fails_the_timers_way_is_taken(table, monkeypatch):
    monkeypatch.setattr(module, "_reverse", broken(RejectedLine("no")))
    monkeypatch.setattr(module, "_check_back", lambda *_: None)
    ended = held(table).undo("the gate")
    assert (ended.state, ended.message) == (NodeState.UNDONE, "the gate (undone)")
    assert table.log[-3:] == [RESTORE, CONFIRM, UNLOCK]


def test_an_undo_that_does_not_bring_it_back_is_told_as_failed(table, monkeypatch):
    monkeypatch.setattr(module, "_reverse", broken(RejectedLine("no")))
    monkeypatch.setattr(module, "_check_back", broken(RollbackFailed("not back to what it was: mtu")))
    ended = held(table).undo("the gate")
    assert ended.state is NodeState.FAILED
    assert "and the undo failed: not back to what it was: mtu" in ended.message
    table.closed = 0
    table.answers[RESTORE] = Output(RESTORE, "", "disk full", 1)
    assert held(table).undo("the gate").state is NodeState.FAILED


def test_a_node_lost_in_its_undo_is_left_to_its_timer(table, monkeypatch):
    monkeypatch.setattr(module, "_reverse", broken(SessionLost("gone")))
    table.answers[RESTORE] = SessionLost("gone for good")
    ended = held(table).undo("the gate")
    assert ended.state is NodeState.LOST
    assert "its own timer restores it within 600 s" in ended.message


def test_a_lost_node_is_connected_to_again_before_its_undo(table, monkeypatch):
    monkeypatch.setattr(module, "_reverse", lambda *_: None)
    ended = module._undo(JOB, Device("gpu01", table), BEFORE, AIM, SessionLost("cable"))
    assert (ended.state, ended.message) == (NodeState.UNDONE, "cable (undone)")
    assert table.log.count("open") == 2


@pytest.mark.parametrize("cause", [RejectedLine("% Unknown command"), ApplyError("still differs")])
def test_refused_and_undone_are_told_apart(table, monkeypatch, cause):
    monkeypatch.setattr(module, "_reverse", lambda *_: None)
    ended = module._undo(JOB, Device("gpu01", table), BEFORE, AIM, cause)
    assert ended.state is (NodeState.REFUSED if isinstance(cause, RejectedLine) else NodeState.UNDONE)


def test_what_differs_after_all_steps_is_named(table, monkeypatch):
    row = RowDelta("links", "eth1", Port(1500), Port(9000), ("mtu",))
    monkeypatch.setattr(module, "_reading", lambda *_: BEFORE)
    monkeypatch.setattr(module, "difference", lambda *_: Delta("gpu01", (row,)))
    with pytest.raises(ApplyError, match="links eth1: mtu 1500 -> 9000"):
        module._took(JOB, Device("gpu01", table), AIM)
    with pytest.raises(RollbackFailed, match="not back to what it was: links eth1"):
        module._check_back(JOB, Device("gpu01", table), BEFORE, AIM)
