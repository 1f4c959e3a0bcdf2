import pytest

from fabric.changes.command import Command, Output
from fabric.changes.steps import Arm, Await, Capture, Confirm, Enter, Put, Reconnect, Restore, Run, Send
from fabric.errors import ApplyError, RejectedLine, SessionLost, Timeout, Unreachable
from fabric.workflows import executor
from fabric.workflows.executor import Device, carry_out, execute, lost


@pytest.fixture
def device(table):
    return Device("leaf01", table)


def go():
    """Never stop."""


def test_every_kind_of_step_is_carried_out_in_order(device, table):
    steps = (
        Put(why="write", path="/etc/x", content="x\n"),
        Arm(
            why="guard",
            start=(Put(why="a", path="/run/undo", content="u"), Run(why="b", command=Command("start"))),
            extend=Command("extend"),
            seconds=600,
        ),
        Enter(why="mode", line="configure", prompt="#"),
        Send(why="lines", lines=("a", "b"), refused="%"),
        Run(why="do", command=Command("do")),
        Confirm(why="keep", command=Command("confirm")),
        Restore(why="back", command=Command("restore")),
    )
    execute(device, steps, go)
    assert table.log == [
        "open",
        ("put", "/etc/x", "x\n"),
        ("put", "/run/undo", "u"),
        "start",
        ("enter", "configure", "#"),
        ("send", ("a", "b"), "%"),
        "do",
        "confirm",
        "restore",
    ]


def test_a_run_stops_between_two_steps_when_it_is_told_to(device, table):
    def stop():
        if "one" in table.log:
            raise ApplyError("interrupted")

    steps = tuple(Run(why=text, command=Command(text)) for text in ("one", "two"))
    with pytest.raises(ApplyError, match="interrupted"):
        execute(device, steps, stop)
    assert table.log == ["open", "one"]


def test_a_refusal_carries_the_devices_own_words_and_the_command(device, table):
    table.answers["bad\nmore"] = Output("bad\nmore", "", "line 3: % Unknown command\n", 2)
    with pytest.raises(RejectedLine) as caught:
        carry_out(Run(why="x", command=Command("bad\nmore")), device)
    assert "refused: bad" in caught.value.message
    assert "line 3: % Unknown command" in caught.value.message
    assert caught.value.where == "leaf01"


def test_a_silent_refusal_names_the_exit_code(device, table):
    table.answers["bad"] = Output("bad", "", "", 7)
    with pytest.raises(RejectedLine, match="exit code 7"):
        carry_out(Run(why="x", command=Command("bad")), device)


def test_an_exit_code_that_a_step_allows_is_no_refusal(device, table):
    table.answers["odd"] = Output("odd", "", "", 7)
    carry_out(Run(why="x", command=Command("odd"), codes=(0, 7)), device)
    assert table.log[-1] == "odd"


def test_an_answer_other_than_expected_is_a_refusal_whatever_the_exit_code(device, table):
    table.answers["set"] = "Error: no such thing"
    with pytest.raises(RejectedLine, match="did not answer as expected"):
        carry_out(Run(why="x", command=Command("set"), expect="^done$"), device)


def test_what_one_step_captures_the_next_ones_use(device, table):
    table.answers["make"] = "checkpoint 17 made"
    capture = Capture("number", r"checkpoint (\d+)")
    steps = (
        Run(why="x", command=Command("make"), capture=capture),
        Run(why="y", command=Command("rollback {number}")),
    )
    execute(device, steps, go)
    assert table.log[-1] == "rollback 17"
    table.answers["make"] = "nothing"
    with pytest.raises(RejectedLine, match="no number in the answer"):
        carry_out(steps[0], device)


def test_awaiting_repeats_until_the_answer_comes(device, table, monkeypatch):
    monkeypatch.setattr(executor, "POLL", 0)
    table.answers["state"] = ["down", "down", "up"]
    carry_out(Await(why="x", command=Command("state"), until="up", deadline=5), device)
    assert table.log.count("state") == 3


def test_awaiting_in_vain_is_a_timeout_that_says_for_what(device, table):
    with pytest.raises(Timeout, match="waited 0 s in vain: links come up"):
        carry_out(Await(why="links come up", command=Command("state"), until="up", deadline=0), device)


def test_reconnecting_tries_again_until_the_deadline(device, table, monkeypatch):
    monkeypatch.setattr(executor, "POLL", 0)
    table.refuse = 2
    carry_out(Reconnect(why="x", deadline=5), device)
    assert table.log == ["open", "open"]
    table.refuse = 1
    with pytest.raises(Unreachable):
        carry_out(Reconnect(why="x", deadline=0), device)


def test_what_is_no_step_is_a_bug(device):
    with pytest.raises(TypeError, match="not a step"):
        carry_out("text", device)


def test_refused_and_lost_are_told_apart():
    assert lost(SessionLost("x"))
    assert lost(Timeout("x"))
    assert not lost(RejectedLine("x"))
