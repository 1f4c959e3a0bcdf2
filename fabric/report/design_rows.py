"""A design in rows of texts, the same for every format that people read: nodes, cables, classes, rails and notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from ipaddress import ip_interface

from fabric.changes.wording import row_words
from fabric.design.model import Design, TrafficClass
from fabric.ranges import addresses, numbers, ranges, runs_of
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Router
from fabric.settings.network import Link, Node
from fabric.units import format_bytes, format_speed

NODES = ("node", "role", "tier", "pod", "plane", "state", "system", "model", "loopback", "AS", "links")
GROUPS = ("nodes", "role", "pod", "plane", "state", "system", "model", "links", "down:up")
NUMBERS = ("nodes", "AS", "loopbacks")
CABLES = ("from", "to", "cables", "a pair", "speed", "length", "media", "FEC")
CLASSES = (
    *("class", "DSCP", "mark", "prio", "queue", "RDMA", "lossless", "share", "limit", "congestion", "ECN"),
    "edge",
)
RAILS = ("rail", "port", "leaves", "addresses of hosts")
LINKS = ("from", "to", "speed", "length", "media", "FEC")
PORTS = ("port", *LINKS[1:])
SETTINGS = ("facet", "key", "value", "why")
MOST_RUNS = 6


def group_rows(design: Design) -> Iterator[tuple[str, ...]]:
    """Yield nodes that differ in nothing but name, pod, plane, addresses and AS number in one row each."""
    yield from (_group_row(design, nodes) for nodes in _groups(design))


def number_rows(design: Design) -> Iterator[tuple[str, ...]]:
    """Yield the AS numbers and loopback addresses of the same groups of nodes, for those that have any."""
    for nodes in _groups(design):
        asns = numbers(asn for each in nodes if (asn := _asn(each)) is not None)
        loopbacks = addresses(str(ip_interface(each).ip) for node in nodes for each in _loopbacks(node))
        if asns or loopbacks:
            yield ranges((each.name for each in nodes), most=MOST_RUNS), asns, loopbacks


def _groups(design: Design) -> Iterable[list[Node]]:
    groups: dict[tuple[object, ...], list[Node]] = {}
    for each in design.network.nodes.values():
        links = len(design.network.links_of[each.name])
        key = (each.role, each.kind, each.tier, each.system, each.model, each.state, links, ratio(design, each))
        groups.setdefault(key, []).append(each)
    return groups.values()


def _group_row(design: Design, nodes: list[Node]) -> tuple[str, ...]:
    first = nodes[0]
    return (
        ranges((each.name for each in nodes), most=MOST_RUNS),
        first.role,
        runs_of({each.pod for each in nodes if each.pod is not None}),
        runs_of({each.plane for each in nodes if each.plane is not None}),
        "" if first.state == "active" else first.state,
        first.system,
        first.model,
        str(len(design.network.links_of[first.name])),
        ratio(design, first),
    )


def ratio(design: Design, each: Node) -> str:
    """Return how much more capacity leads down from a switch than up: ``1:1``, ``2.5:1``; empty at the top."""
    down = up = 0
    for link, _, far in design.network.links_of[each.name]:
        if design.network.nodes[far.node].tier > each.tier:
            up += link.speed
        else:
            down += link.speed
    return f"{round(down / up, 2):g}:1" if up and each.kind == "switch" else ""


def cable_rows(design: Design) -> Iterator[tuple[str, ...]]:
    """Yield equal cables between two roles in one row; ``a pair`` tells how many lie between two nodes of them."""
    nodes = design.network.nodes
    kinds: Counter[tuple[str, ...]] = Counter()
    pairs: dict[tuple[str, ...], Counter[tuple[str, str]]] = {}
    for link in design.network.links:
        kind: tuple[str, ...] = (nodes[link.a.node].role, nodes[link.b.node].role, *_cable(link))
        kinds[kind] += 1
        pairs.setdefault(kind, Counter())[link.a.node, link.b.node] += 1
    for kind, number in kinds.items():
        lower, upper, *words = kind
        yield (lower, upper, f"{number:,}", runs_of(set(pairs[kind].values())), *words)


def link_rows(design: Design) -> Iterator[tuple[str, ...]]:
    """Yield every cable."""
    return ((str(link.a), str(link.b), *_cable(link)) for link in design.network.links)


def port_rows(design: Design, name: str) -> Iterator[tuple[str, ...]]:
    """Yield the cables of a node, by its own ports."""
    return ((own.port, str(far), *_cable(link)) for link, own, far in design.network.links_of[name])


def setting_rows(design: Design, node: Node, *, reasons: bool) -> Iterator[tuple[str, ...]]:
    """Yield the settings of a node, and with ``reasons`` where each comes from."""
    for facet in node.settings:
        for key, row in facet.rows.items():
            reason = why(design, f"{node.name}.{facet.name}.{key}") if reasons else ""
            yield facet.name, key, row_words(row), reason


def _cable(link: Link) -> tuple[str, str, str, str]:
    """Return speed, length, media and FEC of a cable, empty where the design has no opinion."""
    length = f"{link.length:g} m" if link.length else ""
    return format_speed(link.speed), length, link.media or "", link.fec or ""


def class_row(each: TrafficClass) -> tuple[str, ...]:
    """Return what a class is, in the columns of `CLASSES`."""
    share = "strict" if each.strict else f"{each.share}%"
    mark = "" if each.mark is None or len(each.dscps) < 2 else str(each.mark)
    limit = "" if each.limit is None else format_speed(each.limit)
    flags = (_yes(each.rdma), _yes(each.lossless))
    numbers_of = (str(each.priority), str(each.queue))
    spoken = "" if each.congestion == "none" else each.congestion
    return (
        each.name,
        runs_of(each.dscps),
        mark,
        *numbers_of,
        *flags,
        share,
        limit,
        spoken,
        _ecn(each),
        " ".join(each.edge or ()),
    )


def _ecn(each: TrafficClass) -> str:
    """Say where marking begins, where all is marked, and how much is below; per speed where that differs."""
    if not each.ecn:
        return ""
    chance = "auto" if each.pmax is None else f"{each.pmax:g}%"
    if each.speeds:
        spans = (f"{format_speed(s)} {_bytes(each.kmin_on(s))} .. {_bytes(each.kmax_on(s))}" for s in each.speeds)
        return f"{', '.join(spans)}; {chance}"
    if each.kmin is None and each.kmax is None:
        return f"auto, {chance}"
    return f"{_bytes(each.kmin)} .. {_bytes(each.kmax)}, {chance}"


def _bytes(value: int | None) -> str:
    return "auto" if value is None else format_bytes(value)


def _yes(value: bool) -> str:
    return "yes" if value else ""


def rail_rows(design: Design) -> Iterator[tuple[str, ...]]:
    """Yield per rail, and per port of its NICs, on which leaves it lands and which addresses hosts have there."""
    found: dict[tuple[int, int], tuple[dict[str, None], list[str]]] = {}
    for each in design.rails:
        leaves, held = found.setdefault((each.rail, each.leg), ({}, []))
        leaves.update(dict.fromkeys(each.leaves or (each.leaf,)))
        held.extend(str(ip_interface(text).ip) for text in each.addresses or (each.address,))
    several = any(leg > 1 for _, leg in found)
    for (rail, leg), (leaves, held) in sorted(found.items()):
        yield str(rail), str(leg) if several else "", ranges(leaves, most=MOST_RUNS), addresses(held)


def node_row(design: Design, each: Node) -> tuple[str, ...]:
    """Return what a node is, in the columns of `NODES`."""
    asn = _asn(each)
    return (
        each.name,
        each.role,
        str(each.tier),
        "" if each.pod is None else str(each.pod),
        "" if each.plane is None else str(each.plane),
        "" if each.state == "active" else each.state,
        each.system,
        each.model,
        ", ".join(_loopbacks(each)),
        "" if asn is None else str(asn),
        str(len(design.network.links_of[each.name])),
    )


def _loopbacks(each: Node) -> list[str]:
    return [key.partition(" ")[2] for key in each.settings.rows(Addresses) if key.startswith("lo ")]


def _asn(each: Node) -> int | None:
    router = each.settings.rows(Bgp).get("router")
    return router.asn if isinstance(router, Router) else None


def why(design: Design, path: str) -> str:
    """Return where the value under a path of the design comes from: the reason, and the place in the file."""
    origin = design.origins.get(path)
    if origin is None:
        return "no origin is known"
    return f"{origin.reason} ({origin.place})" if origin.place else origin.reason
