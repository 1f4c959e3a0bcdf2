"""Nodes behind a jump host: real servers, one of which passes connections on to the other."""

import gc
import re
import socket
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from fabric.changes.command import Command
from fabric.changes.steps import Put
from fabric.errors import AuthFailed, FabricError, HostKeyMismatch, SessionLost, Unreachable
from fabric.intent.models import Intent
from fabric.intent.sections.access import AccessIntent, AccessRule, JumpIntent, KeyReference
from fabric.transport.credentials import Credentials
from fabric.transport.ssh import SshOpener
from fabric.transport.targets import Jump, PasswordSource, Spoken, Target, Targets, targets

pytestmark = pytest.mark.lab

NODES = tuple(f"leaf{number:02d}" for number in range(1, 9))


@pytest.fixture
def gate(sshd_with):
    """A jump host of its own, as a test may do it harm."""
    return sshd_with("")


def jump_of(server, **changed) -> Jump:
    at = server.target
    return replace(Jump("gate", at.host, at.port, at.user, at.key, at.known_hosts), **changed)


@contextmanager
def opener_of(target: Target, credentials: Credentials | None = None, names=NODES) -> Iterator[SshOpener]:
    found = Targets({name: replace(target, node=name) for name in names}, "the test", "")
    opener = SshOpener(found, credentials or Credentials(environ={}, folder=Path("/nonexistent")), connect_timeout=5)
    try:
        yield opener
    finally:
        opener.close()


def refusal(target: Target, kind: type[FabricError], credentials: Credentials | None = None) -> FabricError:
    with opener_of(target, credentials) as opener, pytest.raises(kind) as caught:
        opener.open("leaf01").close()
    assert caught.value.where == "leaf01"
    assert str(caught.value).startswith(f"leaf01 (127.0.0.1:{target.port} through gate): ")
    return caught.value


def test_all_nodes_behind_a_jump_host_share_one_connection_to_it(sshd_with, gate):
    node = sshd_with("")
    with opener_of(replace(node.target, jump=jump_of(gate))) as opener, ThreadPoolExecutor(8) as pool:
        sessions = list(pool.map(opener.open, NODES))
        assert [each.run(Command("echo $0 here")).ok for each in sessions] == [True] * 8
        assert (len(gate.children()), len(node.children())) == (1, 8)
        for each in sessions:
            each.close()
        opener.open("leaf01").close()
        assert len(gate.children()) == 1


def test_files_are_put_whole_through_a_jump_host(sshd, gate, tmp_path):
    content = "line of text\n" * 60_000
    with opener_of(replace(sshd.target, jump=jump_of(gate))) as opener:
        session = opener.open("leaf01")
        session.put(Put(why="test", path=str(tmp_path / "file"), content=content))
        assert session.run(Command(f"wc -c <{tmp_path}/file")).text == f"{len(content)}\n"
        session.close()
    assert (tmp_path / "file").read_text() == content


def test_a_dead_jump_host_is_named_with_the_node_behind_it(sshd, gate):
    gate.stop()
    error = refusal(replace(sshd.target, jump=jump_of(gate)), Unreachable)
    assert str(error).endswith(f": jump host gate (127.0.0.1:{gate.port}): connecting: Connection refused")
    assert "check that the jump host is up" in error.hint


def test_a_jump_host_that_passes_nothing_on_is_told_what_to_allow(sshd, sshd_with):
    gate = sshd_with("AllowTcpForwarding no")
    error = refusal(replace(sshd.target, jump=jump_of(gate)), Unreachable)
    assert f"jump host gate (127.0.0.1:{gate.port}) passes no connections on: " in str(error)
    assert "AllowTcpForwarding yes" in error.hint
    assert f"PermitOpen, if it is set, 127.0.0.1:{sshd.port}" in error.hint


def test_a_jump_host_that_may_not_pass_on_to_this_node_is_told_so(sshd, sshd_with):
    gate = sshd_with("PermitOpen 127.0.0.1:1")
    assert "passes no connections on" in str(refusal(replace(sshd.target, jump=jump_of(gate)), Unreachable))


def test_a_node_that_its_jump_host_cannot_reach_is_not_blamed_on_the_jump_host(sshd, gate):
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        target = replace(sshd.target, port=bound.getsockname()[1], jump=jump_of(gate))
        error = refusal(target, Unreachable)
    assert f"jump host gate (127.0.0.1:{gate.port}) cannot connect to it: " in str(error)
    assert "gate knows the name 127.0.0.1" in error.hint


def test_a_refused_login_at_the_jump_host_asks_nobody_for_the_password_of_the_node(sshd, gate, tmp_path):
    def ask(question: str) -> str:
        raise AssertionError(question)

    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "other"], check=True)
    target = replace(sshd.target, key=None, jump=jump_of(gate, key=tmp_path / "other"))
    error = refusal(target, AuthFailed, Credentials(ask, environ={}, folder=tmp_path / "none"))
    assert f"jump host gate (127.0.0.1:{gate.port}): login as 'root' refused: " in str(error)
    assert f"tried {tmp_path / 'other'};" in error.hint


def test_a_refused_login_at_the_node_behind_is_the_node_s(sshd, gate, tmp_path):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "other"], check=True)
    error = refusal(replace(sshd.target, key=tmp_path / "other", jump=jump_of(gate)), AuthFailed)
    assert "jump host" not in str(error)


def test_the_host_key_of_the_jump_host_is_checked(sshd, gate, tmp_path):
    error = refusal(replace(sshd.target, jump=jump_of(gate, known_hosts=tmp_path / "none")), HostKeyMismatch)
    assert f"jump host gate (127.0.0.1:{gate.port}): host key is not known: it shows ssh-ed25519" in str(error)
    assert error.hint.endswith(f"ssh-keyscan -p {gate.port} 127.0.0.1 >> {tmp_path / 'none'}")
    (tmp_path / "wrong").write_text(f"[127.0.0.1]:{gate.port} {(gate.folder / 'key.pub').read_text()}")
    error = refusal(replace(sshd.target, jump=jump_of(gate, known_hosts=tmp_path / "wrong")), HostKeyMismatch)
    assert "jump host gate" in str(error)
    assert "host key has changed" in str(error)


def test_the_host_key_of_a_node_behind_is_checked_and_fetched_from_where_it_can_be_seen(sshd, gate, tmp_path):
    known = tmp_path / "known"
    error = refusal(replace(sshd.target, known_hosts=known, jump=jump_of(gate)), HostKeyMismatch)
    (command,) = re.findall(r"accept it: (ssh .*)", error.hint)
    assert command == f"ssh -p {gate.port} root@127.0.0.1 ssh-keyscan -p {sshd.port} 127.0.0.1 >> {known}"
    own = f"ssh -i {gate.folder / 'key'} -o UserKnownHostsFile={gate.folder / 'known_hosts'} -o LogLevel=ERROR"
    subprocess.run(command.replace("ssh", own, 1), shell=True, check=True, stderr=subprocess.DEVNULL)  # noqa: S602 - as a user does it
    with opener_of(replace(sshd.target, known_hosts=known, jump=jump_of(gate))) as opener:
        opener.open("leaf01").close()


def test_a_lost_jump_host_ends_the_sessions_behind_it_and_is_logged_in_to_again(sshd, gate):
    with opener_of(replace(sshd.target, jump=jump_of(gate))) as opener:
        session = opener.open("leaf01")
        (child,) = gate.children()
        subprocess.run(["kill", str(child)], check=True)
        with pytest.raises(SessionLost, match=rf"leaf01 \(127\.0\.0\.1:{sshd.port} through gate\)"):
            session.run(Command("sleep 20"))
        session.close()
        again = opener.open("leaf02")
        assert again.run(Command("echo in")).text == "in\n"
        again.close()
        assert child not in gate.children()


def test_a_jump_host_that_fails_is_tried_for_all_nodes_together(sshd, dropping):
    jump = Jump("gate", "127.0.0.1", dropping.port, "root", sshd.target.key, sshd.target.known_hosts)

    def fail(name: str) -> str:
        with pytest.raises(Unreachable) as caught:
            opener.open(name)
        return str(caught.value)

    with opener_of(replace(sshd.target, jump=jump)) as opener, ThreadPoolExecutor(8) as pool:
        said = list(pool.map(fail, NODES))
    assert [text.partition(" ")[0] for text in said] == list(NODES)
    assert 1 < len(dropping.tries) <= 6


def test_a_jump_host_has_a_password_of_its_own_that_nothing_shows(sshd, gate):
    jump = jump_of(gate, user="plain", key=None, password=PasswordSource("env", "GATE"))
    target = replace(sshd.target, jump=jump)
    with opener_of(target, Credentials(environ={"GATE": gate.password})) as opener:
        opener.open("leaf01").close()
    error = refusal(target, AuthFailed, Credentials(environ={"GATE": "canary-91c4"}))
    assert "tried the password in the variable GATE" in error.hint
    seen, each = "", error
    while each is not None:
        seen += f"{each!r} {each} {vars(each)}"
        each = each.__cause__ or each.__context__
    assert "canary-91c4" not in seen


def test_the_password_of_nodes_is_not_offered_to_a_jump_host(sshd, gate):
    target = replace(sshd.target, jump=jump_of(gate, user="plain", key=None))
    error = refusal(target, AuthFailed, Credentials(environ={"FABRIC_PASSWORD": gate.password}, folder=Path("/none")))
    assert "jump host gate" in str(error)


def test_jump_hosts_of_an_intent_work_as_they_are_written(sshd, gate, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FABRIC_STATE", str(tmp_path / "state"))
    (tmp_path / ".ssh").mkdir()
    known = (sshd.folder / "known_hosts").read_text() + (gate.folder / "known_hosts").read_text()
    (tmp_path / ".ssh" / "known_hosts").write_text(known)
    for name, server in (("node", sshd), ("gate", gate)):
        key = tmp_path / ".ssh" / name
        key.write_bytes((server.folder / "key").read_bytes())
        key.chmod(0o600)
    access = AccessIntent(
        jump={"gate": JumpIntent(host="127.0.0.1", port=gate.port, user="root", key=KeyReference(file="~/.ssh/gate"))},
        switches=AccessRule(
            user="root", host="{name}.invalid", port=sshd.port, jump="gate", key=KeyReference(file="~/.ssh/node")
        ),
    )
    intent = Intent.model_construct(fabric="lab", access=access)
    nodes = {"leaf01": Spoken("switch", "linux", "posix"), "leaf02": Spoken("switch", "linux", "posix")}
    found = targets(intent, nodes, management={"leaf01": "127.0.0.1"})
    opener = SshOpener(found, Credentials(environ={}))
    session = opener.open("leaf01")
    assert session.run(Command("id -un")).text == "root\n"
    session.close()
    with pytest.raises(Unreachable, match=r"leaf02 \(leaf02.invalid:\d+ through gate\): jump host gate .* cannot"):
        opener.open("leaf02")
    opener.close()


def test_connections_to_jump_hosts_end_with_the_last_that_needs_them(sshd, gate):
    target = replace(sshd.target, jump=jump_of(gate))
    opener = SshOpener(Targets({"leaf01": target}, "the test", ""), Credentials(environ={}))
    session = opener.open("leaf01")
    del opener
    gc.collect()
    assert session.run(Command("echo in")).text == "in\n"
    session.close()
    assert carriers()
    del session
    gc.collect()
    for thread in carriers():
        thread.join(10)
    assert not carriers()


def carriers() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if type(each).__name__ == "Transport"]
