"""The machine that the figures come from, and what else is busy on it; never its name."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from pathlib import Path

from measure import FABRIC

SAMPLE = 2.0
"""Seconds over which the work of others is watched."""
QUIET = 0.25
"""Share of the machine's cores that others may use for it to count as quiet."""


def facts() -> dict[str, str]:
    """Return what a reader needs to judge the figures, in the order to print."""
    return {
        "cores": str(cores()),
        "memory": _memory(),
        "kernel": f"{platform.system()} {platform.release().split('-')[0]} {platform.machine()}",
        "python": platform.python_version(),
        "fabric": _first_line(str(FABRIC), "--version").removeprefix("fabric "),
        "OpenSSH client": _first_line("ssh", "-V").partition(",")[0],
        "FRR": _first_line("/usr/lib/frr/zebra", "--version").removeprefix("zebra version "),
    }


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def load() -> float:
    """Return the load average of the last minute."""
    return os.getloadavg()[0]


def others() -> float | None:
    """Watch for two seconds, doing nothing, and return the share of all cores that others use; None off Linux."""
    before = _ticks()
    time.sleep(SAMPLE)
    after = _ticks()
    if before is None or after is None:
        return None
    idle, everything = (late - early for early, late in zip(before, after, strict=True))
    return 1 - idle / everything if everything else None


def settle(patience: float) -> str:
    """Wait until others leave the machine alone, at most ``patience`` seconds; return in words what was found."""
    begun = time.monotonic()
    while True:
        busy = others()
        waited = time.monotonic() - begun
        if busy is None or busy <= QUIET or waited >= patience:
            break
    share = "not known" if busy is None else f"{busy:.0%} of {cores()} cores"
    return f"used by others just before: {share}; load {load():.1f}; waited {waited:.0f} s for quiet"


def _ticks() -> tuple[int, int] | None:
    """Return idle and all ticks of the machine since its start."""
    try:
        first = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0]
    except OSError:
        return None
    # user nice system idle iowait irq softirq steal; guests are in user already.
    ticks = [int(each) for each in first.split()[1:9]]
    return ticks[3] + ticks[4], sum(ticks)


def _memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"


def _first_line(*argv: str) -> str:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=30, check=False)
    except OSError:
        return "not found"
    return (done.stdout or done.stderr).partition("\n")[0].strip()
