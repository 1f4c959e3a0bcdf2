"""Measure `fabric` on this machine, each figure against a peer or a floor of the same run.

Prints Markdown on stdout and says on stderr what it does. Ends with 0 when all was measured, or left out for a reason
that is printed; with 1 when a command under test failed; with 130 after Ctrl-C, when labs are taken down all the same.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from fabrics import Fabric, clos, pod, pods
from judging import judging
from labs import Lab, Lives, growth, lab, lacking, left_up, table
from loops import loops
from machine import facts, settle
from measure import FABRIC, Failed
from offline import offline
from renderers import environment, renderers
from scale import scale
from startup import startup
from tables import Table
from written import write

PARTS = ("startup", "offline", "judging", "loops", "scale", "renderers", "lab")
INTERRUPTED = 130
SLOW = 3
"""Other renderers are run so often at most."""
LARGE = 50
"""A lab with more nodes than this lives once only."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured: runs of a command, sizes, lives of the small labs, rounds in each, seconds to wait.

    ``scale`` are hosts of three-tier fabrics, ``like`` the fabrics that other renderers are given too.
    """

    startups: int
    runs: int
    hosts: str
    labs: str
    lives: int
    rounds: int
    wait: float
    scale: str
    like: str


FULL = Extent(
    startups=21,
    runs=7,
    hosts="16,64,128,512",
    labs="2/4/8,8/32/64",
    lives=3,
    rounds=3,
    wait=120,
    scale="512,1024,2048,4096,8192,16384",
    like="4/32/32,8/64/64",
)
QUICK = Extent(
    startups=7, runs=3, hosts="16,64", labs="2/4/8", lives=1, rounds=1, wait=0, scale="512,1024", like="2/4/8"
)


@dataclass(frozen=True, slots=True)
class Task:
    """What to measure: parts, fabrics, extent, seconds to wait for quiet, and where to write JSON."""

    parts: tuple[str, ...]
    hosts: tuple[int, ...]
    labs: tuple[Fabric, ...]
    extent: Extent
    wait: float
    scale: tuple[int, ...]
    like: tuple[Fabric, ...]
    venv: Path | None
    json: Path | None
    keep: bool


def main(argv: Sequence[str] | None = None) -> int:
    """Measure what is asked for and print it."""
    task = _task(argv)
    if not FABRIC.exists():
        _say("no `fabric` beside this Python: run this with the Python of its environment, as `make bench` does")
        return 1
    signal.signal(signal.SIGTERM, _stop)
    begun = datetime.now(UTC)
    machine = facts()
    print(f"# Benchmark of {begun:%Y-%m-%d %H:%M} UTC\n\n" + "\n".join(f"- {k}: {v}" for k, v in machine.items()))
    tables: list[Table] = []
    scratch = Path(tempfile.mkdtemp(prefix="fabric-bench-"))
    try:
        for each in _measured(task, scratch):
            print(f"\n{each.markdown()}", flush=True)
            tables.append(each)
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    finally:
        # The folder of a lab that is still up is needed to take it down.
        if not left_up(scratch):
            shutil.rmtree(scratch)
    if task.json is not None:
        found = {"date": begun.isoformat(), "machine": machine, "tables": [each.data() for each in tables]}
        task.json.write_text(json.dumps({"format_version": 1} | found, indent=1) + "\n", encoding="utf-8")
    failed = any(each.failures for each in tables)
    if task.keep and not failed:
        write(tables, begun, machine)
    return int(failed)


def _measured(task: Task, scratch: Path) -> Iterator[Table]:
    """Measure one part after the other; a part that fails yields a table that says so."""
    for part in task.parts:
        _say(f"{part}: waiting at most {task.wait:g} s for a quiet machine")
        found = settle(task.wait)
        _say(f"{part}: {found}")
        try:
            tables = _labs(task, scratch) if part == "lab" else iter(_quiet(part, task, scratch))
            for each in tables:
                if part != "lab":
                    each.notes.append(found)
                yield each
        except Failed as error:
            yield Table(part, part.capitalize(), (), failures=[str(error)])


def _quiet(part: str, task: Task, scratch: Path) -> list[Table]:
    """Measure what touches no device."""
    within = {
        "startup": lambda: [startup(task.extent.startups)],
        "judging": lambda: judging(task.extent.runs),
        "loops": lambda: loops(task.scale, scratch, _say),
        "scale": lambda: [scale(task.scale, task.extent.runs, scratch, _say)],
    }
    if part in within:
        return within[part]()
    if part == "renderers":
        venv = task.venv or scratch / "venv"
        wrong = environment(venv.absolute(), _say)
        if wrong:
            return [Table(part, "Other renderers", (), notes=[f"left out: {wrong}"])]
        return [renderers(task.like, min(task.extent.runs, SLOW), venv.absolute(), scratch)]
    return offline(task.hosts, task.extent.runs, scratch)


def _labs(task: Task, scratch: Path) -> Iterator[Table]:
    missing = lacking()
    if missing:
        yield Table("lab", "Lab", (), notes=[f"left out: {missing}"])
        return
    measured: list[Lab] = []
    for fabric in sorted(task.labs, key=lambda each: each.devices):
        lives = 1 if fabric.devices > LARGE else task.extent.lives
        measured.append(lab(fabric, Lives(lives, task.extent.rounds, task.wait), scratch, _say))
        yield table(measured[-1])
    if len(measured) > 1 and not measured[0].failures and not measured[-1].failures:
        yield growth(measured[0], measured[-1])


def _task(argv: Sequence[str] | None) -> Task:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer runs, small fabrics, no waiting: about a minute")
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; may be given several times")
    parser.add_argument("--runs", type=int, metavar="N", help=f"runs of a command ({FULL.runs})")
    parser.add_argument("--hosts", type=_pods, metavar="N,N", help=f"sizes to validate and render ({FULL.hosts})")
    parser.add_argument("--labs", type=_shapes, metavar="S/L/H,...", help=f"labs: spines/leaves/hosts ({FULL.labs})")
    parser.add_argument("--scale", type=_growing, metavar="N,N", help=f"hosts of three-tier fabrics ({FULL.scale})")
    parser.add_argument("--like", type=_shapes, metavar="S/L/H,...", help=f"fabrics for all renderers ({FULL.like})")
    parser.add_argument("--venv", type=Path, metavar="DIR", help="keep the other renderers' environment here")
    parser.add_argument("--write", action="store_true", help="write the tables into results.md, the chart beside it")
    parser.add_argument("--wait", type=float, metavar="SECONDS", help=f"wait so long for quiet ({FULL.wait:g})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to this file as well")
    given = parser.parse_args(argv)
    extent = QUICK if given.quick else FULL
    if given.runs:
        extent = replace(extent, runs=max(1, given.runs))
    return Task(
        parts=tuple(part for part in PARTS if not given.part or part in given.part),
        hosts=given.hosts or _pods(extent.hosts),
        labs=given.labs or _shapes(extent.labs),
        extent=extent,
        wait=extent.wait if given.wait is None else given.wait,
        scale=given.scale or _growing(extent.scale),
        like=given.like or _shapes(extent.like),
        venv=given.venv,
        json=given.json,
        keep=given.write,
    )


def _pods(text: str) -> tuple[int, ...]:
    try:
        return tuple(pod(int(each)).hosts for each in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _growing(text: str) -> tuple[int, ...]:
    try:
        return tuple(pods(int(each)).hosts for each in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _shapes(text: str) -> tuple[Fabric, ...]:
    try:
        return tuple(clos(each) for each in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _stop(signal_number: int, _frame: object) -> NoReturn:
    """End as after Ctrl-C, so that labs are taken down."""
    raise SystemExit(128 + signal_number)


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
