"""undo: steps as a shell script that carries them out without us, going on after what fails."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import singledispatch
from posixpath import dirname
from shlex import quote

from fabric.changes.command import Command
from fabric.changes.steps import Await, Put, Reconnect, Run, Step
from fabric.errors import PlatformError

_HEAD = """\
#!/bin/sh
# Undoes one run of fabric. Every step may be repeated; one that fails is counted, and the rest is still done.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
failed=0
ended() {
  code=$1 why=$2
  shift 2
  for good; do [ "$code" = "$good" ] && { echo "done: $why"; return; }; done
  echo "failed with code $code: $why"
  failed=$((failed + 1))
}
"""
_TAIL = '[ "$failed" = 0 ]\n'
_WIDTH = 76


def undo_script(steps: Iterable[Step]) -> str:
    """Return the script; it ends with 0 when every step did. PlatformError for steps that need a session of ours."""
    return "".join((_HEAD, *(line for step in steps for line in _lines(step)), _TAIL))


@singledispatch
def _lines(step: object) -> Iterator[str]:
    raise PlatformError(
        f"the step {getattr(step, 'kind', step)!r} cannot be part of an undo that a Linux node does by itself",
        hint="undo steps of Linux systems put files, run commands, and wait",
    )


@_lines.register
def _(step: Put) -> Iterator[str]:
    path, new = quote(step.path), quote(f"{step.path}.undo")
    yield f"( umask 077; mkdir -p {quote(dirname(step.path))} && base64 -d >{new} <<'END' &&\n"
    yield from _encoded(step.content)
    owner = f" && chown {quote(step.owner)} {new}" if step.owner else ""
    yield f"chmod {step.mode:o} {new}{owner} && mv -f {new} {path} )\n"
    yield _ended(step.why, (0,))


@_lines.register
def _(step: Run) -> Iterator[str]:
    yield from _command(step.command)
    yield _ended(step.why, step.codes)


@_lines.register
def _(step: Await) -> Iterator[str]:
    """Give the node the time; the pattern is one of Python's, which a shell cannot judge."""
    yield f"sleep {min(int(step.deadline), 5)}\n"


@_lines.register
def _(step: Reconnect) -> Iterator[str]:  # noqa: ARG001  # nothing to do: there is no session
    yield from ()


def _command(command: Command) -> Iterator[str]:
    run = f"timeout {int(command.timeout) + 1} sh -c {quote(command.text)}"
    if not command.stdin:
        yield f"{run} </dev/null\n"
        return
    yield f"base64 -d <<'END' | {run}\n"
    yield from _encoded(command.stdin)


def _ended(why: str, codes: tuple[int, ...]) -> str:
    return f"ended $? {quote(why)} {' '.join(map(str, codes))}\n"


def _encoded(content: str) -> Iterator[str]:
    text = b64encode(content.encode()).decode()
    yield from (f"{text[at : at + _WIDTH]}\n" for at in range(0, len(text), _WIDTH))
    yield "END\n"
