import re
import signal
import socket
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fabric.changes.command import Command
from fabric.errors import AuthFailed, HostKeyMismatch, Unreachable
from fabric.transport.credentials import Credentials
from fabric.transport.ssh import SshOpener
from fabric.transport.targets import Targets

pytestmark = pytest.mark.lab


def make_key(path: Path, kind: str = "ed25519", passphrase: str = "") -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", passphrase, "-C", "test", "-f", path], check=True)
    return path


def open_files():
    return {each.name for each in Path("/proc/self/fd").iterdir()}


def test_wrong_key_is_refused_and_both_sides_are_named(sshd, connect, tmp_path):
    other = make_key(tmp_path / "other")
    with pytest.raises(AuthFailed, match=rf"leaf01 \(127\.0\.0\.1:{sshd.port}\): login as 'root' refused") as caught:
        connect(sshd.target, key=other)
    assert str(other) in caught.value.hint
    assert caught.value.where == "leaf01"


def test_wrong_key_of_an_access_file_is_told_instead_of_asking_for_a_password(sshd, connect, tmp_path):
    def ask(question: str) -> str:
        raise AssertionError(question)

    with pytest.raises(AuthFailed, match="refused"):
        connect(sshd.target, Credentials(ask, environ={}), key=make_key(tmp_path / "other"))


def test_changed_host_key_stops_the_login_with_both_fingerprints(sshd, connect, tmp_path):
    other = make_key(tmp_path / "other").with_suffix(".pub").read_text()
    known = tmp_path / "known_hosts"
    known.write_text(f"[127.0.0.1]:{sshd.port} {other}")
    with pytest.raises(HostKeyMismatch, match=r"host key has changed: it shows SHA256:.*, known is SHA256:") as caught:
        connect(sshd.target, known_hosts=known)
    assert f"ssh-keygen -R '[127.0.0.1]:{sshd.port}' -f {known}" in caught.value.hint


def test_unknown_host_key_is_refused_with_the_command_that_accepts_it(sshd, connect, tmp_path):
    known = tmp_path / "known_hosts"
    with pytest.raises(HostKeyMismatch, match="host key is not known: it shows ssh-ed25519 SHA256:") as caught:
        connect(sshd.target, known_hosts=known)
    (command,) = re.findall(r"ssh-keyscan .*", caught.value.hint)
    subprocess.run(["sh", "-c", command], check=True, stderr=subprocess.DEVNULL)
    assert connect(sshd.target, known_hosts=known).run(Command("echo in")).text == "in\n"


def test_known_hosts_line_that_is_no_key_is_a_host_key_error(sshd, connect, tmp_path):
    known = tmp_path / "known_hosts"
    known.write_text(f"[127.0.0.1]:{sshd.port} ssh-ed25519 not*base64\n")
    with pytest.raises(HostKeyMismatch):
        connect(sshd.target, known_hosts=known)


def test_closed_port_is_unreachable(sshd, connect):
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        with pytest.raises(Unreachable, match=rf"leaf01 \(127\.0\.0\.1:{port}\): connecting: Connection refused"):
            connect(sshd.target, port=port)


def test_name_that_does_not_resolve_is_unreachable(sshd, connect):
    with pytest.raises(Unreachable, match=r"leaf01 \(no-such-host\.invalid:\d+\): connecting"):
        connect(sshd.target, host="no-such-host.invalid")


def test_server_that_drops_every_connection_is_unreachable_after_some_tries(sshd, connect, dropping):
    with pytest.raises(Unreachable, match="connecting: "):
        connect(sshd.target, port=dropping.port)
    assert len(dropping.tries) > 1


def test_logins_beyond_what_the_server_starts_at_once_are_tried_again(sshd_with, connect):
    server = sshd_with("MaxStartups 2:50:6")
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda i: connect(server.target).run(Command(f"echo {i}")).text, range(12)))
    assert answers == [f"{i}\n" for i in range(12)]


def test_target_without_key_uses_the_first_default_key_that_the_node_takes(sshd, connect, tmp_path):
    make_key(tmp_path / "id_ed25519")
    (tmp_path / "id_rsa").write_text((sshd.folder / "key").read_text())
    credentials = Credentials(environ={}, folder=tmp_path)
    assert connect(sshd.target, credentials, key=None).run(Command("echo in")).text == "in\n"


def test_key_in_the_agent_logs_in(sshd, connect, tmp_path, monkeypatch):
    place = tmp_path / "agent"
    with subprocess.Popen(["ssh-agent", "-D", "-a", place], stdout=subprocess.PIPE) as agent:
        agent.stdout.readline()
        monkeypatch.setenv("SSH_AUTH_SOCK", str(place))
        try:
            subprocess.run(["ssh-add", "-q", sshd.folder / "key"], check=True)
            assert connect(sshd.target, key=None).run(Command("echo in")).text == "in\n"
        finally:
            agent.send_signal(signal.SIGTERM)


def test_nothing_to_log_in_with_says_so(sshd, connect, monkeypatch):
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    with pytest.raises(AuthFailed, match="there is no key, agent or password to log in with"):
        connect(sshd.target, key=None)


def test_password_from_the_environment_logs_in(sshd, connect, tmp_path):
    credentials = Credentials(environ={"FABRIC_PASSWORD": sshd.password}, folder=tmp_path)
    assert connect(sshd.target, credentials, key=None, user="plain").run(Command("id -un")).text == "plain\n"


def test_password_is_asked_once_for_many_nodes_when_keys_fail(sshd, connect, tmp_path):
    asked = []

    def ask(question: str) -> str:
        asked.append(question)
        return sshd.password

    credentials = Credentials(ask, environ={}, folder=tmp_path)
    for node in ("leaf01", "leaf02"):
        assert connect(sshd.target, credentials, node=node, key=None, user="plain").run(Command("id -un")).ok
    assert asked == [f"Password of 'plain' (first asked by leaf01 (127.0.0.1:{sshd.port})): "]


def test_secrets_show_up_in_no_error(sshd, connect, tmp_path):
    canary = "canary-7f3a"
    credentials = Credentials(environ={"FABRIC_PASSWORD": canary}, folder=tmp_path)
    with pytest.raises(AuthFailed) as caught:
        connect(sshd.target, credentials, key=None, user="plain")
    seen, error = "", caught.value
    while error is not None:
        seen += f"{error!r} {error} {vars(error)}"
        error = error.__cause__ or error.__context__
    assert canary not in seen
    assert canary not in repr(credentials)
    assert canary not in repr(credentials.password(sshd.target))


def test_failed_login_prints_nothing(sshd, connect, tmp_path, capfd):
    with pytest.raises(AuthFailed):
        connect(sshd.target, key=make_key(tmp_path / "other"))
    with pytest.raises(Unreachable):
        connect(sshd.target, port=1)
    assert capfd.readouterr() == ("", "")


def test_failed_and_closed_connections_leave_no_thread_and_no_file_open(sshd, connect, tmp_path):
    connect(sshd.target).close()
    before = open_files()
    session = connect(sshd.target)
    session.run(Command("echo"))
    session.close()
    with pytest.raises(HostKeyMismatch):
        connect(sshd.target, known_hosts=tmp_path / "none")
    for thread in threading.enumerate():
        if type(thread).__name__ == "Transport":
            thread.join(10)
    assert not [each for each in threading.enumerate() if type(each).__name__ == "Transport"]
    assert open_files() <= before


def test_node_without_target_cannot_be_opened():
    with pytest.raises(Unreachable, match=r"leaf09: access.json does not say how to reach it"):
        SshOpener(Targets({}, "access.json", ""), Credentials(environ={})).open("leaf09")
