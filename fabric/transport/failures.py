"""Failures: every exception of netmiko, paramiko and the sockets below them, as one of ours."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import paramiko
from netmiko import exceptions as netmiko
from paramiko import auth_strategy, ber, buffered_pipe, hostkeys, packet, pkey, sftp, ssh_exception

from fabric.errors import (
    AuthFailed,
    FabricError,
    HostKeyMismatch,
    RejectedLine,
    SessionLost,
    Timeout,
    TransportError,
    Unreachable,
)
from fabric.transport.targets import Target

Kind = type[TransportError]

# Per exception: what it means before the login is complete, and what it means afterwards.
KINDS: Mapping[type[BaseException], tuple[Kind, Kind]] = {
    ssh_exception.SSHException: (Unreachable, SessionLost),
    ssh_exception.AuthenticationException: (AuthFailed, AuthFailed),
    ssh_exception.PasswordRequiredException: (AuthFailed, AuthFailed),
    ssh_exception.BadAuthenticationType: (AuthFailed, AuthFailed),
    ssh_exception.PartialAuthentication: (AuthFailed, AuthFailed),
    ssh_exception.UnableToAuthenticate: (AuthFailed, AuthFailed),
    auth_strategy.AuthFailure: (AuthFailed, AuthFailed),
    pkey.UnknownKeyType: (AuthFailed, AuthFailed),
    ssh_exception.BadHostKeyException: (HostKeyMismatch, HostKeyMismatch),
    hostkeys.InvalidHostKey: (HostKeyMismatch, HostKeyMismatch),
    ssh_exception.ChannelException: (RejectedLine, RejectedLine),
    ssh_exception.IncompatiblePeer: (Unreachable, SessionLost),
    ssh_exception.MessageOrderError: (Unreachable, SessionLost),
    ssh_exception.ProxyCommandFailure: (Unreachable, SessionLost),
    ssh_exception.NoValidConnectionsError: (Unreachable, SessionLost),
    ssh_exception.CouldNotCanonicalize: (Unreachable, Unreachable),
    ssh_exception.ConfigParseError: (Unreachable, Unreachable),
    ber.BERException: (Unreachable, SessionLost),
    packet.NeedRekeyException: (Unreachable, SessionLost),
    buffered_pipe.PipeTimeout: (Unreachable, Timeout),
    sftp.SFTPError: (RejectedLine, RejectedLine),
    netmiko.NetmikoBaseException: (Unreachable, SessionLost),
    netmiko.ConnectionException: (Unreachable, SessionLost),
    netmiko.NetmikoTimeoutException: (Unreachable, Timeout),
    netmiko.NetmikoAuthenticationException: (AuthFailed, AuthFailed),
    netmiko.ConfigInvalidException: (RejectedLine, RejectedLine),
    netmiko.WriteException: (Unreachable, SessionLost),
    netmiko.ReadException: (Unreachable, SessionLost),
    netmiko.ReadTimeout: (Timeout, Timeout),
    netmiko.NetmikoParsingException: (RejectedLine, RejectedLine),
    socket.gaierror: (Unreachable, Unreachable),
    TimeoutError: (Unreachable, Timeout),
    ConnectionError: (Unreachable, SessionLost),
    OSError: (Unreachable, SessionLost),
    EOFError: (Unreachable, SessionLost),
    # Most drivers of netmiko say with a bare ValueError that a device did not do what they asked.
    ValueError: (RejectedLine, RejectedLine),
}

_HINTS: Mapping[Kind, str] = {
    Unreachable: "check that the node is up (in a lab: fabric lab status) and that SSH answers at this address",
    SessionLost: "check that the node is still up, then run the command again",
    Timeout: "check the node's load, and that the command ends by itself",
    RejectedLine: "see the node's own words",
    HostKeyMismatch: "mend or remove that line",
}


@contextmanager
def mapped(target: Target, doing: str, *, connecting: bool = False) -> Iterator[None]:
    """Turn exceptions of the libraries into ours, naming the node, its address and what was being done.

    Our own errors pass through. ``connecting`` says that the login is not complete yet.
    """
    try:
        yield
    except tuple(KINDS) as error:
        raise translated(error, target, doing, connecting=connecting) from error


def translated(error: BaseException, target: Target, doing: str, *, connecting: bool) -> TransportError:
    """Return our error for one of the libraries'."""
    cause = root(error)
    if isinstance(cause, ssh_exception.BadHostKeyException):
        return changed_host_key(target, cause)
    if "No authentication methods available" in str(cause):
        return refused_login(target, "there is no key, agent or password to log in with")
    kind = kind_of(type(cause), connecting=connecting)
    words = words_of(cause)
    if kind is AuthFailed:
        return refused_login(target, words)
    return kind(f"{target}: {doing}: {words}", where=target.node, hint=_HINTS.get(kind, ""))


def kind_of(error: type[BaseException], *, connecting: bool) -> Kind:
    """Return our class for a class of the libraries: that of its nearest listed ancestor."""
    for ancestor in error.__mro__:
        if ancestor in KINDS:
            return KINDS[ancestor][0 if connecting else 1]
    raise TypeError(f"{error.__name__} is not an exception of the SSH libraries")


def root(error: BaseException) -> BaseException:
    """Return what netmiko wrapped: it reports paramiko's and the socket's errors under names of its own."""
    wrapper = isinstance(error, (netmiko.NetmikoTimeoutException, netmiko.NetmikoAuthenticationException))
    behind = error.__cause__ or error.__context__
    return behind if wrapper and behind is not None and isinstance(behind, tuple(KINDS)) else error


def words_of(error: BaseException) -> str:
    """Return an exception's own words on one line; its name when it has none."""
    if isinstance(error, ssh_exception.NoValidConnectionsError):
        return "; ".join(sorted({each.strerror or str(each) for each in error.errors.values()}))
    if isinstance(error, netmiko.ReadTimeout):
        # Netmiko's own words advise its callers, not the user.
        return "the expected prompt did not come in time"
    if isinstance(error, hostkeys.InvalidHostKey):
        return f"known_hosts has a line that holds no key: {error.line}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split()) or type(error).__name__


def refused_login(target: Target, words: str) -> AuthFailed:
    """Return the error of a login that the node refused, naming what it was tried with (never a secret)."""
    tried = str(target.key) if target.key else "the agent and the user's default keys"
    return AuthFailed(
        f"{target}: login as {target.user!r} refused: {words}",
        where=target.node,
        hint=f"tried {tried}; check the user name, and that the node's authorized_keys has the public key",
    )


def changed_host_key(target: Target, error: ssh_exception.BadHostKeyException) -> HostKeyMismatch:
    """Return the error of a node that shows another host key than the one known."""
    return HostKeyMismatch(
        f"{target}: host key has changed: it shows {error.key.fingerprint}, known is {error.expected_key.fingerprint}",
        where=target.node,
        hint=(
            "another machine may be answering. If the node was reinstalled, remove the old key: "
            f"ssh-keygen -R '{known_name(target)}'{_file_option(target)}"
        ),
    )


def unknown_host_key(target: Target, key: paramiko.PKey) -> HostKeyMismatch:
    """Return the error of a node whose host key is not known, with the way to accept it."""
    file = target.known_hosts or "~/.ssh/known_hosts"
    return HostKeyMismatch(
        f"{target}: host key is not known: it shows {key.get_name()} {key.fingerprint}",
        where=target.node,
        hint=(
            "compare the fingerprint with the node's own, then accept it: "
            f"ssh-keyscan -p {target.port} {target.host} >> {file}"
        ),
    )


def known_name(target: Target) -> str:
    """Return the name under which a known_hosts file lists the target."""
    return target.host if target.port == 22 else f"[{target.host}]:{target.port}"


def _file_option(target: Target) -> str:
    return f" -f {target.known_hosts}" if target.known_hosts else ""


def is_dropped(error: BaseException) -> bool:
    """Tell whether a failed connection looks like a server that has too many logins at once, so that a retry helps."""
    cause = error.__cause__
    found = root(cause) if isinstance(error, FabricError) and cause is not None else None
    if isinstance(found, (ConnectionResetError, EOFError)):
        return True
    # paramiko has no class for this: a connection that ends before the server named itself or agreed on keys.
    return type(found) is ssh_exception.SSHException and not isinstance(error, AuthFailed)
