"""What this machine lacks for the lab: system, rights, packages, kernel features."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from typing import Final

from fabric.errors import Problem

SEARCH_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/frr"
"""Where the lab looks for programs: a user's own path often lacks the sbin folders."""

_PROGRAMS = (
    ("unshare", "util-linux"),
    ("nsenter", "util-linux"),
    ("ip", "iproute2"),
    ("tc", "iproute2"),
    ("vtysh", "frr"),
    ("zebra", "frr"),
    ("bgpd", "frr"),
    ("staticd", "frr"),
    ("frr-reload.py", "frr-pythontools"),
    ("sshd", "openssh-server"),
    ("ssh-keygen", "openssh-client"),
    ("lldpd", "lldpd"),
    ("lldpcli", "lldpd"),
    ("ping", "iputils-ping"),
)

_TMPFS = "mount -t tmpfs none /mnt && mkdir /mnt/u /mnt/w"

_TRIALS = (
    ("veth", "veth pairs (CONFIG_VETH)", "ip link add name v1 type veth peer name v2"),
    ("bridge", "bridges (CONFIG_BRIDGE)", "ip link add name v3 type bridge"),
    ("clsact", "the clsact queue (CONFIG_NET_SCH_INGRESS)", "tc qdisc add dev v1 clsact"),
    (
        "mirred",
        "u32 filters with mirred (CONFIG_NET_CLS_U32, CONFIG_NET_ACT_MIRRED)",
        "tc filter add dev v1 ingress protocol all u32 match u32 0 0 action mirred egress redirect dev v2",
    ),
    (
        "overlay",
        "overlay file systems (CONFIG_OVERLAY_FS)",
        f"{_TMPFS} && mount -t overlay none /etc -o lowerdir=/etc,upperdir=/mnt/u,workdir=/mnt/w",
    ),
)


def missing(
    *,
    platform: str = sys.platform,
    user: Callable[[], int] = os.geteuid,
    search_path: str = SEARCH_PATH,
) -> tuple[Problem, ...]:
    """Return what this machine lacks to run the lab, each with the right or Debian package to get."""
    if platform != "linux":
        return (Problem(f"the lab needs Linux, this is {platform}", hint="run it in a virtual machine with Debian 12"),)
    found = _programs(search_path)
    if user() != 0:
        return (Problem("the lab needs root: it makes namespaces", hint="run the same command with sudo"), *found)
    return found or _kernel()


def _programs(search_path: str) -> tuple[Problem, ...]:
    lacking: dict[str, list[str]] = {}
    for program, package in _PROGRAMS:
        if shutil.which(program, path=search_path) is None:
            lacking.setdefault(package, []).append(program)
    return tuple(
        Problem(f"{', '.join(names)} not found: package {package} is not installed", hint=f"apt-get install {package}")
        for package, names in lacking.items()
    )


def _kernel(trials: tuple[tuple[str, str, str], ...] = _TRIALS) -> tuple[Problem, ...]:
    """Try everything in namespaces that end with the trial."""
    script = "\n".join(f"{{ {command}; }} >/dev/null 2>&1 || echo {name}" for name, _, command in trials)
    tried = subprocess.run(
        ["unshare", "-n", "-m", "-u", "-p", "-f", "--mount-proc", "sh", "-c", f"echo begun\n{script}"],
        env={"PATH": SEARCH_PATH},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    said = tried.stdout.split()
    if "begun" not in said:
        return (
            Problem(
                f"this machine refuses namespaces: {tried.stderr.strip()}",
                hint="in a container, run it privileged (docker run --privileged)",
            ),
        )
    return tuple(
        Problem(f"the kernel lacks {feature}", hint="use a kernel with this option, such as Debian's own")
        for name, feature, _ in trials
        if name in said
    )
