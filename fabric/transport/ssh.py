"""SSH: sessions over netmiko; the only module that opens its connections."""

from __future__ import annotations

import logging
import re
import shlex
import socket
from contextlib import suppress
from dataclasses import replace
from functools import partial

import paramiko
from netmiko import BaseConnection, ConnectHandler

from fabric.changes.command import Command, Output
from fabric.changes.steps import Put
from fabric.errors import AuthFailed, RejectedLine
from fabric.transport.credentials import Credentials
from fabric.transport.exchange import NO_CODE, Answer, exchange
from fabric.transport.failures import mapped
from fabric.transport.jumps import Jumps
from fabric.transport.login import AUTH_TIMEOUT, BANNER_TIMEOUT, CONNECT_TIMEOUT, KEEPALIVE, KnownOnly, log_in
from fabric.transport.secrets import Secret
from fabric.transport.targets import Target, Targets
from fabric.transport.upload import upload

# Without a handler of its own paramiko's tracebacks of failed logins land on stderr, beside our message.
logging.getLogger("paramiko").addHandler(logging.NullHandler())

# Seconds.
LINE_TIMEOUT = 30.0
# Sudo's own words only: it also warns (of host names, say) in front of a command that fails by itself.
_NO_SUDO = re.compile(r"^sudo: .*(password is required|terminal is required|not allowed|sudoers)")


class SshOpener:
    """Opens SSH sessions to targets, through jump hosts where they say so; one of these serves all threads of a run."""

    def __init__(self, targets: Targets, credentials: Credentials, connect_timeout: float = CONNECT_TIMEOUT) -> None:
        self._targets = targets
        self._credentials = credentials
        self._connect_timeout = connect_timeout
        self._jumps = Jumps(credentials, connect_timeout)

    def open(self, node: str) -> SshSession:
        """Connect and log in; tries again when the server drops the connection for having too many at once."""
        target = self._targets.of(node)
        # Before the login: a jump host that refuses us must not be taken for a node that does, and asks for a password.
        self._jumps.reach(target)
        return log_in(target, self._credentials, partial(self._connect, target))

    def close(self) -> None:
        """End the connections to jump hosts; sessions that go through them end too."""
        self._jumps.close()

    def _connect(self, target: Target, key: paramiko.PKey | None, password: Secret | None) -> SshSession:
        channel = self._jumps.channel(target)
        with mapped(target, "connecting", connecting=True):
            connection = ConnectHandler(
                device_type=target.device_type,
                host=target.host,
                port=target.port,
                username=target.user,
                password=password.text if password else None,
                pkey=key,
                use_keys=False,
                allow_agent=target.asks_agent,
                ssh_strict=True,
                system_host_keys=target.known_hosts is None,
                alt_host_keys=target.known_hosts is not None,
                alt_key_file=str(target.known_hosts or ""),
                conn_timeout=self._connect_timeout,
                banner_timeout=BANNER_TIMEOUT,
                auth_timeout=AUTH_TIMEOUT,
                keepalive=KEEPALIVE,
                sock=channel,
                auto_connect=False,
            )
            connection.key_policy = KnownOnly(target)
            # Netmiko makes this attribute on connecting, and its own farewell misses it when that failed early.
            connection.remote_conn_pre = None
            session = SshSession(target, connection, self._jumps)
            try:
                connection.establish_connection()
                session.undelay()
            except BaseException:
                session.close()
                if channel is not None:
                    channel.close()
                raise
        return session


class SshSession:
    """A session over one netmiko connection, opened by `SshOpener`.

    Commands of POSIX shells run on exec channels of the same connection, where exit code, output and errors are apart
    and no prompt has to be found; the interactive channel is prepared when it is first used.
    """

    def __init__(self, target: Target, connection: BaseConnection, jumps: Jumps) -> None:
        self._target = target
        self._connection = connection
        # Held, because the connections to jump hosts end with it.
        self._jumps = jumps
        self._prompt = ""

    @property
    def node(self) -> str:
        """The node's name."""
        return self._target.node

    def __repr__(self) -> str:
        return f"<SSH session with {self._target}>"

    def undelay(self) -> None:
        """Send small packets at once: an exec channel is a dialogue of them, and waiting costs 40 ms a command."""
        transport = self._client().get_transport()
        # Through a jump host there is no socket but a channel, and the connection that carries it does not wait either.
        if transport is not None and not isinstance(transport.sock, paramiko.Channel):
            transport.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def run(self, command: Command) -> Output:
        """Run one command; as root through sudo where the target says so."""
        with mapped(self._target, f"running {command.text!r}"):
            if self._target.shell == "cli":
                return self._run_cli(command)
            answer = self._shell(command.text, command.stdin.encode(), command.timeout)
        return self._output(command.text, answer)

    def put(self, put: Put) -> None:
        """Write a file whole."""
        with mapped(self._target, f"writing {put.path}"):
            upload(self._client(), self._target, put, self._shell)

    def enter(self, line: str, prompt: str) -> Output:
        """Type a line and wait for the prompt of the mode it opens."""
        with mapped(self._target, f"entering {line!r}"):
            before = self._prepared()
            output = self._type(line, f"(?:{prompt})|(?:{before})")
        if not re.search(prompt, output.text):
            raise self._rejected(line, _without_last_line(output.text))
        self._prompt = prompt
        return replace(output, text=_without_last_line(output.text))

    def send(self, lines: tuple[str, ...], refused: str) -> Output:
        """Type lines one by one, each answered before the next."""
        texts: list[str] = []
        for line in lines:
            with mapped(self._target, f"sending {line!r}"):
                text = _without_last_line(self._type(line, self._prepared()).text)
            if re.search(refused, text):
                raise self._rejected(line, text)
            texts.append(text)
        return Output("\n".join(lines), "\n".join(text for text in texts if text), code=None)

    def close(self) -> None:
        """Close the connection; never raises."""
        with suppress(EOFError, OSError, paramiko.SSHException):  # a connection that is lost has nothing to close
            if self._target.shell == "posix":
                # Closed before netmiko's own farewell: that would type into a shell whose prompt was never looked for.
                self._connection.paramiko_cleanup()
            self._connection.disconnect()

    def _client(self) -> paramiko.SSHClient:
        client = self._connection.remote_conn_pre
        if client is None:
            raise EOFError("the session is closed")
        return client

    def _shell(self, text: str, stdin: bytes = b"", seconds: float = LINE_TIMEOUT) -> Answer:
        transport = self._client().get_transport()
        if transport is None:
            raise EOFError("the connection has ended")
        wrapped = f"sudo -n -- sh -c {shlex.quote(text)}" if self._target.sudo else text
        answer = exchange(transport, wrapped, stdin, seconds)
        words = " ".join(answer.err.decode(errors="replace").split())
        if self._target.sudo and answer.code == 1 and _NO_SUDO.search(words):
            raise AuthFailed(
                f"{self._target}: {self._target.user!r} may not use sudo: {words}",
                where=self._target.node,
                hint="give this user sudo rights without a password, or log in as root",
            )
        return answer

    def _output(self, text: str, answer: Answer) -> Output:
        error = answer.err.decode(errors="replace")
        if answer.code == NO_CODE:
            error += "the command was ended by a signal\n"
        return Output(text, answer.out.decode(errors="replace"), error, answer.code)

    def _run_cli(self, command: Command) -> Output:
        self._prepared()
        text = self._connection.send_command(command.text, read_timeout=command.timeout)
        return Output(command.text, _without_echo(text), code=None)

    def _prepared(self) -> str:
        """Return the pattern of the prompt that stands now; netmiko finds it on first use."""
        if not self._prompt:
            self._connection.session_preparation()
            self._prompt = re.escape(self._connection.find_prompt()) + r"\s*$"
        return self._prompt

    def _type(self, line: str, expected: str) -> Output:
        text = self._connection.send_command(
            line, expect_string=expected, strip_prompt=False, strip_command=True, read_timeout=LINE_TIMEOUT
        )
        return Output(line, _without_echo(text), code=None)

    def _rejected(self, line: str, words: str) -> RejectedLine:
        shown = " ".join(words.split()) or "(no words)"
        return RejectedLine(
            f"{self._target}: refused {line!r}: {shown}", where=self._target.node, hint="see the node's own words"
        )


def _without_echo(text: object) -> str:
    """Drop what netmiko leaves of the echoed line: its end."""
    return str(text).lstrip("\r\n")


def _without_last_line(text: str) -> str:
    """Drop the prompt that ends an interactive answer."""
    return "\n".join(text.splitlines()[:-1])
