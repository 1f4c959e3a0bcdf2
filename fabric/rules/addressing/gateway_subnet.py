"""Both ends of a link are in one prefix.

What it does
    Compares, for each link, the addresses at both ends with their lengths: those of the ports, of the bonds that the
    ports belong to, or of the VLAN.

Why
    An end whose neighbour is in another prefix has no way to it: no BGP session, no gateway.

Fails
    leaf01:swp33 has 10.128.0.1/31 and spine01:swp1 has 10.128.0.2/31.

Passes
    10.128.0.1/31 and 10.128.0.0/31; 192.168.7.2/30 and 192.168.7.1/30.

Options
    None.

Known limits
    A link without addresses at one end (unnumbered, or not read) is not judged. How wide a prefix may be is asked by
    addressing.link-prefix.

Source
    RFC 1122 section 3.3.1.1 (what lies in the own prefix is reached directly, all else through a gateway). Catalogue
    code A02.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.link_addresses import unusual
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per link and family whose ends are in different prefixes."""
    for found in unusual(network):
        if found.shared is None:
            link = found.link
            yield Violation(
                path=f"{link.a.node}.links.{link.a.port}",
                message=f"{link.a} has {found.lower} and {link.b} at the other end has {found.upper}: "
                "they share no prefix",
                measured=f"{found.lower} and {found.upper}",
                bound="one prefix at both ends",
                fix="give both ends addresses of one /31 or /127",
            )
