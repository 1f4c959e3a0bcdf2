"""guard: lock, timer and memory, run for real by a shell in a temporary folder."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path

import pytest

from fabric.changes.command import Command, Effect, Output
from fabric.changes.steps import Arm, Await, Confirm, Enter, Put, Reconnect, Restore, Run, Step
from fabric.errors import PlatformError
from fabric.platforms.contract import Guard
from fabric.platforms.parts.guard import guard
from fabric.platforms.parts.undo import undo_script
from fabric.settings.scope import Scope

RUN = "20261201-1"


def sh(command: Command) -> Output:
    done = subprocess.run(("sh", "-c", command.text), input=command.stdin, capture_output=True, text=True, check=False)
    return Output(command.text, done.stdout, done.stderr, done.returncode)


def do(step: Step) -> Output:
    match step:
        case Put():
            path = Path(step.path)
            path.write_text(step.content)
            path.chmod(step.mode)
            return Output("", "")
        case Run() | Confirm() | Restore():
            return sh(step.command)
        case Arm():
            outputs = [do(start) for start in step.start]
            assert all(output.ok for output in outputs), outputs
            return outputs[-1]
        case _:
            raise AssertionError(step)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 15
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "fabric"


@pytest.fixture
def kept(base: Path) -> Guard:
    return guard(str(base))


def undo_of(path: Path, text: str = "undone") -> tuple[Step, ...]:
    return (Run(why="say so", command=Command(f"echo {text} >>{path}", Effect.WRITES)),)


def test_one_run_holds_the_lock_and_others_are_told_who(kept: Guard) -> None:
    assert sh(kept.lock(RUN)).ok
    refused = sh(kept.lock("other"))
    assert not refused.ok
    assert refused.text.startswith(f"run {RUN}, by ")
    assert not sh(kept.unlock("other")).ok
    assert sh(kept.unlock(RUN)).ok
    assert sh(kept.lock("other")).ok


def test_a_run_takes_its_own_lock_again(kept: Guard) -> None:
    assert sh(kept.lock(RUN)).ok
    assert sh(kept.lock(RUN)).ok


def test_a_run_whose_name_begins_like_the_holder_is_another(kept: Guard) -> None:
    assert sh(kept.lock("run-10")).ok
    assert not sh(kept.lock("run-1")).ok


def test_letting_go_of_nothing_is_well(kept: Guard) -> None:
    assert sh(kept.unlock(RUN)).ok


def test_a_folder_that_cannot_be_made_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not sh(guard(str(tmp_path / "file" / "fabric")).lock(RUN)).ok


def test_a_run_may_not_be_called_like_a_command(kept: Guard) -> None:
    with pytest.raises(PlatformError, match="may not be called"):
        kept.lock("x; rm -rf /")


def test_the_timer_undoes_when_nobody_confirms(kept: Guard, base: Path, tmp_path: Path) -> None:
    do(kept.arm(RUN, undo_of(tmp_path / "mark"), 1))
    until((base / "runs" / RUN / "result").exists)
    assert (tmp_path / "mark").read_text() == "undone\n"
    late = do(kept.confirm(RUN))
    assert late.code == 1
    assert "too late" in late.text
    extended = sh(kept.arm(RUN, (), 60).extend)
    assert not extended.ok
    assert "expired" in extended.text


def test_a_resumed_run_starts_with_a_clean_sheet_after_its_timer_fired(kept: Guard, base: Path, tmp_path: Path) -> None:
    assert sh(kept.lock(RUN)).ok
    do(kept.arm(RUN, undo_of(tmp_path / "mark"), 1))
    until((base / "runs" / RUN / "verdict").exists)
    assert sh(kept.lock(RUN)).ok
    assert do(kept.confirm(RUN)).ok
    assert (tmp_path / "mark").read_text() == "undone\n"


def test_a_confirmed_run_is_not_undone(kept: Guard, base: Path, tmp_path: Path) -> None:
    do(kept.arm(RUN, undo_of(tmp_path / "mark"), 1))
    assert do(kept.confirm(RUN)).ok
    assert do(kept.confirm(RUN)).ok
    owner = (base / "runs" / RUN / "owner").read_text().strip() if (base / "runs" / RUN / "owner").exists() else ""
    until(lambda: not owner or not Path(f"/proc/{owner}").exists())
    assert not (tmp_path / "mark").exists()
    refused = do(kept.restore(RUN))
    assert not refused.ok
    assert "was confirmed" in refused.text


def test_an_extended_timer_waits_longer(kept: Guard, base: Path, tmp_path: Path) -> None:
    armed = kept.arm(RUN, undo_of(tmp_path / "mark"), 2)
    do(armed)
    first = int((base / "runs" / RUN / "deadline").read_text())
    assert sh(kept.arm(RUN, (), 100).extend).ok
    assert int((base / "runs" / RUN / "deadline").read_text()) >= first + 90
    assert do(kept.confirm(RUN)).ok


def test_arming_again_leaves_one_timer_with_the_new_undo(kept: Guard, base: Path, tmp_path: Path) -> None:
    do(kept.arm(RUN, undo_of(tmp_path / "mark", "first"), 60))
    do(kept.arm(RUN, undo_of(tmp_path / "mark", "second"), 1))
    until((base / "runs" / RUN / "result").exists)
    assert (tmp_path / "mark").read_text() == "second\n"


def test_restoring_undoes_at_once_and_only_once(kept: Guard, tmp_path: Path) -> None:
    do(kept.arm(RUN, undo_of(tmp_path / "mark"), 60))
    assert do(kept.restore(RUN)).ok
    assert do(kept.restore(RUN)).ok
    assert (tmp_path / "mark").read_text() == "undone\n"
    assert do(kept.confirm(RUN)).ok


def test_restoring_after_the_timer_fired_waits_for_it_and_tells_how_it_went(kept: Guard, tmp_path: Path) -> None:
    do(kept.arm(RUN, undo_of(tmp_path / "mark"), 0))
    until((tmp_path / "mark").exists)
    assert do(kept.restore(RUN)).ok
    assert (tmp_path / "mark").read_text() == "undone\n"


def test_an_undo_that_fails_is_told_with_its_log(kept: Guard, tmp_path: Path) -> None:
    steps: tuple[Step, ...] = (
        Run(why="cannot be", command=Command("echo no such thing; exit 3", Effect.WRITES)),
        *undo_of(tmp_path / "mark"),
    )
    do(kept.arm(RUN, steps, 60))
    failed = do(kept.restore(RUN))
    assert not failed.ok
    assert "no such thing" in failed.text
    assert "failed with code 3: cannot be" in failed.text
    assert (tmp_path / "mark").read_text() == "undone\n"


def test_without_a_timer_there_is_nothing_to_stop_and_nothing_to_restore(kept: Guard) -> None:
    assert do(kept.confirm(RUN)).ok
    assert "nothing to restore" in do(kept.restore(RUN)).text


def test_the_scope_is_remembered(kept: Guard, base: Path) -> None:
    scope = Scope(
        frozenset({"swp2", "swp1"}),
        (ip_network("10.64.0.0/12"), ip_network("fd00::/48")),
        frozenset({"sysctl net.ipv4.ip_forward"}),
    )
    command, parse = kept.recall
    assert parse(sh(command)) == Scope()
    base.mkdir()
    do(kept.remember(scope))
    assert parse(sh(command)) == scope


def test_a_spoilt_memory_is_refused_with_the_way_out(kept: Guard) -> None:
    _, parse = kept.recall
    with pytest.raises(PlatformError, match="remembers") as caught:
        parse(Output("cat scope.json", "{"))
    assert "remove that file" in caught.value.problems[0].hint


def run_script(steps: tuple[Step, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    script = folder / "undo.sh"
    script.write_text(undo_script(steps))
    return subprocess.run(("sh", str(script)), capture_output=True, text=True, check=False)


def test_an_undo_script_puts_files_byte_for_byte(tmp_path: Path) -> None:
    content = "no newline at the end, 'quotes', $dollars, \u00e4"
    place = tmp_path / "deep" / "file"
    put = Put(why="it's back", path=str(place), content=content, mode=0o640, owner="root:root")
    done = run_script((put,), tmp_path)
    if done.returncode:  # only root may give files away
        assert "Operation not permitted" in done.stderr
        return
    assert place.read_text() == content
    assert place.stat().st_mode & 0o777 == 0o640
    assert "done: it's back" in done.stdout


def test_an_undo_script_feeds_standard_input_and_knows_allowed_codes(tmp_path: Path) -> None:
    steps: tuple[Step, ...] = (
        Run(why="copy", command=Command(f"cat >{tmp_path}/copy; exit 2", Effect.WRITES, stdin="a\nb"), codes=(0, 2)),
        Reconnect(why="no session here", deadline=1),
        Await(why="a moment", command=Command("true"), until="x", deadline=0),
    )
    assert run_script(steps, tmp_path).returncode == 0
    assert (tmp_path / "copy").read_text() == "a\nb"


def test_steps_that_need_a_session_cannot_be_part_of_an_undo() -> None:
    with pytest.raises(PlatformError, match="'enter'"):
        undo_script((Enter(why="", line="configure", prompt="#"),))
