"""Upload: a file written whole over SFTP on a connection that is there already."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Callable
from contextlib import suppress

import paramiko

from fabric.changes.steps import Put
from fabric.errors import RejectedLine
from fabric.transport.exchange import Answer
from fabric.transport.failures import words_of
from fabric.transport.targets import Target

Shell = Callable[[str], Answer]


def upload(client: paramiko.SSHClient, target: Target, put: Put, shell: Shell) -> None:
    """Write ``put`` to the target; ``shell`` runs a command as the user that may write there.

    The content arrives under a temporary name and gets its mode and owner before it is moved over ``put.path``, so a
    reader sees the old file or the new one, and a repeat after any failure starts clean. RejectedLine with the node's
    words when it will not take the file.
    """
    beside = _beside(put.path)
    with _files(client, target) as files:
        # Where the login user may not write at the place, the file passes through the home.
        staged = posixpath.basename(beside) if target.sudo else beside
        try:
            if target.sudo or put.owner:
                _write(files, staged, put.content.encode(), 0o600)
                _finish_by_shell(put, staged, shell)
            else:
                _write(files, staged, put.content.encode(), put.mode)
                files.posix_rename(staged, put.path)
        except OSError as error:
            if not client.get_transport().is_active():
                raise
            with suppress(OSError):
                files.remove(staged)
            raise _refused(target, put, words_of(error), shell) from error


def _beside(path: str) -> str:
    """Return the temporary name: hidden, so that no ``*.conf`` finds it, and always the same, so that none pile up."""
    folder, name = posixpath.split(path)
    return posixpath.join(folder, f".{name}.fabric-new")


def _files(client: paramiko.SSHClient, target: Target) -> paramiko.SFTPClient:
    try:
        return client.open_sftp()
    except (paramiko.SSHException, EOFError) as error:
        if not client.get_transport().is_active():
            raise
        raise RejectedLine(
            f"{target}: no SFTP: {words_of(error)}",
            where=target.node,
            hint="let its SSH server offer it: `Subsystem sftp internal-sftp`",
        ) from error


def _write(files: paramiko.SFTPClient, path: str, content: bytes, mode: int) -> None:
    with suppress(FileNotFoundError):
        files.remove(path)
    # Exclusive, so that a link planted under the name is not followed; the mode is set while the file is still empty.
    with files.open(path, "wx") as file:
        file.chmod(mode)
        file.set_pipelined(True)
        file.write(content)
    # Pipelined writes report no error of their own: a disk that is full shows in the size.
    arrived = files.stat(path).st_size
    if arrived != len(content):
        raise OSError(f"only {arrived} of {len(content)} bytes were taken")


def _finish_by_shell(put: Put, staged: str, shell: Shell) -> None:
    new, path, old = (shlex.quote(each) for each in (_beside(put.path), put.path, staged))
    owner = f" && chown -- {shlex.quote(put.owner)} {new}" if put.owner else ""
    copy, drop = "", ""
    if staged != _beside(put.path):
        copy, drop = f"rm -f -- {new} && cat < {old} > {new} && ", f" && rm -f -- {old}"
    answer = shell(f"umask 077; {copy}chmod {put.mode:o} {new}{owner} && mv -f -T -- {new} {path}{drop}")
    if answer.code != 0:
        shell(f"rm -f -- {new}")
        raise OSError(" ".join(answer.err.decode(errors="replace").split()))


def _refused(target: Target, put: Put, words: str, shell: Shell) -> RejectedLine:
    return RejectedLine(
        f"{target}: writing {put.path}: {words}",
        where=target.node,
        hint=f"check that the folder exists, may be written, and has room{_room(put, shell)}",
    )


def _room(put: Put, shell: Shell) -> str:
    """Say how much room the file system has; SFTP calls a full disk only a failure."""
    answer = shell(f"df -Pk -- {shlex.quote(posixpath.dirname(put.path))}")
    columns = answer.out.decode(errors="replace").splitlines()[-1:]
    free = columns[0].split()[3:4] if answer.code == 0 and columns else []
    return f" ({free[0]} KiB free there)" if free else ""
