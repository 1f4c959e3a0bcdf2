"""Both ends of a link pause the same priorities.

What it does
    Compares the priorities for which PFC is on at both ends of each link, between switches and to hosts.

Why
    A pause works only where one end sends it and the other obeys. A port whose buffer fills asks for silence; a
    neighbour that has PFC off for this priority, or on for another one, goes on sending, and what arrives is dropped
    although the class is called lossless. Nothing reports it: the link is up, and each device alone looks right.

Fails
    leaf01:swp1 pauses priority 3 and gpu01:eth1 pauses priority 4; after a port was replaced, spine01:swp1 pauses none.

Passes
    Both ends pause priority 3; both pause none.

Options
    None.

Known limits
    An end whose PFC is not known is not judged. Which end is at fault is told by the lossless classes of the file. A
    set on which both ends agree is for pfc.not-lossless, what works in one direction only for pfc.one-way.

Source
    IEEE 802.1Qbb (now 802.1Q-2018 clause 36): PFC is agreed per link and priority. Catalogue code E01.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import listed
from fabric.analysis.one_sided import amiss
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per link whose ends pause different priorities, at the end that is at fault."""
    for found in amiss(network, design):
        if found.differs:
            (end, own), (far, other) = found.ends
            yield Violation(
                path=f"{end.node}.pfc.{end.port}",
                message=f"{end} pauses {listed(own)} and {far} at the other end pauses {listed(other)}: "
                "what one of them asks for, the other does not do",
                measured=f"{listed(own)} and {listed(other)}",
                bound="one set at both ends",
                fix=f"let both ends pause {listed(found.lossless)}, as the lossless classes of the link have it",
            )
