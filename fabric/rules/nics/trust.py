"""Both ends of a link sort by DSCP.

What it does
    Looks at what NICs, and ports of switches, sort received packets by. Classes are told apart by DSCP: each end that
    is known sorts by ``dscp``, or by ``both`` (a VLAN tag where there is one).

Why
    A NIC that trusts PCP looks for a VLAN tag. Packets of routed fabrics have none, so that all of them are of priority
    0 to it: it pauses 0, if anything, when its RDMA buffer fills, and the leaf never stops priority 3. It is what most
    NICs do from the factory.

Fails
    gpu01:ens1np0 has trust ``pcp``; leaf01:Ethernet0 classifies by ``port``; both ends have ``pcp`` on a port without a
    tag.

Passes
    ``dscp`` at both ends.

Options
    None.

Known limits
    An end that does not say what it trusts is not judged. Ports carry no VLAN tags in this design.

Source
    NVIDIA, mlnx_qos (``--trust dscp``; ``pcp`` is the default); IEEE 802.1Q (the priority code point is in the tag).
    Catalogue code D06.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.maps import Maps
from fabric.settings.network import End, Link, Network
from fabric.settings.nic import Nic

SEVERITY = Severity.ERROR
_BY_DSCP = frozenset({"dscp", "both"})


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per link of which an end does not sort by DSCP, at the lower end where both do not."""
    for link in network.links:
        found = _otherwise(network, link)
        if found:
            end = next(iter(found))
            said = ", ".join(
                f"{each} sorts by {'nothing' if trust == 'none' else trust}" for each, trust in found.items()
            )
            tag = " and packets have no VLAN tag" if set(found.values()) & {"pcp"} else ""
            facet = "nic" if network.nodes[end.node].kind == "host" else "maps"
            yield Violation(
                path=f"{end.node}.{facet}.{end.port}",
                message=f"classes are told apart by DSCP{tag}: {said}",
                measured=" and ".join(f"trust {trust}" for trust in found.values()),
                bound="trust dscp at both ends",
                fix=f"let {' and '.join(map(str, found))} trust dscp",
            )


def _otherwise(network: Network, link: Link) -> Mapping[End, str]:
    """Return the ends of a link that sort by something else, with what that is."""
    found: dict[End, str] = {}
    for end in (link.a, link.b):
        settings = network.nodes[end.node].settings
        nic, maps = settings.rows(Nic).get(end.port), settings.rows(Maps).get(end.port)
        for row in (nic, maps):
            if row is not None and not isinstance(row.trust, Absent) and row.trust not in _BY_DSCP:
                found.setdefault(end, row.trust)
    return found
