"""Real OpenSSH servers on 127.0.0.1, each in a mount namespace of its own with users and a small full-able disk."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from fabric.changes.command import Command, Output
from fabric.changes.steps import Put
from fabric.transport.credentials import Credentials
from fabric.transport.ssh import SshOpener, SshSession
from fabric.transport.targets import Target, Targets

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/bin:/sbin:/bin")
PASSWORD = "correct-horse-canary"  # noqa: S105 - of a user that exists only inside the test's namespace

CONFIG = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
StrictModes no
UsePAM no
PrintMotd no
PermitRootLogin yes
LoginGraceTime 20
{extra}
"""

# The namespace shadows the user list, the sudo rules and /run, so that the machine's own are neither used nor touched.
START = """\
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mkdir -p /run/sshd
mount --bind {folder}/passwd /etc/passwd
mount --bind {folder}/sudoers /etc/sudoers.d
mount -t tmpfs -o size=64k tmpfs {folder}/small
exec {sshd} -D -e -f {folder}/config
"""


@dataclass(frozen=True)
class Server:
    """A running SSH server."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes]

    @property
    def target(self) -> Target:
        """Root on this server, with the right key and host key."""
        return Target(  # noqa: S604 - a field of that name
            node="leaf01",
            host="127.0.0.1",
            port=self.port,
            user="root",
            key=self.folder / "key",
            known_hosts=self.folder / "known_hosts",
            sudo=False,
            device_type="linux",
            shell="posix",
        )

    def children(self) -> list[int]:
        """The processes that serve connections."""
        pid = self.process.pid
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    @property
    def password(self) -> str:
        """Of the users ``ops`` (may use sudo) and ``plain`` (may not)."""
        return PASSWORD

    def wait_until_listening(self) -> None:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0 and probe.recv(4) == b"SSH-":
                    return
            time.sleep(0.02)
        raise RuntimeError(f"sshd did not start: {(self.folder / 'log').read_text()}")

    def stop(self) -> None:
        children = self.children() if self.process.poll() is None else []
        self.process.kill()
        self.process.wait()
        for pid in children:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def make_key(path: Path, kind: str = "ed25519", passphrase: str = "") -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", passphrase, "-C", "test", "-f", path], check=True)
    return path


def start_server(folder: Path, extra: str = "Subsystem sftp internal-sftp") -> Server:
    port = free_port()
    for name in ("host", "key"):
        make_key(folder / name)
    (folder / "authorized_keys").write_text((folder / "key.pub").read_text())
    (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {(folder / 'host.pub').read_text()}")
    hashed = subprocess.run(
        ["openssl", "passwd", "-6", PASSWORD], check=True, capture_output=True, text=True
    ).stdout.strip()
    ids = {"root": 0, "ops": 64001, "plain": 64002}
    # Clean homes, root's too: whatever the machine's own start-up files do, they do it on every command.
    homes = {name: folder / f"home-{name}" for name in ids}
    rows = "".join(f"{name}:{hashed}:{ids[name]}:{ids[name] and 65534}::{homes[name]}:/bin/bash\n" for name in ids)
    machines = "".join(
        row for row in Path("/etc/passwd").read_text().splitlines(keepends=True) if not row.startswith("root:")
    )
    (folder / "passwd").write_text(rows + machines)
    for name, home in homes.items():
        home.mkdir()
        os.chown(home, ids[name], ids[name] and 65534)
    (folder / "small").mkdir()
    (folder / "sudoers").mkdir(mode=0o750)
    rules = folder / "sudoers" / "ops"
    rules.write_text("ops ALL=(ALL) NOPASSWD: ALL\n")
    rules.chmod(0o440)
    (folder / "config").write_text(CONFIG.format(port=port, folder=folder, extra=extra))
    with (folder / "log").open("wb") as log:
        # Ends with the tests, however they end.
        start = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "sh", "-c"]
        process = subprocess.Popen([*start, START.format(folder=folder, sshd=SSHD)], stdout=log, stderr=log)
    server = Server(folder, port, process)
    try:
        server.wait_until_listening()
    except BaseException:
        server.stop()
        raise
    return server


def missing() -> str:
    """Say what this machine lacks for the tests with real servers; empty when nothing."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "NOT TESTED: SSH against a real server needs root on Linux"
    absent = [
        name
        for name in ("ssh-keygen", "ssh-keyscan", "ssh-agent", "openssl", "sudo", "setpriv", "unshare")
        if shutil.which(name) is None
    ]
    absent += [] if SSHD else ["sshd"]
    return f"NOT TESTED: SSH against a real server needs {', '.join(absent)}" if absent else ""


@pytest.fixture(scope="session")
def sshd() -> Iterator[Server]:
    """One server for all tests that do it no harm."""
    if reason := missing():
        pytest.skip(reason)
    # Not below pytest's own folder, which is root's alone: the users of the namespace must reach their homes.
    with TemporaryDirectory(prefix="fabric-sshd-") as name:
        Path(name).chmod(0o755)
        server = start_server(Path(name))
        yield server
        server.stop()


@pytest.fixture
def sshd_with(tmp_path: Path) -> Iterator[Callable[[str], Server]]:
    """Start servers with own lines of configuration, for tests that harm them."""
    if reason := missing():
        pytest.skip(reason)
    started: list[Server] = []

    def start(extra: str) -> Server:
        folder = tmp_path / f"server{len(started)}"
        folder.mkdir()
        started.append(start_server(folder, extra))
        return started[-1]

    yield start
    for server in started:
        server.stop()


Connect = Callable[..., SshSession]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Open sessions that are closed after the test: ``connect(target, credentials=..., user=...)``."""
    opened: list[SshSession] = []

    def opening(target: Target, credentials: Credentials | None = None, **changed: object) -> SshSession:
        wanted = replace(target, **changed)  # type: ignore[arg-type] - fields of Target, by name
        targets = Targets({wanted.node: wanted}, "the test", "")
        opener = SshOpener(targets, credentials or Credentials(environ={}, folder=Path("/nonexistent")))
        opened.append(opener.open(wanted.node))
        return opened[-1]

    yield opening
    for session in opened:
        session.close()


class WritingSession:
    """A node that takes every write and remembers it in ``seen``."""

    node = "leaf01"

    def __init__(self) -> None:
        self.seen: list[object] = []

    def run(self, command: Command) -> Output:
        self.seen.append(command)
        return Output(command.text, "")

    def put(self, put: Put) -> None:
        self.seen.append(put)

    def enter(self, line: str, prompt: str) -> Output:
        self.seen.append((line, prompt))
        return Output(line, "", code=None)

    def send(self, lines: tuple[str, ...], refused: str) -> Output:
        self.seen.append((lines, refused))
        return Output("\n".join(lines), "", code=None)

    def close(self) -> None:
        self.seen.append("closed")


@pytest.fixture
def recording_writes() -> WritingSession:
    return WritingSession()


@dataclass(frozen=True)
class Dropping:
    """A server that closes every connection at once, and counts in ``tries`` how many came."""

    port: int
    tries: list[socket.socket] = field(default_factory=list)

    def serve(self, server: socket.socket) -> None:
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            self.tries.append(client)
            client.close()


@pytest.fixture
def dropping() -> Iterator[Dropping]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = Dropping(server.getsockname()[1])
        thread = threading.Thread(target=found.serve, args=(server,))
        thread.start()
        yield found
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
