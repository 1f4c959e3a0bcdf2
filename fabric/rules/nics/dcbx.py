"""Nobody replaces what is set.

What it does
    Reports ports that take over, by DCBX, what their neighbour proposes (*willing*), and NICs whose firmware decides on
    PFC and shares instead of the operating system.

Why
    PFC, shares and maps are written on both ends of a link. A port that is willing replaces them as soon as its
    neighbour proposes others, such as the defaults of a new switch or of an LLDP daemon: PFC moves from priority 3 to
    4, and nobody has touched the host. Firmware that owns DCBX undoes, or refuses, what tools set.

Fails
    leaf01:Ethernet0 is willing; gpu01:ens1np0 has DCBX mode ``firmware``.

Passes
    DCBX off, or on without being willing; NICs that the operating system controls.

Options
    None.

Known limits
    Ports of which it is not known are not judged. A fabric whose NICs are meant to learn from switches is not what is
    described here: hosts are set by themselves.

Source
    IEEE 802.1Qaz clause 38 (the willing bit); NVIDIA, mlnx_qos (``--dcbx os`` before anything else is set). Catalogue
    code E07.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.settings.nic import Nic
from fabric.settings.pfc import Pfc

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port that lets others decide."""
    for name, node in network.nodes.items():
        nics, pauses = node.settings.rows(Nic), node.settings.rows(Pfc)
        for port in dict.fromkeys((*nics, *pauses)):
            if port in nics and nics[port].dcbx == "firmware":
                what, facet, bound = "the firmware of the NIC decides on PFC and shares", "nic", "the operating system"
                measured, fix = "DCBX by firmware", "let the operating system control DCBX, such as mlnx_qos -d os"
            elif port in pauses and pauses[port].willing is True:
                what, facet, bound = "the port takes over by DCBX what its neighbour proposes", "pfc", "not willing"
                measured, fix = "willing", "switch DCBX off, or willing off, on this port"
            else:
                continue
            yield Violation(f"{name}.{facet}.{port}", f"{name}:{port}: {what}", measured, bound, fix)
