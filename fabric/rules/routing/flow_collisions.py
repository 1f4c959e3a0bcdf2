"""How many flows meet on the busiest uplink of a leaf when each NIC has one queue pair.

What it does
    Prints, for each kind of leaf that chooses uplinks by hash, what to expect when each of its N NIC ports sends one
    flow up over u equal uplinks: the share of uplinks that are used, 1 - (1 - 1/u)^N, and the flows on the busiest one,
    the largest m for which u x P(at least m of N flows on one uplink) is 1/2 or more.

Why
    A queue pair is one flow, with one source port, and takes one path whatever the hash. Few large flows over many
    uplinks leave some idle while others are full: the links would be enough, and jobs are slow all the same.

Fails
    16 NIC ports over 16 uplinks: 64 % of them used, and 3 flows on the busiest one. It only prints figures, and finds
    nothing wrong.

Passes
    Leaves without uplinks, with one uplink, or that balance by load (``dlb``) or by packet (``spray``).

Options
    None. It runs only when asked for: ``--select routing.flow-collisions``.

Known limits
    All flows go up, the hash is taken to be perfect, and how many queue pairs a job opens is not known. Uplinks of
    different speeds are counted alike.

Source
    Balls and bins, exact binomial. Gangidi et al., RDMA over Ethernet for distributed AI training at Meta scale,
    SIGCOMM 2024 (few flows, and several queue pairs per connection against it). Catalogue code C10.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.balance import Balancing
from fabric.settings.network import Network, Node

SEVERITY = Severity.NOTE
ON_REQUEST = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one figure per kind of leaf."""
    kinds: dict[tuple[int, int], list[str]] = {}
    for node in network.nodes.values():
        balance = node.settings.rows(Balancing).get("fabric")
        if node.tier == 1 and (balance is None or balance.mode == "ecmp"):
            kinds.setdefault(_flows(network, node), []).append(node.name)
    for (flows, uplinks), leaves in kinds.items():
        if flows and uplinks > 1:
            busiest, even = _busiest(flows, uplinks), Fraction(flows, uplinks)
            used = 100 * (1 - (1 - 1 / uplinks) ** flows)
            said = f"{busiest} flow{'s' if busiest > 1 else ''}"
            more = f" and {len(leaves) - 1} more" if len(leaves) > 1 else ""
            yield Violation(
                path=f"{leaves[0]}.links",
                message=f"with one queue pair for each of {flows} NIC ports, {leaves[0]}{more} may use {used:.0f}% of "
                f"{uplinks} uplinks, with {said} on the busiest one",
                measured=said,
                bound=f"{float(even):.2f} flows if spread evenly",
                fix="let jobs open several queue pairs per connection (NCCL_IB_QPS_PER_CONNECTION), or write "
                "routing.load_balance: dlb",
            )


def _flows(network: Network, node: Node) -> tuple[int, int]:
    """Return how many NIC ports are below a leaf, and how many links lead up from it."""
    tiers = [network.nodes[far.node].tier for _, _, far in network.links_of[node.name]]
    return sum(tier == 0 for tier in tiers), sum(tier > 1 for tier in tiers)


def _busiest(flows: int, uplinks: int) -> int:
    """Return the largest number of flows that at least half an uplink is expected to have, at least 1."""
    beyond, total = 0, uplinks**flows
    for many in range(flows, 1, -1):
        beyond += comb(flows, many) * (uplinks - 1) ** (flows - many)
        if 2 * uplinks * beyond >= total:
            return many
    return 1
