"""A link takes no more addresses than it has ends.

What it does
    Looks at the prefix that both ends of a routed link share: /31 and /127 are what two ends need, /30 and /126 are
    accepted. A wider one is a warning in IPv4, and a note in IPv6, where a /64 for each link is common.

Why
    A prefix that is wider takes the addresses of others with it: what is sent to them ends here. A pair of given
    addresses that lie far apart is mostly a typing error. In IPv6, each address of a /64 that somebody asks for takes a
    place among the neighbours that the router looks for, until there is none left; and packets to addresses that
    neither end has may be sent to and fro between them.

Fails
    A list gives 10.128.9.1 and 10.128.8.0 to one cable: the smallest prefix with both has a length of 23.

Passes
    10.128.0.1/31 and 10.128.0.0/31; 192.168.7.2/30 and 192.168.7.1/30; 2001:db8::1/127 and 2001:db8::/127.

Options
    None.

Known limits
    Subnets on VLANs are for many hosts, and are not judged.

Source
    RFC 3021 section 2 (/31 on links with two ends), RFC 6164 section 5 (/127, and what a longer row of unused addresses
    does); /30 and /126 for systems that know no other. Catalogue code A02.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.link_addresses import unusual
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.NOTE

_WIDEST = {4: 30, 6: 126}


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per routed link and family with a prefix that is wider than two ends need."""
    for found in unusual(network):
        if found.shared is None or not found.routed:
            continue
        prefix, link = found.shared.network, found.link
        if prefix.prefixlen < _WIDEST[prefix.version]:
            yield Violation(
                path=f"{link.a.node}.links.{link.a.port}",
                message=f"the link between {link.a} and {link.b} takes the whole of {prefix}",
                measured=str(prefix),
                bound=f"/{_WIDEST[prefix.version]} or longer",
                fix="check both addresses; give two that differ in the last bit only",
                severity=Severity.WARNING if prefix.version == 4 else None,
            )
