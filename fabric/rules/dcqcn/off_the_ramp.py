"""The flows that a class declares find a queue to rest in.

What it does
    Where a class declares ``flows`` per port: asks whether that many DCQCN flows still speed up when a switch marks as
    many packets as it does just below Kmax (Pmax). If so, the share of packets p* at which they would hold still is
    above Pmax.

Why
    Between Kmin and Kmax the queue rests where the switch marks the share p*. Above Kmax everything is marked: all
    senders cut, the queue falls back onto the ramp, they rise again. It goes up and down at Kmax and never rests, with
    the longest delay that the thresholds allow, and some throughput lost each time.

Fails
    ``flows: 16`` at 40G with ``probability: 1%`` and the parameters of the DCQCN paper on the NICs: 1.09 % of packets
    have to be marked.

Passes
    ``flows: 10`` there: 0.60 %. Any class without ``flows``, or whose thresholds are open.

Options
    ``ecn.flows`` of the class. Without it nothing is judged.

Known limits
    All flows are taken to be equal, long, and to share one port. NICs whose parameters are not published (bnxt) are not
    judged. The unit of ``rpg_byte_reset`` is taken to be thousands of bytes (the hardware data says why): if it were
    bytes, p* would be higher with what NVIDIA NICs come with, at 400G 6 times for 64 flows.

Source
    Zhu et al., "ECN or Delay" (CoNEXT 2016): fluid model of DCQCN and its fixed point. NVIDIA's names and defaults
    stand in the hardware data. Catalogue code F09.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.fluid import fixed_point, marked_too_little
from fabric.analysis.nic_kinds import nic_kinds
from fabric.analysis.settling import settlings
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import format_speed

SEVERITY = Severity.WARNING


def check(design: Design, network: Network) -> Iterator[Violation]:
    """Yield one violation per kind of queue and of NICs whose declared flows need more marks than the ramp has."""
    for each in settlings(design, network):
        flows = each.found.flows
        if flows is None:
            continue
        for kind in nic_kinds(network):
            if marked_too_little(kind.sender, each.speed, flows, each.pmax):
                needed = 100 * fixed_point(kind.sender, each.speed, flows)
                yield Violation(
                    path=each.path,
                    message=f"{flows} flows of DCQCN at {format_speed(each.speed)} hold still when {needed:.3g}% of "
                    f"packets are marked, and {each.where} marks at most {100 * each.pmax:g}% below its max: the queue "
                    "goes up and down there and does not rest",
                    measured=f"{needed:.3g}%",
                    bound=f"at most {100 * each.pmax:g}%",
                    fix=f"write a probability above {needed:.2g}%, declare fewer flows, or lower R_AI (rpg_ai_rate)",
                    cause=f"classes.{each.found.name}.ecn.probability",
                )
