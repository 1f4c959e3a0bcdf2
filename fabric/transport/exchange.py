"""Exchange: one command on an exec channel, input fed, both outputs and the exit code kept apart."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Event

import paramiko

# While the node takes no more input nothing wakes us, so its window is looked at again this often (seconds).
_INPUT_PAUSE = 0.02
_CHUNK = 65536
# What paramiko gives for a channel that closed without an exit code.
NO_CODE = -1


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; ``code`` is ``NO_CODE`` when the command was ended by a signal."""

    out: bytes
    err: bytes
    code: int


class _Arrival:
    """Wakes the reader when either output got something or ended.

    The channel's own file descriptor does not serve: each of its two buffers clears it when it runs empty, under a lock
    of its own, which can swallow what the other one has just set; then nobody would be woken.
    """

    def __init__(self) -> None:
        self._event = Event()

    def set(self) -> None:
        """Say that something came (called by the connection's thread)."""
        self._event.set()

    def clear(self) -> None:
        """Do nothing: that one buffer ran empty says nothing of the other."""

    def wait(self, seconds: float) -> None:
        """Wait for the next arrival; what comes from now on wakes the next wait."""
        self._event.wait(seconds)
        self._event.clear()


def exchange(transport: paramiko.Transport, text: str, stdin: bytes, seconds: float) -> Answer:
    """Run a command on a connection and return its whole answer.

    TimeoutError when it has not ended after ``seconds``; EOFError when the connection ended first. The channel is
    closed in any case, and the connection stays.
    """
    deadline = time.monotonic() + seconds
    channel = transport.open_session(timeout=seconds)
    try:
        channel.settimeout(max(0.0, deadline - time.monotonic()))
        channel.exec_command(text)
        out, err = _talk(channel, stdin, deadline, seconds)
        if not channel.status_event.wait(max(0.0, deadline - time.monotonic())):
            raise TimeoutError(f"no end after {seconds:g} s")
        code = channel.exit_status
        if code == NO_CODE and not (channel.eof_received and transport.is_active()):
            raise EOFError("the connection ended before the command did")
        return Answer(out, err, code)
    finally:
        channel.close()


def _talk(channel: paramiko.Channel, stdin: bytes, deadline: float, seconds: float) -> tuple[bytes, bytes]:
    out, err, left = bytearray(), bytearray(), memoryview(stdin)
    arrival = _Arrival()
    channel.in_buffer.set_event(arrival)
    channel.in_stderr_buffer.set_event(arrival)
    left = _feed(channel, left)
    while not _drain(channel, out, err):
        rest = deadline - time.monotonic()
        if rest <= 0:
            raise TimeoutError(f"no end after {seconds:g} s")
        arrival.wait(min(rest, _INPUT_PAUSE) if left else rest)
        if left:
            left = _feed(channel, left)
    return bytes(out), bytes(err)


def _feed(channel: paramiko.Channel, left: memoryview) -> memoryview:
    """Send what the node takes now, and the end of input after the last of it."""
    try:
        while left and channel.send_ready():
            left = left[channel.send(left[:_CHUNK]) :]
        if not left:
            channel.shutdown_write()
    except OSError:
        # The command ended without reading all of its input; its code says whether that was well.
        return left[:0]
    return left


def _drain(channel: paramiko.Channel, out: bytearray, err: bytearray) -> bool:
    """Take what has come; tell whether that was all."""
    ended = bool(channel.eof_received or channel.closed)
    while channel.recv_ready():
        out += channel.recv(_CHUNK)
    while channel.recv_stderr_ready():
        err += channel.recv_stderr(_CHUNK)
    return ended
