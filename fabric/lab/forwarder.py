"""Relay connections from 127.0.0.1 of the machine to the SSH servers of the nodes.

The listening sockets belong to the machine's network namespace, in which they were made; the process has since
moved to the management namespace, from which it reaches the nodes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Mapping

_CHUNK = 65536


def listen() -> socket.socket:
    """Return a socket that listens on a free port of 127.0.0.1."""
    return socket.create_server(("127.0.0.1", 0), backlog=128)


async def serve(listeners: Mapping[str, socket.socket], addresses: Mapping[str, str], names: Mapping[int, str]) -> None:
    """Relay until terminated; ``names`` are the nodes by pid, to say in the log which of them ended."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, done.set)
    loop.add_signal_handler(signal.SIGCHLD, _collect, names)
    for node, listener in listeners.items():
        await asyncio.start_server(_relay_to(addresses[node]), sock=listener)
    _collect(names)
    await done.wait()


def _collect(names: Mapping[int, str]) -> None:
    """Take note of ended children: this process is the first of its PID namespace and inherits orphans."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] in names:
                sys.stderr.write(f"node {names[ended[0]]} ended\n")
                sys.stderr.flush()


class _relay_to:  # noqa: N801 - a function with an argument bound, readable in a traceback
    """Relay each accepted connection to one address."""

    def __init__(self, address: str) -> None:
        self._address = address

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one connection until both sides have ended."""
        try:
            far_reader, far_writer = await asyncio.open_connection(self._address, 22)
        except OSError:
            # A node whose server is down looks like a port nobody listens on: the connection ends at once.
            writer.transport.abort()
            return
        near, far = (end.get_extra_info("socket") for end in (writer, far_writer))
        near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await asyncio.gather(_pump(near, reader, far_writer), _pump(far, far_reader, writer))
        for end in (writer, far_writer):
            end.close()


async def _pump(near: socket.socket, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Carry one direction. What came is acknowledged at once: a server that waits for that is 40 ms late."""
    with contextlib.suppress(OSError):
        while data := await source.read(_CHUNK):
            near.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            sink.write(data)
            await sink.drain()
        sink.write_eof()
