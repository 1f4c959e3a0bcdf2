"""What NICs are set to survives a reboot.

What it does
    Reports NIC ports whose settings are not kept: ``nic_settings.persist: false``, or read as such.

Why
    PFC, trust, shares and marks of a NIC are gone after a reboot, and after its driver is loaded again. A host that
    comes back sends RDMA with DSCP 0 and does not obey pauses: it disturbs the class of everybody, and looks healthy.

Fails
    ``nic_settings: {persist: false}``.

Passes
    ``persist: true``, which is the default.

Options
    None.

Known limits
    Something else may keep them, such as an image or an agent: waive it then, with the reason. Ports of which it is not
    known are not judged.

Source
    NVIDIA, mlnx_qos (settings are not persistent). Catalogue code J04.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import several
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network
from fabric.settings.nic import Nic

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation, at the first of the ports whose settings are lost."""
    ends = [
        End(name, port)
        for name, node in network.nodes.items()
        for port, row in node.settings.rows(Nic).items()
        if row.persist is False
    ]
    if ends:
        yield Violation(
            path=f"{ends[0].node}.nic.{ends[0].port}",
            message=f"PFC, trust and marks of {several(ends)} are lost at the next reboot",
            measured="persist: false",
            bound="persist: true",
            fix="write nic_settings.persist: true, or waive this where something else keeps them",
            cause="nic_settings.persist",
        )
