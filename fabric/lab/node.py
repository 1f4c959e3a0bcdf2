"""One node: a process in namespaces of its own (network, mounts, host name, processes) with a private file system.

The node sees the machine's programs; ``/etc`` and ``/var`` are overlays whose changes stay in memory, ``/run``,
``/tmp`` and ``/root`` are its own. Nothing that runs in a node can change a file of the machine there, and
nothing is left when the node ends.
"""

from __future__ import annotations

import os
import resource
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from pwd import getpwnam
from typing import Final, NoReturn

from fabric.errors import UsageError
from fabric.lab import cabling, image, kernel
from fabric.lab.machine import SEARCH_PATH
from fabric.lab.plan import NodePlan

ENVIRONMENT: Final = {"PATH": SEARCH_PATH, "HOME": "/root", "LANG": "C.UTF-8", "SHELL": "/bin/sh", "USER": "root"}
"""The whole environment of a node's processes."""

_OWN = (("/run", "mode=755"), ("/tmp", "mode=1777"), ("/root", "mode=700"))  # noqa: S108 - a mount point, not a file
_HOLDER = Path("/mnt")
_SYSCTLS = (
    ("net/ipv4/ip_forward", "0"),
    ("net/ipv4/conf/all/rp_filter", "0"),
    ("net/ipv4/conf/default/rp_filter", "0"),
    ("net/ipv6/conf/all/forwarding", "0"),
)


@dataclass(frozen=True, slots=True)
class Running:
    """A started node: ``pid`` of its first process (in our PID namespace), pipes to and from it."""

    plan: NodePlan
    pid: int
    orders: int
    reports: int


@dataclass(frozen=True, slots=True)
class Pipes:
    """The node's side of its pipes, and its log, as open files."""

    orders: int
    reports: int
    pids: int
    words: int


def spawn(node: NodePlan, files: tuple[image.File, ...], log: Path) -> Running:
    """Start a node up to where it waits for its ports; it then reports ``ready``. Its words go to ``log``."""
    read_orders, orders = os.pipe()
    reports, write_reports = os.pipe()
    pids, write_pids = os.pipe()
    words = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    parent = os.fork()
    if parent == 0:
        _guarded(node, files, Pipes(read_orders, write_reports, write_pids, words))
    for descriptor in (read_orders, write_reports, write_pids, words):
        os.close(descriptor)
    os.waitpid(parent, 0)
    pid = os.read(pids, 16)
    os.close(pids)
    if not pid:
        raise UsageError(f"node {node.name} did not start", where=str(log), hint=tail(log))
    return Running(node, int(pid), orders, reports)


def tail(log: Path) -> str:
    """Return the last words of a log, for an error message."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    return " / ".join(lines[-6:])


def _guarded(node: NodePlan, files: tuple[image.File, ...], pipes: Pipes) -> NoReturn:
    """Run the child's side of the fork, which must never return into the parent's program."""
    try:
        os.dup2(pipes.words, 1)
        os.dup2(pipes.words, 2)
        _first_process(node, files, pipes)
    except (OSError, LookupError, subprocess.SubprocessError) as error:
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
    finally:
        os._exit(1)


def _first_process(node: NodePlan, files: tuple[image.File, ...], pipes: Pipes) -> None:
    kernel.unshare(kernel.NEW_NETWORK | kernel.NEW_MOUNTS | kernel.NEW_HOSTNAME | kernel.NEW_PIDS)
    child = os.fork()
    if child:
        # Only the parent sees the pid by which the builder knows the node.
        os.write(pipes.pids, str(child).encode())
        os._exit(0)
    os.close(pipes.pids)
    os.setsid()
    socket.sethostname(node.name)
    _mounts()
    _sysctls()
    _install(files)
    os.write(pipes.reports, b"ready\n")
    if os.read(pipes.orders, 3) != b"go\n":
        os._exit(1)
    # The management network is IPv4 only: neighbours should learn one management address by LLDP.
    Path(f"/proc/sys/net/ipv6/conf/{node.management}/disable_ipv6").write_text("1")
    _ip(cabling.inside(node))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(pipes.reports, 3, inheritable=True)
    # Routing daemons reserve memory for each file they may open: they get the usual number, not the builder's.
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
    os.chdir("/root")
    os.execve("/bin/sh", ["sh", "-c", image.main(node)], ENVIRONMENT)  # noqa: S606 - the text is ours


def _mounts() -> None:
    kernel.make_mounts_private()
    kernel.mount("proc", "/proc", "proc")
    kernel.mount("sysfs", "/sys", "sysfs")
    kernel.mount("devpts", "/dev/pts", "devpts", "ptmxmode=0666,mode=620,gid=5")
    kernel.mount("tmpfs", str(_HOLDER), "tmpfs", "mode=755")
    for target in ("/etc", "/var"):
        upper, work = _HOLDER / f"{target[1:]}.upper", _HOLDER / f"{target[1:]}.work"
        upper.mkdir()
        work.mkdir()
        kernel.mount("overlay", target, "overlay", f"lowerdir={target},upperdir={upper},workdir={work}")
    # The overlays stand on the holder, which needs no name any more.
    kernel.unmount_lazily(str(_HOLDER))
    for target, options in _OWN:
        kernel.mount("tmpfs", target, "tmpfs", options)


def _sysctls() -> None:
    for name, value in _SYSCTLS:
        Path("/proc/sys", name).write_text(value)


def _install(files: tuple[image.File, ...]) -> None:
    for folder in image.CLEARED:
        shutil.rmtree(folder, ignore_errors=True)
        Path(folder).mkdir(parents=True)
    for folder, owner, mode in image.FOLDERS:
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder).chmod(mode)
        _give(folder, owner)
    passwd = Path("/etc/passwd")
    passwd.write_text(image.login_shell(passwd.read_text()))
    for file in files:
        path = Path(file.path)
        path.write_text(file.text)
        path.chmod(file.mode)
        _give(path, file.owner)


def _give(path: str | Path, owner: str) -> None:
    user = getpwnam(owner)
    os.chown(path, user.pw_uid, user.pw_gid)


def _ip(batch: str) -> None:
    subprocess.run(["ip", "-batch", "-"], input=batch, text=True, env=ENVIRONMENT, check=True, timeout=30)
