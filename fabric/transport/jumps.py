"""Jumps: one connection to each jump host, through which all nodes behind it are reached."""

from __future__ import annotations

import socket
import time
import weakref
from collections.abc import Mapping
from threading import Lock

import paramiko

from fabric.errors import TransportError, Unreachable
from fabric.transport.credentials import Credentials
from fabric.transport.failures import behind, mapped, refused_channel
from fabric.transport.login import AUTH_TIMEOUT, BANNER_TIMEOUT, KEEPALIVE, KnownOnly, log_in
from fabric.transport.secrets import Secret
from fabric.transport.targets import Jump, Target

# Seconds for which a jump host that failed is not tried again: hundreds of nodes behind it fail together, not in turn.
PAUSE = 10.0


class Jumps:
    """The connections to jump hosts; made when first needed, made again when lost, shared by all threads of a run.

    They end with `close`, and with this object, at the latest with the program.
    """

    def __init__(self, credentials: Credentials, connect_timeout: float) -> None:
        self._credentials = credentials
        self._connect_timeout = connect_timeout
        self._lock = Lock()
        self._gates: dict[Jump, _Gate] = {}
        weakref.finalize(self, _close, self._gates)

    def reach(self, target: Target) -> None:
        """See to it that the jump host on the way to a node, when there is one, is logged in to.

        Unreachable, AuthFailed or HostKeyMismatch, naming the node and the jump host.
        """
        if target.jump is not None:
            self._transport(target, target.jump)

    def channel(self, target: Target) -> paramiko.Channel | None:
        """Return a new channel to a node's SSH server, ``None`` when no jump host is on the way; errors as `reach`."""
        if target.jump is None:
            return None
        return _opened(self._transport(target, target.jump), target, target.jump, self._connect_timeout)

    def close(self) -> None:
        """End all connections, and with them the sessions that go through."""
        with self._lock:
            _close(self._gates)

    def _transport(self, target: Target, jump: Jump) -> paramiko.Transport:
        with self._lock:
            gate = self._gates.setdefault(jump, _Gate(jump, self._credentials, self._connect_timeout))
        found = gate.transport()
        if isinstance(found, TransportError):
            raise behind(target, found) from found
        return found


def _close(gates: Mapping[Jump, _Gate]) -> None:
    for gate in gates.values():
        gate.close()


class _Gate:
    """The connection to one jump host. While one thread logs in the others wait, and share what comes of it."""

    def __init__(self, jump: Jump, credentials: Credentials, connect_timeout: float) -> None:
        self._jump = jump
        self._credentials = credentials
        self._connect_timeout = connect_timeout
        self._lock = Lock()
        self._client: paramiko.SSHClient | None = None
        self._failed: TransportError | None = None
        self._failed_at = 0.0

    def transport(self) -> paramiko.Transport | TransportError:
        """Return the live connection, or why there is none."""
        with self._lock:
            live = self._client.get_transport() if self._client else None
            if live is not None and live.is_active():
                return live
            if self._failed is not None and time.monotonic() < self._failed_at + PAUSE:
                return self._failed
            self._leave()
            try:
                self._client = log_in(self._jump, self._credentials, self._connect)
            except TransportError as error:
                self._failed, self._failed_at = error, time.monotonic()
                return error
            self._failed = None
            return self._client.get_transport()

    def close(self) -> None:
        """End the connection; a second call does nothing."""
        with self._lock:
            self._leave()

    def _leave(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def _connect(self, key: paramiko.PKey | None, password: Secret | None) -> paramiko.SSHClient:
        client = paramiko.SSHClient()
        try:
            with mapped(self._jump, "connecting", connecting=True):
                self._log_in(client, key, password)
        except BaseException:
            client.close()
            raise
        return client

    def _log_in(self, client: paramiko.SSHClient, key: paramiko.PKey | None, password: Secret | None) -> None:
        known = self._jump.known_hosts
        if known is None:
            client.load_system_host_keys()
        elif known.exists():
            client.load_host_keys(str(known))
        client.set_missing_host_key_policy(KnownOnly(self._jump))
        client.connect(
            self._jump.host,
            self._jump.port,
            self._jump.user,
            password.text if password else None,
            key,
            timeout=self._connect_timeout,
            allow_agent=self._jump.asks_agent,
            look_for_keys=False,
            banner_timeout=BANNER_TIMEOUT,
            auth_timeout=AUTH_TIMEOUT,
        )
        transport = client.get_transport()
        transport.set_keepalive(KEEPALIVE)
        transport.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _opened(transport: paramiko.Transport, target: Target, jump: Jump, seconds: float) -> paramiko.Channel:
    with mapped(target, f"connecting through {jump}", connecting=True):
        try:
            # The last pair is where we come from, which a jump host only writes into its log.
            return transport.open_channel("direct-tcpip", (target.host, target.port), ("127.0.0.1", 0), timeout=seconds)
        except paramiko.ChannelException as error:
            raise refused_channel(target, jump, error) from error
        except paramiko.SSHException:
            if not transport.is_active():
                raise
        raise Unreachable(
            f"{target}: {jump} did not connect to it within {seconds:g} s",
            where=target.node,
            hint=f"check that the node is up, and that {jump.node} has a way to {target.host}",
        )
