"""An external neighbour has one AS number.

What it does
    Compares the entries of ``external`` that name one neighbour of one switch, by its address or, where an entry gives
    none, by its port, and reports those with different AS numbers.

Why
    A BGP session has one AS number at each end. Of two that are noted one is wrong, and whoever sets the session up by
    the note finds it refused by the neighbour.

Fails
    ``external: [{node: "leaf*", neighbor: 192.0.2.1, asn: 65010}, {node: leaf01, neighbor: 192.0.2.1, asn: 65020}]``.

Passes
    One entry for each neighbour. Two neighbours with AS numbers of their own behind one port.

Options
    None.

Known limits
    The AS number of a neighbour is a note; what the device has is left alone, and not compared.

Source
    RFC 4271 section 6.2 (an OPEN message with another AS number than expected is refused).

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from fabric.intent.document import Document
from fabric.intent.sections.tenants import ExternalIntent
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.WARNING


def check(document: Document, network: Network) -> Iterator[Violation]:
    """Yield one violation per entry whose AS number differs from that of an earlier one for the same neighbour."""
    entries = {index: each for index, each in enumerate(document.intent.external) if each.asn is not None}
    if len(entries) < 2:
        return
    switches = {
        index: frozenset(
            name for name, node in network.nodes.items() if node.kind == "switch" and fnmatchcase(name, each.node)
        )
        for index, each in entries.items()
    }
    for index in entries:
        earlier = next((one for one in entries if one < index and _differ(entries, switches, (one, index))), None)
        if earlier is not None:
            yield _violation(entries, (earlier, index), min(switches[earlier] & switches[index]))


def _differ(
    entries: Mapping[int, ExternalIntent], switches: Mapping[int, frozenset[str]], pair: tuple[int, int]
) -> bool:
    """Tell whether two entries give one neighbour two AS numbers."""
    one, other = (entries[index] for index in pair)
    by_address = None not in (one.neighbor, other.neighbor)
    same = one.neighbor == other.neighbor if by_address else one.port == other.port is not None
    return same and one.asn != other.asn and not switches[pair[0]].isdisjoint(switches[pair[1]])


def _violation(entries: Mapping[int, ExternalIntent], pair: tuple[int, int], switch: str) -> Violation:
    earlier, index = pair
    first, each = entries[earlier], entries[index]
    who = each.neighbor if first.neighbor == each.neighbor and each.neighbor else f"on {each.port}"
    return Violation(
        path=f"external.{index}.asn",
        message=f"the external neighbour {who} of {switch} has AS number {each.asn} here, "
        f"and {first.asn} in external.{earlier}",
        measured=f"AS numbers {first.asn} and {each.asn}",
        bound="1 AS number",
        fix="correct one of the two, or take one entry out",
    )
