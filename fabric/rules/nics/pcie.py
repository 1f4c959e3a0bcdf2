"""The PCIe slot of a NIC is as fast as its cables.

What it does
    Adds up the speeds of the cables of each NIC, and compares them with what its PCIe interface carries: generation and
    lanes of the hardware data, or those that the slot was found to give, where that is less. One cable alone that is
    too fast is an error, several that are too fast together a warning.

Why
    A NIC that takes in more than its slot can pass on fills its buffer and pauses its leaf. A receiver that is slow in
    this way is the commonest cause of pauses that spread through a fabric: a card in a slot of half its lanes, or of an
    older generation, after a repair.

Fails
    A ConnectX-7 at 400G that came up with 8 lanes of generation 5 (252 Gbit/s), or with 16 of generation 4. Two cables
    of 200G to a ConnectX-6, which has 16 lanes of generation 4 (a warning).

Passes
    A ConnectX-7 at 400G with 16 lanes of generation 5 (504 Gbit/s).

Options
    None.

Known limits
    What is left after the headers of PCIe is some percent less than the bound here, which is that of the line code
    alone. NICs of which there is no data, and that were not read, are not judged. The data is of the best card of a
    name: some have fewer lanes, or an older generation. A cable that the NIC does not run at is for nics.speed.

Source
    PCI Express Base Specification: 8, 16, 32 and 64 GT/s a lane for generations 3 to 6; line code 128/130 for 3 to 5,
    242 of 256 bytes of a flit for 6. Catalogue code J01.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fabric.analysis.edges import card
from fabric.analysis.ends import several
from fabric.design.model import Design
from fabric.hardware.models import Pcie
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.bonds import Bonds
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network
from fabric.settings.nic import Nic, NicPort
from fabric.units import format_speed

SEVERITY = Severity.ERROR


def check(document: Document, design: Design, network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC whose cables together are faster than its slot."""
    cables = {(link.a.node, link.a.port): link.speed for link in network.links}
    for (name, _), (role, ports) in _nics(design).items():
        host = network.nodes[name]
        cabled = {port: cables[name, port] for port in ports if (name, port) in cables}
        model = card(document, host, role)
        if model is not None and not set(cabled.values()) <= set(model.speeds):
            continue
        slot = _slot(host.settings.rows(Nic), cabled, model.pcie if model is not None else None)
        if slot is not None and sum(cabled.values()) > slot.bandwidth:
            yield _violation(name, cabled, slot)


def _violation(name: str, cabled: Mapping[str, int], slot: Pcie) -> Violation:
    whole = format_speed(sum(cabled.values()))
    ends = [End(name, port) for port in cabled]
    return Violation(
        path=f"{name}.nic.{ends[0].port}",
        message=f"{several(ends)}: the cables of this NIC are planned for {whole}, and its PCIe interface has {slot}",
        measured=whole,
        bound=f"at most {slot.bandwidth / 1e9:.0f} Gbit/s",
        fix="put the NIC into a slot that gives it all lanes at its own generation, or plan slower cables",
        severity=None if max(cabled.values()) > slot.bandwidth else Severity.WARNING,
    )


def _nics(design: Design) -> Mapping[tuple[str, int], tuple[str, list[str]]]:
    """Return the role and the ports of each NIC, under its host and number."""
    found: dict[tuple[str, int], tuple[str, list[str]]] = {}
    for rail in design.rails:
        node = design.network.nodes[rail.node]
        bond = node.settings.rows(Bonds).get(rail.port)
        ports = bond.members if bond is not None else (rail.port,)
        found.setdefault((rail.node, rail.rail), (rail.role or node.role, []))[1].extend(ports)
    return found


def _slot(rows: Mapping[str, NicPort], ports: Iterable[str], best: Pcie | None) -> Pcie | None:
    """Return the slowest of what a NIC can and what its ports were found to have; ``None`` where neither is known."""
    known = [best] if best is not None else []
    for port in ports:
        row = rows.get(port)
        if row is not None and not isinstance(row.pcie_generation, Absent) and not isinstance(row.pcie_lanes, Absent):
            known.append(Pcie(row.pcie_generation, row.pcie_lanes))
    return min(known, key=lambda slot: slot.bandwidth, default=None)
