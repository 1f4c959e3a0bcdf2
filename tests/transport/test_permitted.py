import pytest

from fabric.changes.command import Command, Effect, Output
from fabric.changes.steps import Put
from fabric.transport.local import LocalSession
from fabric.transport.session import Permitted

READING = frozenset({Effect.READS})
ALL = frozenset(Effect)


def test_allowed_command_goes_through():
    session = Permitted(LocalSession("here"), READING)
    assert session.node == "here"
    assert session.run(Command("echo hi")) == Output("echo hi", "hi\n")
    session.close()


@pytest.mark.parametrize("effect", [Effect.TRAFFIC, Effect.WRITES], ids=lambda effect: effect.value)
def test_command_of_another_effect_is_a_bug_of_the_caller(tmp_path, effect):
    session = Permitted(LocalSession("here"), READING)
    with pytest.raises(RuntimeError, match=f"{effect.value} on here, in a session that is allowed: reads"):
        session.run(Command(f"touch {tmp_path}/made", effect=effect))
    assert list(tmp_path.iterdir()) == []


def test_put_and_modes_need_the_right_to_write(tmp_path):
    session = Permitted(LocalSession("here"), frozenset({Effect.READS, Effect.TRAFFIC}))
    for refused in (
        lambda: session.put(Put(why="", path=f"{tmp_path}/made", content="x")),
        lambda: session.enter("configure", "#"),
        lambda: session.send(("mtu 9216",), "%"),
    ):
        with pytest.raises(RuntimeError, match="writes on here, in a session that is allowed: reads, traffic"):
            refused()
    assert list(tmp_path.iterdir()) == []


def test_session_that_is_allowed_nothing_says_nothing():
    with pytest.raises(RuntimeError, match="is allowed: nothing"):
        Permitted(LocalSession("here"), frozenset()).run(Command("echo"))


def test_writes_go_through_when_allowed(recording_writes):
    session = Permitted(recording_writes, ALL)
    put = Put(why="", path="/x", content="x")
    session.put(put)
    session.enter("configure", "#")
    session.send(("a", "b"), "%")
    assert recording_writes.seen == [put, ("configure", "#"), (("a", "b"), "%")]
