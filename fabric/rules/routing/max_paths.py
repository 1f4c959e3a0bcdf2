"""A switch uses all paths of equal length that it has.

What it does
    Counts, for each switch, the links to the next hops of the destination to which it has most, and compares them with
    its width of ECMP. Where paths over different AS numbers are not used together (no multipath-relax), only the links
    to next hops with one number count as used.

Why
    Next hops beyond the width get no traffic at all: their links stand idle, and the others carry their share, pause,
    and slow down every job that crosses them.

Fails
    ``maximum-paths 1``, or 4 on a leaf with eight uplinks. No multipath-relax under spines with an AS number each.

Passes
    A width of 64 (as designed) with up to 64 links; next hops with one AS number, without multipath-relax.

Options
    None.

Known limits
    How many next hops the chip can hold is not compared. Without multipath-relax whole paths must be equal; here only
    their first AS number is.

Source
    RFC 7938 section 6 (ECMP over all paths of equal AS path length); FRR, bgpd, bgp bestpath as-path multipath-relax
    and maximum-paths. Catalogue code C09.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.bgp_routes import converged, destinations
from fabric.analysis.bgp_sessions import Speakers, speakers
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.bgp import Bgp, Router
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch and family in which links of equal paths are left unused."""
    found = speakers(network)
    for family in found.families:
        doubtful = {name: used for name in found.asn if (used := _doubtful(network, found, name, family))}
        hops = converged(found, family, destinations(found, family).at).hops if doubtful else {}
        for name, (router, width) in doubtful.items():
            there = _widest(hops[name], found, name)
            together = there if router.multipath_relax is not False else _of_one_number(hops[name], found, name)
            if min(width, together) < there:
                why = f"its width is {width}" if width <= together else "paths of different AS numbers are not joined"
                yield Violation(
                    path=f"{name}.bgp.router",
                    message=f"{name} has {there} links of equal paths (IPv{family}), and uses "
                    f"{min(width, together)}: {why}",
                    measured=f"{min(width, together)} of {there} links",
                    bound=f"all {there}",
                    fix=f"set maximum-paths to {there} or more"
                    if width <= together
                    else "set bgp bestpath as-path multipath-relax, or give the next hops one AS number",
                )


def _doubtful(network: Network, found: Speakers, name: str, family: int) -> tuple[Router, int] | None:
    """Return the router and its width where that may be less than needed; ``None`` where all sessions fit."""
    router = network.nodes[name].settings.rows(Bgp)["router"]
    sessions = sum(len(each.ends) for each in found.hears[name].values() if family in each.families)
    if not isinstance(router, Router):
        return None
    said = router.max_paths if family == 4 else router.max_paths6
    width = said if isinstance(said, int) else sessions
    numbers = {found.asn[far] for far in found.hears[name]}
    return (router, width) if width < sessions or (router.multipath_relax is False and len(numbers) > 1) else None


def _of_one_number(hops: Mapping[str, int], found: Speakers, name: str) -> int:
    numbers = {found.asn[far] for far in hops}
    by_number = ({far: some for far, some in hops.items() if found.asn[far] == number} for number in numbers)
    return max((_widest(ways, found, name) for ways in by_number), default=0)


def _widest(hops: Mapping[str, int], found: Speakers, name: str) -> int:
    """Return the number of links to the next hops of the destination that has most.

    Counts of all destinations are kept as binary digits, each digit being the set of destinations that have it.
    """
    digits: list[int] = []
    for far, some in hops.items():
        for place, digit in enumerate(f"{len(found.hears[name][far].ends):b}"[::-1]):
            _add(digits, place, some if digit == "1" else 0)
    most, candidates = 0, -1
    for place in reversed(range(len(digits))):
        if candidates & digits[place]:
            candidates &= digits[place]
            most |= 1 << place
    return most


def _add(digits: list[int], place: int, carry: int) -> None:
    while carry:
        digits.extend([0] * (place + 1 - len(digits)))
        digits[place], carry = digits[place] ^ carry, digits[place] & carry
        place += 1
