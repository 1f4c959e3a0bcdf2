"""Wiring: the cables of a generated entry between two switch roles.

With lower nodes i and upper nodes j counted from 0 (within the pod, where a role is there once per pod), P planes
(1 without ``spread``) and ``per_pair`` cables k between two nodes:

- i and j are joined when i % P == j % P, and both are in the same pod where both roles have pods;
- place on the lower node: j // P * per_pair + k;
- place on the upper node: row * per_pair + k, where row = i // P within a pod, and pod * stride + i // P where the
  upper role serves all pods (stride: lower switches per pod and plane for which it sets ports aside).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fabric.design.faults import fault
from fabric.design.layout import Laid, Switch, Wire
from fabric.design.room import Chooser, Rooms, Side, Wanted, check_sane
from fabric.intent.document import Document
from fabric.intent.sections.topology import Cable

_SIDES: tuple[Side, Side] = ("up", "down")
Pods = Mapping[int | None, Sequence[Switch]]


@dataclass(frozen=True, slots=True)
class Joined:
    """How two roles are joined: planes, cables of a pair, and the rows that an upper switch sets aside per pod."""

    planes: int
    per_pair: int
    stride: int
    across: bool

    def row(self, lower: Switch) -> int:
        """Return the place of a lower switch among those that one upper switch sees."""
        within = lower.ordinal // self.planes
        return (lower.pod - 1) * self.stride + within if self.across and lower.pod is not None else within


def joined(document: Document, entry: int, cable: Cable, lower: Pods, upper: Pods) -> Joined:
    """Return how the two roles of an entry are joined; DesignError when planes do not come out even."""
    per_pod, above = _count(lower), _count(upper)
    planes = 1 if cable.spread is None else cable.planes or per_pod
    for rows, count in ((lower, per_pod), (upper, above)):
        if count % planes:
            role = next(iter(rows.values()))[0].role
            raise fault(
                document,
                f"topology.cables.{entry}.spread",
                f"topology.cables.{entry}: {count} {role} switches cannot be spread over {planes} planes",
                f"give a count of {role} that is a multiple of {planes}, or write planes",
            )
    across = None not in lower and None in upper
    rows_per_pod = per_pod // planes
    stride = cable.stride or rows_per_pod
    if across and stride < rows_per_pod:
        raise fault(
            document,
            f"topology.cables.{entry}.stride",
            f"topology.cables.{entry}.stride sets aside {stride}, and a pod has {rows_per_pod} for each upper switch",
            f"write at least {rows_per_pod}; a larger one moves the ports of later pods",
        )
    return Joined(planes, cable.per_pair, stride, across)


def wires(document: Document, entry: int, lower: Pods, upper: Pods, rooms: Rooms) -> Iterator[Wire]:
    """Yield the cables of an entry in order of lower nodes; DesignError when they cannot be laid."""
    cable = document.intent.topology.cables[entry]
    if not isinstance(cable, Cable):
        return
    _check_pods(document, entry, lower, upper)
    how = joined(document, entry, cable, lower, upper)
    below, above = next(iter(lower.values()))[0], next(iter(upper.values()))[0]
    up, down = _rooms(document, (entry, cable), (below, above), _places(how, lower, upper), rooms)
    laid = Laid(entry, cable.speed, float(cable.length_m or 0), cable.media, cable.fec)
    for pod, nodes in lower.items():
        reached = _by_plane(upper[pod if pod in upper else None], how.planes)
        for low in nodes:
            row = how.row(low)
            for number, high in enumerate(reached[low.ordinal % how.planes]):
                for k in range(how.per_pair):
                    yield _wire((low, up, number * how.per_pair + k), (high, down, row * how.per_pair + k), laid)


def _wire(lower: tuple[Switch, Chooser, int], upper: tuple[Switch, Chooser, int], laid: Laid) -> Wire:
    low, choose_low, place_low = lower
    high, choose_high, place_high = upper
    one, other = choose_low(low, place_low), choose_high(high, place_high)
    return Wire(
        lower=low,
        lower_spot=one,
        lower_port=low.naming.name(one.number, one.sub, one.ways),
        upper=high,
        upper_spot=other,
        upper_port=high.naming.name(other.number, other.sub, other.ways),
        laid=laid,
    )


def _rooms(
    document: Document, numbered: tuple[int, Cable], roles: tuple[Switch, Switch], places: tuple[int, int], rooms: Rooms
) -> tuple[Chooser, Chooser]:
    """Return which spots the lower and the upper switches give; either may be the one written as ``from``."""
    entry, cable = numbered
    keys = ("ports", "to_ports") if cable.from_ == roles[0].role else ("to_ports", "ports")
    written = {"ports": cable.ports, "to_ports": cable.to_ports}
    wanted = [
        Wanted(entry, key, node.role, side, needed, fixed=False, written=written[key])
        for node, key, needed, side in zip(roles, keys, places, _SIDES, strict=True)
    ]
    for node, each in zip(roles, wanted, strict=True):
        if each.written is None:
            hint = "lower the count of the other role, or per_pair"
            check_sane(document, f"topology.cables.{entry}", node, (each.places, hint))
    return rooms.take(wanted[0]), rooms.take(wanted[1])


def _places(how: Joined, lower: Pods, upper: Pods) -> tuple[int, int]:
    """Return how many places the entry needs on each lower and on each upper switch."""
    up = _count(upper) // how.planes * how.per_pair
    rows = 1 + max(how.row(node) for nodes in lower.values() for node in nodes)
    return up, rows * how.per_pair


def _by_plane(uppers: Sequence[Switch], planes: int) -> Mapping[int, Sequence[Switch]]:
    found: dict[int, list[Switch]] = defaultdict(list)
    for upper in uppers:
        found[upper.ordinal % planes].append(upper)
    return found


def _count(pods: Pods) -> int:
    """Return the size of a role, per pod where it has pods (removed nodes count: their places are kept)."""
    return next(iter(pods.values()))[0].intent.count


def _check_pods(document: Document, entry: int, lower: Pods, upper: Pods) -> None:
    if None in lower and None not in upper:
        below, above = next(iter(lower.values()))[0].role, next(iter(upper.values()))[0].role
        raise fault(
            document,
            f"topology.cables.{entry}",
            f"topology.cables.{entry}: {above} has per: pod, and {below} below it has not",
            f"write per: pod for {below} as well; count is then that of one pod",
        )
