"""facts: what must be known of a Linux node first."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fabric.changes.command import Command
from fabric.platforms.contract import Outputs
from fabric.platforms.parts.iproute2 import LINK_SHOW
from fabric.platforms.parts.links import port_names
from fabric.settings.facet import ABSENT
from fabric.settings.facts import Facts

KERNEL_SHOW = Command("uname -r")
RELEASE_SHOW = Command("cat /etc/os-release")
# What the kernel was built with, where it says so; nothing otherwise.
QDISC_SHOW = Command(
    "{ zcat /proc/config.gz || cat /boot/config-$(uname -r); } 2>/dev/null | grep '^CONFIG_NET_SCH_.*=[ym]$' || :"
)
COMMANDS = (KERNEL_SHOW, RELEASE_SHOW, QDISC_SHOW, LINK_SHOW)


def linux(system: str, outputs: Outputs, more: Mapping[str, str] | None = None) -> Facts:
    """Return the facts from the outputs of `COMMANDS`; ``more`` are features that the system adds.

    Features: ``kernel.release``, ``kernel.qdiscs`` (names with blanks between, only where the kernel tells).
    """
    kernel, release, qdiscs, link_show = outputs
    features = {"kernel.release": kernel.text.strip()}
    names = re.findall(r"^CONFIG_NET_SCH_(\w+)=", qdiscs.text, re.MULTILINE)
    if names:
        features["kernel.qdiscs"] = " ".join(sorted(name.lower() for name in names))
    return Facts(
        system=system,
        model="linux",
        release=_release(release.text) or ABSENT,
        ports=port_names(link_show),
        features=features | dict(more or {}),
    )


def _release(text: str) -> str:
    """Return distribution and version, such as ``debian 12``."""
    found = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    return " ".join(word for word in (found.get(key, "").strip("\"'") for key in ("ID", "VERSION_ID")) if word)
