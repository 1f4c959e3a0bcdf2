import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from fabric.changes.command import Command, Output
from fabric.errors import AuthFailed, SessionLost, Timeout

pytestmark = pytest.mark.lab


def test_output_errors_and_code_come_back_apart(sshd, connect):
    session = connect(sshd.target)
    text = "echo out; echo err >&2; exit 3"
    assert session.run(Command(text)) == Output(text, "out\n", "err\n", 3)
    assert session.node == "leaf01"
    assert repr(session) == f"<SSH session with leaf01 (127.0.0.1:{sshd.port})>"


def test_input_larger_than_any_window_passes_through(sshd, connect):
    stdin = "0123456789abcdef\n" * 400_000
    answer = connect(sshd.target).run(Command("cat", stdin=stdin, timeout=120))
    assert answer.ok
    assert answer.text == stdin


def test_command_that_does_not_read_its_input_still_answers(sshd, connect):
    answer = connect(sshd.target).run(Command("exec <&-; echo done", stdin="x" * 10_000_000))
    assert (answer.text, answer.code) == ("done\n", 0)


def test_bytes_that_are_no_text_are_replaced(sshd, connect):
    assert connect(sshd.target).run(Command(r"printf 'a\377b'")).text == "a\N{REPLACEMENT CHARACTER}b"


def test_command_killed_by_a_signal_is_told_from_a_lost_connection(sshd, connect):
    session = connect(sshd.target)
    answer = session.run(Command("kill -9 $$"))
    assert not answer.ok
    assert "signal" in answer.error
    assert session.run(Command("echo alive")).text == "alive\n"


def test_command_without_end_times_out_and_the_session_goes_on(sshd, connect):
    session = connect(sshd.target)
    with pytest.raises(Timeout, match=r"leaf01 \(127\.0\.0\.1:\d+\): running 'exec sleep 30': no end after 0\.3 s"):
        session.run(Command("exec sleep 30", timeout=0.3))
    assert session.run(Command("echo alive")).text == "alive\n"


def test_command_that_closes_its_outputs_and_goes_on_times_out(sshd, connect):
    with pytest.raises(Timeout, match="no end after"):
        connect(sshd.target).run(Command("exec >&- 2>&-; exec sleep 30", timeout=0.3))


def test_connection_killed_in_a_command_is_a_lost_session(sshd_with, connect):
    server = sshd_with("")
    session = connect(server.target)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(session.run, Command("exec sleep 30"))
        (serving,) = server.children()
        os.kill(serving, signal.SIGKILL)
        with pytest.raises(SessionLost, match=r"leaf01 \(127\.0\.0\.1:\d+\): running 'exec sleep 30'"):
            running.result(timeout=20)
    with pytest.raises(SessionLost):
        session.run(Command("echo"))


def test_closed_session_says_so(sshd, connect):
    session = connect(sshd.target)
    session.close()
    session.close()
    with pytest.raises(SessionLost, match="the session is closed"):
        session.run(Command("echo"))


def test_sudo_makes_commands_root(sshd, connect):
    session = connect(sshd.target, user="ops", sudo=True)
    assert session.run(Command("id -u; cat", stdin="fed")).text == "0\nfed"
    assert session.run(Command("exit 1")) == Output("exit 1", "", "", 1)


def test_user_without_sudo_rights_is_named(sshd, connect):
    with pytest.raises(AuthFailed, match="'plain' may not use sudo: sudo: a password is required") as caught:
        connect(sshd.target, user="plain", sudo=True).run(Command("id"))
    assert "without a password" in caught.value.hint


def test_user_without_sudo_in_the_target_stays_that_user(sshd, connect):
    assert connect(sshd.target, user="plain").run(Command("id -un")).text == "plain\n"


def test_thirty_two_connections_work_at_a_time(sshd_with, connect):
    server = sshd_with("MaxStartups 100:30:200")
    with ThreadPoolExecutor(32) as pool:
        answers = list(pool.map(lambda i: connect(server.target).run(Command(f"echo {i}")).text, range(32)))
    assert answers == [f"{i}\n" for i in range(32)]
