"""Run a command and measure it: wall time, CPU time and peak memory of the process and of those it waited for."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

FABRIC = Path(sys.executable).with_name("fabric")
"""The command under test: the one installed beside this interpreter."""

_LONG = 8
"""A command of so many words is shown by its ends."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one command cost: seconds, MiB at the peak of its largest process, exit code, and its words."""

    wall: float
    user: float
    system: float
    peak: float
    code: int
    out: str = ""
    err: str = ""

    @property
    def cpu(self) -> float:
        """Seconds of CPU, in the program and in the kernel on its behalf."""
        return self.user + self.system

    @property
    def last_words(self) -> str:
        """The end of what it said on stderr, on one line."""
        return " / ".join(line.strip() for line in self.err.strip().splitlines()[-3:])


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, least and largest of several measurements."""

    median: float
    least: float
    largest: float
    runs: int

    def scaled(self, factor: float) -> Spread:
        """Return the same in another unit, or per device."""
        return Spread(self.median * factor, self.least * factor, self.largest * factor, self.runs)


class Failed(Exception):
    """A command that had to succeed did not; the message names it, its exit code and its last words."""


def spread(values: Iterable[float]) -> Spread:
    """Return the spread of at least one value."""
    kept = list(values)
    return Spread(statistics.median(kept), min(kept), max(kept), len(kept))


def run(
    argv: Sequence[str | Path], *, limit: float, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Cost:
    """Run one command to its end and return its cost, whatever its exit code.

    After ``limit`` seconds it is killed with all that it started in its session (exit code -9). The cost counts only
    processes that were waited for: a daemon that the command leaves behind is not in it.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begun = time.perf_counter()
        process = subprocess.Popen(
            [str(each) for each in argv],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=env,
            cwd=cwd,
            start_new_session=True,
        )
        alarm = threading.Timer(limit, _kill, (process.pid,))
        alarm.start()
        try:
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            # An interrupt: this command is in a session of its own and has not heard of it.
            _kill(process.pid)
            process.wait()
            raise
        finally:
            alarm.cancel()
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        scale = 2**20 if sys.platform == "darwin" else 2**10
        code = process.returncode
        return Cost(wall, used.ru_utime, used.ru_stime, used.ru_maxrss / scale, code, _text(out), _text(err))


def must(cost: Cost, argv: Sequence[str | Path], *, good: tuple[int, ...] = (0,)) -> Cost:
    """Return the cost of a command that ended well; Failed when its exit code is not among ``good``."""
    if cost.code in good:
        return cost
    words = [Path(each).name if isinstance(each, Path) else each for each in argv]
    line = " ".join(words if len(words) < _LONG else [words[0], "...", *words[-2:]])
    raise Failed(f"`{line}` ended with {cost.code}: {cost.last_words or 'nothing on stderr'}")


def interleaved(commands: Mapping[str, Callable[[], Cost]], runs: int) -> dict[str, list[Cost]]:
    """Run all commands in turn, ``runs`` times after one round that does not count.

    In turn, so that a noisy neighbour hits all of them alike; the first round fills caches and compiles modules.
    """
    found: dict[str, list[Cost]] = {name: [] for name in commands}
    for number in range(runs + 1):
        for name, command in commands.items():
            cost = command()
            if number:
                found[name].append(cost)
    return found


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _text(file: tempfile._TemporaryFileWrapper[bytes]) -> str:  # type: ignore[name-defined]  # name only known to stubs
    file.seek(0)
    return file.read().decode(errors="replace")
