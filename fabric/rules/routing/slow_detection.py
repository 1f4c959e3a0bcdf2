"""What is lost until BGP notices that a neighbour is gone, as a figure.

What it does
    For each cable between switches with a session that BFD does not watch, multiplies the time after which BGP gives
    the neighbour up by the speed of the cable: the bytes that are sent into nothing meanwhile. Runs only when asked for
    (``--select routing.slow-detection``).

Why
    A cable that is cut is seen at once. A neighbour whose port is up and who forwards nothing is only noticed when its
    messages stay away: after seconds or minutes at the full speed of the link, every packet is lost, and senders of
    RDMA time out.

Fails
    A session without BFD at 10G under FRR's datacenter profile: 9 s, 11.25 GB.

Passes
    ``routing: {bfd: true}``: BFD with the usual 3 x 300 ms notices after 0.9 s.

Options
    None.

Known limits
    Hold times are taken from what was read (``timers``), else from the defaults of FRR, else the one that RFC 4271
    suggests; the neighbour's may be shorter, and the shorter one counts. Times of BFD are not known.

Source
    RFC 4271 section 10 (90 s suggested); FRR, frr defaults (datacenter 9 s, traditional 180 s) and bfdd (3 x 300 ms);
    RFC 5880 section 6.8.4 (detection time). Catalogue code C12.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.bgp_sessions import neighbors, speakers
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.bgp import Neighbor
from fabric.settings.network import Network, Node
from fabric.units import format_speed

SEVERITY = Severity.NOTE
ON_REQUEST = True

_SUGGESTED = 90
_OF_FRR = {"datacenter": 9, "traditional": 180}
_WATCHED = 0.9


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per link with a session that is not watched, at its lower end."""
    found = speakers(network)
    for name, heard in found.hears.items():
        for own in (own for session in heard.values() for own in session.ends):
            link, far = network.ends[own]
            rows = [row for row in neighbors(network, own, far) if row.bfd is False]
            if own != link.a or not rows:
                continue
            seconds = _hold(network.nodes[name], rows[0])
            yield Violation(
                path=f"{name}.links.{own.port}",
                message=f"{own} to {far.node} at {format_speed(link.speed)}: {name} notices after {seconds} s that a "
                f"neighbour forwards nothing, and has sent {_bytes(link.speed * seconds)} into it by then",
                measured=f"{seconds} s",
                bound=f"{_WATCHED:g} s with BFD, {_bytes(link.speed * _WATCHED)}",
                fix="write routing: {bfd: true}",
            )


def _hold(node: Node, row: Neighbor) -> int:
    """Return after how many seconds a session is given up: said of the neighbour, or the system's default."""
    for words in row.extra:
        said = words.split(" ")
        if said[0] == "timers" and all(word.isdecimal() for word in said[1:]):
            return int(said[-1])
    if node.system == "frr":
        return _OF_FRR.get(node.facts.features.get("frr.defaults", "datacenter"), _SUGGESTED)
    return _SUGGESTED


def _bytes(bits: float) -> str:
    return f"{bits / 8e9:.4g} GB"
