"""AS numbers are private.

What it does
    Looks whether the AS number of each router lies in a range for private use: 64512 to 65534 (1,023 numbers), or
    4200000000 to 4294967294.

Why
    A fabric that counts on from 64900 for each device leaves the private range after 635 of them, and goes on with
    numbers that belong to others. Within the fabric nobody notices. At its border, routes with the number of another
    network in their path are dropped there as loops, or lead astray.

Fails
    ``leaf: {asn: {first: 65400, per: device, stride: 200}}``: the leaves of the second pod begin at 65600. ``first:
    3320``.

Passes
    ``first: 65101``; ``first: 4200000000`` for more than 1,023 devices.

Options
    None.

Known limits
    Whoever has an AS number of the registries may use it here: waive it. Numbers of peers outside are not judged.

Source
    RFC 6996 section 5 (private ranges), RFC 7607 (0) and RFC 7300 (65535 and 4294967295: reserved), RFC 6793 section 9
    (23456: stands for those with four bytes), RFC 5398 (64496 to 64511 and 65536 to 65551: for documents), IANA,
    Autonomous System Numbers (65552 to 131071: reserved), RFC 7938 section 5.2.2 (four-byte numbers where 1,023 are too
    few). Catalogue code A08.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.bgp import Bgp, Router
from fabric.settings.network import Network

SEVERITY = Severity.WARNING

_PRIVATE = (range(64512, 65535), range(4200000000, 4294967295))
_RESERVED = frozenset({0, 23456, 65535, 4294967295})
_DOCUMENTS = (range(64496, 64512), range(65536, 65552))
_KEPT = range(65552, 131072)


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per router with an AS number that is not for private use."""
    for name, node in network.nodes.items():
        router = node.settings.rows(Bgp).get("router")
        if not isinstance(router, Router) or any(router.asn in numbers for numbers in _PRIVATE):
            continue
        reserved = router.asn in _RESERVED
        yield Violation(
            path=f"{name}.bgp.router",
            message=f"{name} has AS number {router.asn}, which {_kind(router.asn)}",
            measured=f"AS {router.asn}",
            bound="64512 to 65534, or 4200000000 to 4294967294",
            fix="choose asn.first so that all numbers of the role are private, such as 4200000000",
            severity=Severity.ERROR if reserved else None,
        )


def _kind(number: int) -> str:
    if number in _RESERVED:
        return "is reserved: no router may have it"
    if any(number in numbers for numbers in _DOCUMENTS):
        return "is set aside for documents"
    if number in _KEPT:
        return "is kept back: nobody may have it yet"
    return "belongs to somebody, or will"
