"""NICs that pause have a guard against pausing for ever.

What it does
    Looks at NIC ports that pause a priority and report whether they stop to do so when their host no longer empties
    the buffer.

Why
    Most pause storms begin at a host: its processor, memory or PCIe hangs, the buffer of the NIC stays full, and the
    NIC goes on to pause its leaf, which pauses the spines. A watchdog of the switch acts at the next hop; the guard of
    the NIC ends it where it begins.

Fails
    gpu01:ens1np0 pauses priority 3, and its stall prevention is off.

Passes
    It is on; a port that pauses nothing; a port that does not say.

Options
    None.

Known limits
    After how long the guard acts is not compared with the watchdog of the leaf. The design says nothing of it, so that
    it is asked of what NICs report.

Source
    ethtool(8), tunable pfc-prevention-tout: milliseconds, 0 for off, 65535 for the driver's choice. Linux, mlx5: 80 to
    8000 ms, 8 s from the factory, 100 ms as its choice. Catalogue code E05.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network
from fabric.settings.nic import Nic
from fabric.settings.pfc import Pause, Pfc

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port that pauses and has its guard off."""
    for node in network.nodes.values():
        pauses = node.settings.rows(Pfc)
        for port, row in node.settings.rows(Nic).items():
            sent = _sent(pauses.get(port))
            if row.stall_guard is False and sent:
                listed = ", ".join(map(str, sorted(sent)))
                yield Violation(
                    path=f"{node.name}.nic.{port}",
                    message=f"{node.name}:{port} pauses priority {listed} and goes on to when its host hangs: "
                    "its stall prevention is off",
                    measured="stall prevention off",
                    bound="on",
                    fix=f"run ethtool --set-tunable {port} pfc-prevention-tout 65535, and keep it at boot",
                )


def _sent(pause: Pause | None) -> frozenset[int]:
    """Return the priorities for which a port sends pauses."""
    if pause is None:
        return frozenset()
    return pause.priorities if isinstance(pause.sent, Absent) else pause.sent
