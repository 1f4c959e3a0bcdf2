"""Login: keys and passwords tried in turn at one server, and only at a server whose host key is known."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import paramiko
from tenacity import Retrying, retry_if_exception, stop_after_attempt, stop_after_delay, wait_random_exponential

from fabric.errors import AuthFailed
from fabric.transport.credentials import Credentials
from fabric.transport.failures import is_dropped, unknown_host_key
from fabric.transport.secrets import Secret
from fabric.transport.targets import EndPoint

T = TypeVar("T")

# Seconds. Far above what one node needs: with many logins at once the server, not the network, is slow.
CONNECT_TIMEOUT = 30.0
BANNER_TIMEOUT = 60.0
AUTH_TIMEOUT = 60.0
KEEPALIVE = 15.0
# A server drops connections at random once too many are not logged in yet (MaxStartups of sshd).
ATTEMPTS = 6


def log_in(end: EndPoint, credentials: Credentials, connect: Callable[[paramiko.PKey | None, Secret | None], T]) -> T:
    """Return what ``connect`` makes with the first key, or password, that is taken; AuthFailed when none is.

    Tries again when the server drops the connection for having too many at once.
    """
    retrying = Retrying(
        retry=retry_if_exception(is_dropped),
        stop=stop_after_attempt(ATTEMPTS) | stop_after_delay(BANNER_TIMEOUT),
        wait=wait_random_exponential(multiplier=0.1, max=2),
        reraise=True,
    )
    found: T = retrying(_in_turn, end, credentials, connect)
    return found


def _in_turn(end: EndPoint, credentials: Credentials, connect: Callable[[paramiko.PKey | None, Secret | None], T]) -> T:
    password = credentials.password(end)
    *others, last = credentials.keys(end)
    for key in others:
        with suppress(AuthFailed):
            return connect(key, password)
    try:
        return connect(last, password)
    except AuthFailed:
        asked = None if password else credentials.asked_password(end)
        if asked is None:
            raise
        return connect(last, asked)


class KnownOnly:
    """Refuses servers whose host key is not known, with the fingerprint and the way to accept it."""

    def __init__(self, end: EndPoint) -> None:
        self._end = end

    def missing_host_key(self, _client: paramiko.SSHClient, _hostname: str, key: paramiko.PKey) -> None:
        """Answer paramiko's question: no."""
        raise unknown_host_key(self._end, key)
