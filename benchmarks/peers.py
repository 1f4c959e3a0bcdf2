"""The peers of the lab figures: OpenSSH's client logging in to every node, and bare namespaces."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measure import Cost, must, run

JOBS = 32
"""Logins at a time: as many as `fabric plan` has by default."""


def logins(access: Path) -> Cost:
    """Log in to every node of a lab's ``access.json`` with `ssh`, run `true`, and leave; Failed when one login fails.

    The cost is that of all clients together. It leaves out the sshd of the nodes, as the cost of `fabric` does.
    """
    nodes = json.loads(access.read_text(encoding="utf-8"))["nodes"].values()
    return _together([_login(node) for node in nodes], JOBS)


def namespaces(count: int, jobs: int) -> Cost:
    """Make so many bare sets of namespaces, each ending at once; Failed when one cannot be made (needs root)."""
    return _together([("unshare", "-n", "-m", "-u", "-p", "-f", "--mount-proc", "true")] * count, jobs)


def _login(node: dict[str, str]) -> tuple[str, ...]:
    options = {
        "BatchMode": "yes",
        "IdentitiesOnly": "yes",
        "UserKnownHostsFile": node["known_hosts"],
        "GlobalKnownHostsFile": "/dev/null",
        "StrictHostKeyChecking": "yes",
    }
    flags = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
    target = ("-i", node["key"], "-p", str(node["port"]), f"{node['user']}@{node['host']}")
    return ("ssh", "-F", "none", *flags, *target, "true")


def _one(argv: tuple[str, ...]) -> Cost:
    return must(run(argv, limit=60), argv)


def _together(commands: Sequence[tuple[str, ...]], jobs: int) -> Cost:
    begun = time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        costs = list(pool.map(_one, commands))
    wall = time.perf_counter() - begun
    return Cost(wall, sum(c.user for c in costs), sum(c.system for c in costs), max(c.peak for c in costs), 0)
