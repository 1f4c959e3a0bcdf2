#!/usr/bin/env python3
"""Record the lab inventory anew: bare, applied, and broken by hand; what `fabric demo` tells without root.

Needs root. Run it when the commands that platforms read with have changed, then `scripts/readme.py`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INVENTORY = Path("inventories/lab")
RECORDINGS = INVENTORY / "recordings"
# Changes by hand, as the README tells them: with vtysh on a leaf, with ip on a host.
BY_HAND = {
    "leaf02": "vtysh -c 'configure terminal' -c 'router bgp 65102' -c 'address-family ipv4' -c 'maximum-paths 1'",
    "gpu01": "ip link set eth1 mtu 1500; ip address add 10.64.9.9/32 dev eth1",
}
# Seconds until sessions over swapped cables have come up with their new neighbours.
CONVERGENCE = 20


def fabric(*args: str, ends: int = 0, text: str = "") -> None:
    """Run a command of the program; it must end as expected."""
    done = subprocess.run([sys.executable, "-m", "fabric", *args], input=text, text=True, check=False)
    if done.returncode != ends:
        raise SystemExit(f"fabric {' '.join(args)} ended with {done.returncode} instead of {ends}")


def main() -> None:
    """Build the lab, record it three times, take it down."""
    os.chdir(ROOT)
    kernel = os.uname().release
    at = str(INVENTORY)
    with tempfile.TemporaryDirectory() as state:
        os.environ["FABRIC_STATE"] = state
        shutil.rmtree(RECORDINGS, ignore_errors=True)
        fabric("lab", "up", at)
        try:
            fabric("plan", at, "--record", str(RECORDINGS / "bare"))
            fabric("apply", at, "--yes")
            fabric("verify", at, "--record", str(RECORDINGS / "applied"))
            for node, command in BY_HAND.items():
                fabric("lab", "shell", node, "-f", at, text=command)
            fabric("plan", at, "--record", str(RECORDINGS / "drifted"))
            fabric("lab", "fault", "swap-cables", "leaf04:swp33", "leaf04:swp34", "-f", at)
            time.sleep(CONVERGENCE)
            fabric("verify", at, "--record", str(RECORDINGS / "broken"), ends=4)
        finally:
            fabric("lab", "down", at)
    for path in RECORDINGS.rglob("*.json"):
        # The machine that recorded is nobody's concern; its kernel's plain version is.
        path.write_text(path.read_text().replace(kernel, kernel.partition("-")[0]))


if __name__ == "__main__":
    main()
