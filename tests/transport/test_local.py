import stat

import pytest

from fabric.changes.command import Command, Output
from fabric.changes.steps import Put
from fabric.errors import RejectedLine, Timeout
from fabric.transport.local import LocalSession


@pytest.fixture
def session():
    session = LocalSession("here")
    yield session
    session.close()


def test_output_errors_and_code_come_back_apart(session):
    text = "cat; echo err >&2; exit 3"
    assert session.run(Command(text, stdin="fed")) == Output(text, "fed", "err\n", 3)
    assert session.node == "here"


def test_command_without_end_times_out(session):
    with pytest.raises(Timeout, match=r"here \(this machine\): running 'exec sleep 30': no end after 0\.1 s"):
        session.run(Command("exec sleep 30", timeout=0.1))


def test_file_is_replaced_with_its_mode_and_repeat_does_no_harm(session, tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    (tmp_path / ".x.fabric-new").write_text("half")
    with path.open() as reader:
        for _ in range(2):
            session.put(Put(why="", path=str(path), content="new", mode=0o640))
        assert reader.read() == "old"
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize("suffix", ["", ":{group}"], ids=["user", "user-and-group"])
def test_own_name_may_be_given_as_owner(session, tmp_path, suffix):
    path = tmp_path / "x"
    session.put(Put(why="", path=str(path), content="", owner=tmp_path.owner() + suffix.format(group=tmp_path.group())))
    assert path.owner() == tmp_path.owner()


def test_refusals_say_the_reason_and_leave_nothing(session, tmp_path):
    with pytest.raises(RejectedLine, match=r"writing .*/none/x: No such file or directory"):
        session.put(Put(why="", path=f"{tmp_path}/none/x", content=""))
    with pytest.raises(RejectedLine, match="no such user"):
        session.put(Put(why="", path=f"{tmp_path}/x", content="", owner="nobody-here"))
    assert list(tmp_path.iterdir()) == []


def test_modes_are_refused(session):
    with pytest.raises(RejectedLine, match="'configure' needs a command line with modes"):
        session.enter("configure", "#")
    with pytest.raises(RejectedLine, match="'a; b' needs a command line with modes"):
        session.send(("a", "b"), "%")
