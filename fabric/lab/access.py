"""How a lab is reached: keys, ``known_hosts`` and ``access.json``."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fabric.lab.machine import SEARCH_PATH


@dataclass(frozen=True, slots=True)
class KeyPair:
    """An ed25519 key pair in OpenSSH's own format."""

    private: str
    public: str


def new_key(file: Path, comment: str) -> KeyPair:
    """Make a key pair at ``file`` and ``file.pub`` (0600); OSError or CalledProcessError."""
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", str(file)],
        env={"PATH": SEARCH_PATH},
        stdin=subprocess.DEVNULL,
        check=True,
        timeout=30,
    )
    return KeyPair(file.read_text(), file.with_name(f"{file.name}.pub").read_text())


def publish(folder: Path, fabric: str, ports: Mapping[str, int], hosts: Mapping[str, str], key: Path) -> None:
    """Write ``known_hosts`` and ``access.json``; ``ports`` and ``hosts`` (public host keys) are by node."""
    known = folder / "known_hosts"
    # Only type and key: the comment of a host key is not part of the format.
    lines = (f"[127.0.0.1]:{ports[node]} {' '.join(public.split()[:2])}\n" for node, public in hosts.items())
    write(known, "".join(lines))
    nodes = {
        node: {
            "host": "127.0.0.1",
            "port": port,
            "user": "root",
            "key": str(key),
            "known_hosts": str(known),
            "sudo": False,
        }
        for node, port in ports.items()
    }
    write(folder / "access.json", json.dumps({"format_version": 1, "fabric": fabric, "nodes": nodes}, indent=1))


def write(file: Path, text: str) -> None:
    """Write a file of ours so that readers see all of it or nothing."""
    fresh = file.with_name(f".{file.name}.new")
    fresh.write_text(text)
    fresh.chmod(0o600)
    os.replace(fresh, file)  # noqa: PTH105 - the same call, said plainly
