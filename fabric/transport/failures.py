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
from fabric.transport.targets import EndPoint, Jump, Target

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

# RFC 4254 section 5.1: why a channel is not opened.
CONNECT_FAILED = 2

_HINTS: Mapping[Kind, str] = {
    Unreachable: "check that the {what} is up (in a lab: fabric lab status) and that SSH answers at this address",
    SessionLost: "check that the {what} is still up, then run the command again",
    Timeout: "check the {what}'s load, and that the command ends by itself",
    RejectedLine: "see the {what}'s own words",
    HostKeyMismatch: "mend or remove that line",
}


@contextmanager
def mapped(end: EndPoint, doing: str, *, connecting: bool = False) -> Iterator[None]:
    """Turn exceptions of the libraries into ours, naming the node, its address and what was being done.

    Our own errors pass through. ``connecting`` says that the login is not complete yet.
    """
    try:
        yield
    except tuple(KINDS) as error:
        raise translated(error, end, doing, connecting=connecting) from error


def translated(error: BaseException, end: EndPoint, doing: str, *, connecting: bool) -> TransportError:
    """Return our error for one of the libraries'."""
    cause = root(error)
    if isinstance(cause, ssh_exception.BadHostKeyException):
        return changed_host_key(end, cause)
    if "No authentication methods available" in str(cause):
        return refused_login(end, "there is no key, agent or password to log in with")
    kind = kind_of(type(cause), connecting=connecting)
    words = words_of(cause)
    if kind is AuthFailed:
        return refused_login(end, words)
    hint = _HINTS.get(kind, "").format(what="jump host" if isinstance(end, Jump) else "node")
    return kind(f"{end}: {doing}: {words}", where=end.node, hint=hint)


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


def refused_login(end: EndPoint, words: str) -> AuthFailed:
    """Return the error of a login that was refused, naming what it was tried with (never a secret)."""
    return AuthFailed(
        f"{end}: login as {end.user!r} refused: {words}",
        where=end.node,
        hint=f"tried {_tried(end)}; check the user name, and that its authorized_keys has the public key",
    )


def _tried(end: EndPoint) -> str:
    if end.chooses:
        return "the agent and the user's default keys"
    named = (str(end.key or ""), "the keys of the agent" if end.agent else "", str(end.password or ""))
    return " and ".join(text for text in named if text)


def changed_host_key(end: EndPoint, error: ssh_exception.BadHostKeyException) -> HostKeyMismatch:
    """Return the error of a server that shows another host key than the one known."""
    return HostKeyMismatch(
        f"{end}: host key has changed: it shows {error.key.fingerprint}, known is {error.expected_key.fingerprint}",
        where=end.node,
        hint=(
            "another machine may be answering. If this one was reinstalled, remove the old key: "
            f"ssh-keygen -R '{known_name(end)}'{_file_option(end)}"
        ),
    )


def unknown_host_key(end: EndPoint, key: paramiko.PKey) -> HostKeyMismatch:
    """Return the error of a server whose host key is not known, with the way to accept it."""
    file = end.known_hosts or "~/.ssh/known_hosts"
    return HostKeyMismatch(
        f"{end}: host key is not known: it shows {key.get_name()} {key.fingerprint}",
        where=end.node,
        hint=(
            "compare the fingerprint with the machine's own, then accept it: "
            f"{_on_jump_host(end)}ssh-keyscan -p {end.port} {end.host} >> {file}"
        ),
    )


def refused_channel(target: Target, jump: Jump, error: ssh_exception.ChannelException) -> Unreachable:
    """Return the error of a jump host that does not pass a connection on, or cannot."""
    words = " ".join(str(error.text).split()) or "no reason given"
    if error.code == CONNECT_FAILED:
        return Unreachable(
            f"{target}: {jump} cannot connect to it: {words}",
            where=target.node,
            hint=f"check that the node is up, and that {jump.node} knows the name {target.host} and has a way there",
        )
    return Unreachable(
        f"{target}: {jump} passes no connections on: {words}",
        where=target.node,
        hint=f"its sshd must allow it: AllowTcpForwarding yes; PermitOpen, if it is set, {target.host}:{target.port}",
    )


def behind(target: Target, error: TransportError) -> TransportError:
    """Return the error of a node that is not reached because of what went wrong at its jump host."""
    return type(error)(f"{target}: {error.message}", where=target.node, hint=error.hint)


def known_name(end: EndPoint) -> str:
    """Return the name under which a known_hosts file lists a server."""
    return end.host if end.port == 22 else f"[{end.host}]:{end.port}"


def _file_option(end: EndPoint) -> str:
    return f" -f {end.known_hosts}" if end.known_hosts else ""


def _on_jump_host(end: EndPoint) -> str:
    """Return how a command is run where the server can be seen from."""
    jump = end.jump if isinstance(end, Target) else None
    return f"ssh -p {jump.port} {jump.user}@{jump.host} " if jump else ""


def is_dropped(error: BaseException) -> bool:
    """Tell whether a failed connection looks like a server that has too many logins at once, so that a retry helps."""
    cause = error.__cause__
    found = root(cause) if isinstance(error, FabricError) and cause is not None else None
    if isinstance(found, (ConnectionResetError, EOFError)):
        return True
    # paramiko has no class for this: a connection that ends before the server named itself or agreed on keys.
    return type(found) is ssh_exception.SSHException and not isinstance(error, AuthFailed)
