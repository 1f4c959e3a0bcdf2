import os
import sqlite3

import pytest

from fabric.changes.command import Command, Output
from fabric.changes.run import NodeState, RunState
from fabric.changes.steps import Run
from fabric.errors import Locked, UsageError
from fabric.settings.scope import Scope
from fabric.workflows import journal as module
from fabric.workflows.journal import Before, Journal, operator


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path)


def begin(journal, fabric="lab"):
    return journal.begin("apply", fabric, "/x/fabric.yaml", "digest", {"only": "links"})


def test_a_run_is_kept_with_its_nodes_and_how_they_ended(journal):
    run = begin(journal)
    journal.enter(run, "leaf01", 2, "d1")
    journal.enter(run, "spine01", 1, "d2")
    journal.note(run, "spine01", NodeState.DONE)
    journal.note(run, "leaf01", NodeState.REFUSED, "no")
    journal.end(run, RunState.STOPPED)
    found = journal.get(run)
    assert [(n.node, n.wave, n.state, n.message) for n in found.nodes] == [
        ("spine01", 1, NodeState.DONE, ""),
        ("leaf01", 2, NodeState.REFUSED, "no"),
    ]
    assert (found.kind, found.fabric, found.file, found.intent, found.state) == (
        "apply",
        "lab",
        "/x/fabric.yaml",
        "digest",
        RunState.STOPPED,
    )
    assert found.ended
    assert journal.options(run) == {"only": "links"}


def test_a_second_run_of_a_fabric_is_locked_out_while_the_first_lives(journal):
    run = begin(journal)
    with pytest.raises(Locked, match=run):
        begin(journal)
    assert begin(journal, "other")
    with pytest.raises(Locked, match="still going on"):
        journal.resume(run)


def test_a_run_whose_process_died_locks_nobody_out_and_can_be_resumed(journal, monkeypatch):
    monkeypatch.setattr(module, "_born", lambda _pid: "another time")
    run = begin(journal)
    monkeypatch.undo()
    assert not journal.get(run).alive
    assert begin(journal) != run
    assert journal.resume(run).id == run
    assert journal.get(run).alive


def test_a_run_that_is_done_is_not_resumed(journal):
    run = begin(journal)
    journal.end(run, RunState.DONE)
    with pytest.raises(UsageError, match="nothing to resume"):
        journal.resume(run)


def test_what_a_node_was_before_is_kept_once(journal):
    run = begin(journal)
    journal.enter(run, "leaf01", 1, "d")
    assert journal.before(run, "leaf01") is None
    first = Before(
        {"show": Output("show", "text")}, Scope(frozenset({"swp1"})), (Run(why="undo", command=Command("undo")),)
    )
    journal.keep(run, "leaf01", first)
    journal.keep(run, "leaf01", Before({}, Scope(), ()))
    assert journal.before(run, "leaf01") == first
    assert journal.before(run, "leaf02") is None


def test_an_unknown_run_is_named(journal):
    with pytest.raises(UsageError, match="no run x in the journal"):
        journal.get("x")


def test_a_journal_that_cannot_be_opened_says_where(tmp_path):
    (tmp_path / "journal.sqlite").write_text("this is no database, whatever it is called" * 50)
    with pytest.raises(UsageError, match="cannot be opened") as caught:
        Journal(tmp_path)
    assert str(tmp_path) in caught.value.where
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be opened"):
        Journal(tmp_path / "file")


def test_the_journal_is_synced_in_full_and_only_ours_to_read(journal):
    begin(journal)
    with sqlite3.connect(journal.path) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    db.close()
    assert journal.path.stat().st_mode & 0o077 == 0


def test_the_operator_is_user_and_machine(monkeypatch):
    assert "@" in operator()

    def nobody():
        raise KeyError

    monkeypatch.setattr(module.getpass, "getuser", nobody)
    assert operator().startswith(f"{os.getuid()}@")


def test_processes_are_told_apart_by_when_they_began(monkeypatch):
    assert module._alive(os.getpid(), module._born(os.getpid()))
    assert not module._alive(os.getpid(), "another")
    assert not module._alive(2**22 + 1, "")
    assert module._born(2**22 + 1) == ""

    def forbidden(_pid, _signal):
        raise PermissionError

    monkeypatch.setattr(module.os, "kill", forbidden)
    assert module._alive(os.getpid(), module._born(os.getpid()))
