"""Flows of RDMA are told apart by their UDP source port, and not in the same way on two tiers.

What it does
    Looks at how switches choose among equal paths: with a Linux kernel at its hash policy, elsewhere at whether the UDP
    source port is part of the hash, where that was read. Where hash seeds were read, compares those of cabled switches
    of two tiers. Switches that spray packets do not hash.

Why
    All RDMA between two NICs has the same addresses and the same destination port, 4791; only the source port differs
    between queue pairs. Without it in the hash all of them share one path. Two tiers that hash alike agree with each
    other: what the first one sends to a switch, that one sends on over one link only (polarisation).

Fails
    ``net.ipv4.fib_multipath_hash_policy = 0`` (addresses only). Leaf and spine with the hash seed 7.

Passes
    Policy 1, or 3 with the source port among its fields. A seed of its own for each tier.

Options
    None.

Known limits
    Whether the chip can hash the destination queue pair as well is not asked. What was not read is not judged. A seed
    that the kernel draws at random is not known.

Source
    Linux, Documentation/networking/ip-sysctl.rst, fib_multipath_hash_policy and fib_multipath_hash_fields (0x10 is the
    source port); InfiniBand Architecture, annex A17 (RoCEv2: the UDP source port is the entropy of a flow); Qian et
    al., Alibaba HPN, SIGCOMM 2024 (polarisation). Catalogue code C10.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.balance import Balance, Balancing
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node
from fabric.settings.sysctl import Parameter, Sysctl

SEVERITY = Severity.WARNING

_SOURCE_PORT = 0x10


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch (and family) that does not hash the source port, or hashes like one above it."""
    for node in network.nodes.values():
        balance = node.settings.rows(Balancing).get("fabric")
        if node.kind != "switch" or (balance is not None and balance.mode == "spray"):
            continue
        yield from _of_kernel(node)
        if balance is not None:
            yield from _of_chip(network, node, balance)


def _of_kernel(node: Node) -> Iterator[Violation]:
    rows = node.settings.rows(Sysctl)
    for family in ("ipv4", "ipv6") if rows else ():
        name = f"net.{family}.fib_multipath_hash_policy"
        policy = rows.get(name)
        if policy is not None and policy.value != "1" and not _by_fields(policy, rows.get(f"net.{family}.{_FIELDS}")):
            yield Violation(
                path=f"{node.name}.sysctl.{name}",
                message=f"{node.name} does not hash the UDP source port: all RDMA between two NICs takes one path",
                measured=f"policy {policy.value}",
                bound="policy 1",
                fix=f"set {name} = 1",
            )


_FIELDS = "fib_multipath_hash_fields"


def _by_fields(policy: Parameter, fields: Parameter | None) -> bool:
    """Tell whether the kernel hashes fields that it is told, the source port among them; by itself it does not."""
    return policy.value == "3" and fields is not None and bool(int(fields.value, 0) & _SOURCE_PORT)


def _of_chip(network: Network, node: Node, balance: Balance) -> Iterator[Violation]:
    path = f"{node.name}.balance.fabric"
    if balance.source_port is False:
        yield Violation(
            path=path,
            message=f"{node.name} does not hash the UDP source port: all RDMA between two NICs takes one path",
            measured="hash without the UDP source port",
            bound="hash with the UDP source port",
            fix="add the UDP source port (L4 source port) to the fields of the ECMP hash",
        )
    for _, _, far in network.links_of[node.name] if not isinstance(balance.seed, Absent) else ():
        other = network.nodes[far.node].settings.rows(Balancing).get("fabric")
        if other is not None and other.seed == balance.seed and network.nodes[far.node].tier > node.tier:
            yield Violation(
                path=path,
                message=f"{node.name} and {far.node} above it hash with the same seed: what one sends to the other "
                "leaves it over one link",
                measured=f"seed {balance.seed} on tiers {node.tier} and {network.nodes[far.node].tier}",
                bound="a seed for each tier",
                fix="give each tier a hash seed of its own",
            )
            return
