"""Every designed BGP session is established.

What it does
    Looks up the session of each neighbour that the design gives a router.

Why
    A session that is not up takes all paths through that neighbour away, while traffic goes on over the others and
    fills them.

Passes
    The session is Established.

Fails
    It is in another state, or the router knows no such neighbour.

Skips
    The router was not reached or does not report its sessions; or the design switches the link of the session off.

Known limits
    Foreign neighbours are not judged. How many prefixes a session carries is judged by routing.ecmp-width.

Source
    RFC 4271 section 8 (states of a session).

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_interface

from fabric.checks.contract import Seen
from fabric.checks.outcomes import asked, failed, look, passed, skipped
from fabric.checks.shut import closed
from fabric.results import CheckResult
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp
from fabric.settings.network import End, Network, Node
from fabric.settings.state.sessions import Sessions

FACETS = (Sessions,)
SAMPLES = 1


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield one result per designed neighbour of every router that was asked, or one skip per router."""
    network = seen.design.network
    owners = _owners(network)
    for node in network.nodes.values():
        peers = [key.partition(" ")[2] for key in node.settings.rows(Bgp) if key.startswith("neighbor ")]
        if not peers or not asked(seen, node.name):
            continue
        sessions = look(seen, node.name, Sessions)
        if isinstance(sessions, CheckResult):
            yield sessions
            continue
        for peer in peers:
            far = owners.get(peer) or _far(network, node, peer)
            if far is not None and closed(network, far):
                said = f"the BGP session {node.name}:{peer} with {far.node}: its link is switched off by design"
                yield skipped(f"{node.name}:{peer}", said, announced=True)
            else:
                yield _session(node, peer, far.node if far else "", sessions)


def _owners(network: Network) -> dict[str, End]:
    """Return where each address of the design stands."""
    rows = (
        (name, *key.partition(" ")) for name, node in network.nodes.items() for key in node.settings.rows(Addresses)
    )
    return {str(ip_interface(address).ip): End(name, port) for name, port, _, address in rows}


def _far(network: Network, node: Node, port: str) -> End | None:
    link = network.ends.get(End(node.name, port))
    return link[1] if link else None


def _session(node: Node, peer: str, neighbour: str, sessions: Sessions) -> CheckResult:
    at = f"{node.name}:{peer}"
    far = f" with {neighbour}" if neighbour else ""
    if peer not in sessions.rows:
        return failed(at, f"{node.name} knows no BGP neighbour {peer}{far}", "Established", "no session")
    state = sessions.rows[peer].state
    if state != "Established":
        return failed(at, f"the BGP session {at}{far} is {state}", "Established", state)
    return passed(at, f"the BGP session {at}{far} is established")
