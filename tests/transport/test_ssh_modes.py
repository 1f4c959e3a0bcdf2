import re
import shutil

import pytest

from fabric.changes.command import Command
from fabric.errors import RejectedLine, Timeout

pytestmark = pytest.mark.lab

CONFIG = r"\(config[^)]*\)# ?$"
REFUSED = r"(?m)^% (Unknown|Ambiguous|Command incomplete)|^% "
BGPD = "/usr/lib/frr/bgpd"


@pytest.fixture
def router(sshd_with, connect):
    """A session with a node whose bgpd answers vtysh; it neither listens nor reaches any kernel route."""
    if shutil.which(BGPD) is None:
        pytest.skip("NOT TESTED: the modes of vtysh need FRR")
    session = connect(sshd_with("").target)
    started = session.run(
        Command(
            f"install -d -o frr -g frr /run/frr && {BGPD} -d -n -p 0 -f /dev/null -i /run/frr/bgpd.pid </dev/null 2>&1"
        )
    )
    assert started.ok, started
    yield session
    session.run(Command("kill $(cat /run/frr/bgpd.pid)"))


def enter_config(session):
    session.enter("vtysh", r"# ?$")
    session.enter("configure terminal", CONFIG)


def test_lines_sent_in_a_mode_reach_the_router(router):
    enter_config(router)
    answer = router.send(("router bgp 65001", " bgp router-id 10.0.0.1", "exit"), REFUSED)
    assert answer.text == ""
    router.enter("end", r"# ?$")
    running = router.send(("show running-config",), REFUSED).text
    assert "router bgp 65001" in running
    assert "bgp router-id 10.0.0.1" in running


def test_refused_line_is_named_with_the_routers_words_and_later_lines_are_not_sent(router):
    enter_config(router)
    with pytest.raises(RejectedLine, match=r"refused 'no such line': % Unknown command: no such line"):
        router.send(("router bgp 65001", "no such line", "bgp router-id 10.0.0.1"), REFUSED)
    router.enter("end", r"# ?$")
    assert "router-id" not in router.send(("show running-config",), REFUSED).text


def test_mode_that_is_refused_is_told_at_once_by_the_old_prompt(sshd, connect):
    session = connect(sshd.target)
    with pytest.raises(RejectedLine, match=r"refused 'no-such-shell': .*not found"):
        session.enter("no-such-shell", r"\(config\)# $")


def test_shell_is_a_mode_without_entering_any(sshd, connect):
    session = connect(sshd.target)
    assert session.send(("here=/proc/self", "echo $here"), "No such").text == "/proc/self"
    with pytest.raises(RejectedLine, match=r"refused 'cat /nowhere': .*No such file or directory"):
        session.send(("cat /nowhere",), "No such")


def test_commands_and_modes_share_one_connection(sshd_with, connect):
    server = sshd_with("")
    session = connect(server.target)
    session.enter("PS1='(config)# '", r"\(config\)# $")
    assert session.run(Command("echo apart")).text == "apart\n"
    assert session.send(("echo one", "echo two"), "refused").text == "one\ntwo"
    assert len(server.children()) == 1


def test_line_without_an_answer_times_out(sshd, connect, monkeypatch):
    session = connect(sshd.target)
    session.send(("true",), "x")
    monkeypatch.setattr("fabric.transport.ssh.LINE_TIMEOUT", 0.5)
    with pytest.raises(Timeout, match=r"sending 'sleep 30': the expected prompt did not come"):
        session.send(("sleep 30",), "x")


def test_system_with_a_command_line_of_its_own_answers_without_codes(sshd, connect):
    session = connect(sshd.target, shell="cli")  # noqa: S604 - a field of that name
    answer = session.run(Command("echo $((40 + 2))"))
    assert (answer.text, answer.code, answer.ok) == ("42", None, True)
    assert re.fullmatch(r"echo .*", answer.command)
