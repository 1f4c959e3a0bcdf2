"""A host with several NICs answers by the NIC that was asked.

What it does
    Looks, on hosts with several NIC ports, for a rule per source address (``from ADDRESS``) for each address of a NIC,
    and for strict filtering of sources (``rp_filter`` 1, for all ports or for one of them).

Why
    All rails lead to all hosts. Without a rule for its address, what a NIC is to send leaves by whichever rail the main
    routes choose: one rail carries the traffic of two, and pauses both. A strict filter drops, without a word, what
    arrives by another rail than the one that these routes would take back.

Fails
    ``ip rule`` of gpu01 has ``from 10.64.0.1`` and nothing for 10.64.0.129 of its second NIC.
    ``net.ipv4.conf.all.rp_filter = 1`` on gpu01.

Passes
    A rule for each address, and ``rp_filter`` 2 (loose) or 0; hosts with one NIC port.

Options
    None.

Known limits
    What was not read is not judged. Where the rules lead to is compared with the design by other means. With all rules
    in place a strict filter may let everything through: that it does depends on tables that are not looked at.

Source
    RFC 3704 section 2.2 to 2.4 (strict and loose filtering, and hosts with several ways out); Linux,
    Documentation/networking/ip-sysctl.rst (rp_filter: the larger of ``all`` and the port counts). Catalogue code A07.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from fabric.analysis.nic_addresses import NicAddresses, nic_addresses
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node
from fabric.settings.policy import Policy
from fabric.settings.sysctl import Sysctl

SEVERITY = Severity.WARNING
_STRICT = 1


def check(network: Network) -> Iterator[Violation]:
    """Yield up to two violations per host with several NIC ports: for its rules, and for its filter."""
    for name, found in groupby(nic_addresses(network), key=lambda row: row.end.node):
        rows = [row for row in found if row.addresses]
        if len(rows) > 1:
            yield from _unruled(network.nodes[name], rows)
            yield from _strict(network.nodes[name], rows)


def _unruled(node: Node, rows: Sequence[NicAddresses]) -> Iterator[Violation]:
    policy = node.settings.get(Policy)
    if isinstance(policy, Absent):
        return
    own = [address.partition("/")[0] for row in rows for address in row.addresses]
    missing = [address for address in own if f"from {address}" not in policy.rows]
    if missing:
        yield Violation(
            path=f"{node.name}.policy.from {missing[0]}",
            message=f"{node.name} has no rule for what it sends from {', '.join(missing)}: it may leave by another NIC",
            measured=f"{len(own) - len(missing)} of {len(own)} addresses with a rule",
            bound="a rule for each address",
            fix="add a rule per source address with a table of its own",
        )


def _strict(node: Node, rows: Sequence[NicAddresses]) -> Iterator[Violation]:
    found = node.settings.get(Sysctl)
    if isinstance(found, Absent):
        return
    for row in rows:
        keys = [f"net.ipv4.conf.{scope}.rp_filter" for scope in ("all", row.end.port)]
        set_ = {key: int(found.rows[key].value) for key in keys if key in found.rows}
        if max(set_.values(), default=0) == _STRICT:
            key = next(key for key, value in set_.items() if value == _STRICT)
            yield Violation(
                path=f"{node.name}.sysctl.{key}",
                message=f"{node.name} drops what arrives at {row.end.port} from sources to which it would answer by "
                "another NIC",
                measured=f"{key} = {_STRICT}",
                bound="2 or 0",
                fix="set net.ipv4.conf.all.rp_filter to 2",
            )
            return
