"""A NIC accepts the MTU of its port.

What it does
    Compares the IP MTU of each NIC port with the largest that its NIC accepts; further NICs of the same machines
    (``of``) are judged by their own model.

Why
    The driver refuses a larger MTU and keeps the one it had: the leaf then sends packets that the NIC drops.

Fails
    ``mtu: 9600`` with a NIC of the bnxt driver, which accepts 9500.

Passes
    ``mtu: 9000`` with any NIC of which there is data.

Options
    None.

Known limits
    NICs of which there is no data, and ports whose MTU is not known, are not judged.

Source
    The hardware data of each NIC, whose own sources stand in the file. Catalogue code G09.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.edges import cards
from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.links import Links, Port
from fabric.settings.network import Network

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(document: Document, design: Design, network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port with an MTU above what its NIC accepts."""
    for end, nic in cards(document, design).items():
        mtu = network.nodes[end.node].settings.rows(Links).get(end.port, Port()).mtu
        if isinstance(mtu, Absent) or mtu <= nic.max_mtu:
            continue
        yield Violation(
            path=f"{end.node}.links.{end.port}",
            message=f"the MTU {mtu} of {end} is more than {nic.name} accepts",
            measured=f"MTU {mtu} bytes",
            bound=f"at most {nic.max_mtu} bytes",
            fix=f"lower addressing.mtu to {nic.max_mtu} or less",
            cause=f"{end.node}.links.{end.port}.mtu",
        )
