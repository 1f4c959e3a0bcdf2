"""tc: queues as htb classes and maps as u32 filters, one tree per port; its form is told in `tcform`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fabric.changes.change import Steps
from fabric.changes.command import Output
from fabric.changes.delta import Delta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.changes.steps import Impact, Run
from fabric.errors import PlatformError
from fabric.platforms.contract import Reader
from fabric.platforms.parts.iproute2 import batch, named
from fabric.platforms.parts.tcform import (
    ALWAYS,
    FIRST,
    HANDLE,
    NEVER,
    NO_SHARE,
    PREFERENCE,
    ROOT,
    SMALLEST,
    dscp_of,
    queue_of,
)
from fabric.platforms.parts.tctree import COUNT_SHOW, TREE_SHOW, Class, Filter, Tree, again, parse_counts, parse_trees
from fabric.settings.facet import ABSENT
from fabric.settings.links import Links
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.queues import Queue, Queues, Scheduler
from fabric.settings.state.counters import Counters, QueueCount

ARTEFACT = "tc"
_UNKNOWN = -1


def is_ours(tree: Tree) -> bool:
    """Tell whether a tree has the shape of ours, whatever its rates and filters."""
    roots = [one for one in tree.classes if not one.parent]
    leaves = [one for one in tree.classes if one.parent]
    return (
        (tree.kind, tree.handle, tree.odd) == ("htb", HANDLE, "")
        and [one.id for one in roots] == [ROOT]
        and roots[0].rate > 0
        and bool(leaves)
        and all(one.parent == ROOT and queue_of(one.id) is not None for one in leaves)
    )


def parse_speeds(output: Output) -> Mapping[str, int]:
    """Return the speed in bit/s for which each tree of ours is made."""
    return {port: tree.classes[0].rate for port, tree in parse_trees(output).items() if is_ours(tree)}


def parse_queues(output: Output) -> Queues:
    """Return the schedulers; a tree that is not of our shape is one without queues."""
    return Queues(
        {port: Scheduler(_queues(tree) if is_ours(tree) else ()) for port, tree in parse_trees(output).items()}
    )


def _queues(tree: Tree) -> tuple[Queue, ...]:
    speed = tree.classes[0].rate
    return tuple(_queue(one, speed) for one in tree.classes[1:])


def _queue(one: Class, speed: int) -> Queue:
    strict = one.prio == "0"
    share, rest = divmod(one.rate * 100, speed)
    if one.quantum == str(NO_SHARE) and one.rate == (one.ceil if strict else SMALLEST):
        share = 0
    elif rest:
        share = _UNKNOWN
    return Queue(queue_of(one.id) or 0, share, strict, None if one.ceil == speed else one.ceil)


def parse_maps(output: Output) -> Maps:
    """Return how the trees of ours classify. A DSCP that is not treated alike in IPv4 and IPv6 has priority -1."""
    trees = parse_trees(output).items()
    return Maps({port: _map(tree) for port, tree in trees if is_ours(tree) and tree.filters})


@dataclass(frozen=True, slots=True)
class _Rule:
    """A filter of ours: ``dscp`` is -1 for the filters that match always or never."""

    protocol: str
    dscp: int
    priority: int
    queue: int


def _map(tree: Tree) -> ClassMap:
    rules = tuple(_rule(one) for one in tree.filters)
    known = tuple(rule for rule in rules if rule is not None)
    plain = [rule.priority for rule in known if rule.protocol == "all"]
    if len(plain) != 1 or len(known) != len(rules):
        return ClassMap((_UNKNOWN,) * 64, (_UNKNOWN,) * 8)
    four, six = ({r.dscp: r.priority for r in known if r.protocol == p} for p in ("ip", "ipv6"))
    priorities = tuple(_agreed({four.get(dscp, plain[0]), six.get(dscp, plain[0])}) for dscp in range(64))
    leads = [{rule.queue for rule in known if rule.priority == priority} for priority in range(8)]
    leads[plain[0]].add(tree.default - FIRST)
    return ClassMap(priorities, tuple(_agreed(queues or {tree.default - FIRST}) for queues in leads))


def _agreed(values: set[int]) -> int:
    return next(iter(values)) if len(values) == 1 else _UNKNOWN


def _rule(one: Filter) -> _Rule | None:
    """Return what a filter of ours means; ``None`` for one that is not of our kind."""
    queue = queue_of(one.flowid)
    priority = one.pref - PREFERENCE.get(one.protocol, 0)
    if queue is None or not 0 <= priority <= 7:
        return None
    if one.matches == (ALWAYS if one.protocol == "all" else NEVER):
        return _Rule(one.protocol, _UNKNOWN, priority, queue)
    dscp = dscp_of(one.protocol, one.matches)
    return None if dscp is None else _Rule(one.protocol, dscp, priority, queue)


def parse_counters(output: Output) -> Counters:
    """Return what passed through the queues of our trees."""
    return Counters(
        {
            f"{count.port} {number}": QueueCount(count.packets, count.octets, count.dropped)
            for count in parse_counts(output)
            if (number := queue_of(count.id)) is not None
        }
    )


READERS = (
    Reader(Queues, (TREE_SHOW,), lambda _, outputs: parse_queues(outputs[0])),
    Reader(Maps, (TREE_SHOW,), lambda _, outputs: parse_maps(outputs[0])),
)
STATE = Reader(Counters, (COUNT_SHOW,), lambda _, outputs: parse_counters(outputs[0]))


def sections(text: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lines for ``tc -batch`` per port, from a text in which ``# port NAME`` stands before them."""
    found: dict[str, list[str]] = {}
    port = ""
    for line in text.splitlines():
        if line.startswith("# port "):
            port = line[7:].strip()
        elif line.startswith(("qdisc ", "class ", "filter ")) and f" dev {port} " in line:
            found.setdefault(port, []).append(line)
    return {name: tuple(lines) for name, lines in found.items()}


def recorded(reading: Reading, ports: frozenset[str]) -> str:
    """Return the trees of some ports as they were read, as `sections` reads them."""
    trees = _trees(reading)
    return "".join(
        f"# port {port}\n{line}\n"
        for port in sorted(trees.keys() & ports)
        if not trees[port].odd
        for line in again(trees[port])
    )


def _trees(reading: Reading) -> Mapping[str, Tree]:
    output = reading.outputs.get(TREE_SHOW.text)
    return parse_trees(output) if output is not None else {}


@dataclass(frozen=True, slots=True)
class _Turn:
    """What one port's tree is turned from and to, as lines; none for the plain queue."""

    port: str
    now: tuple[str, ...]
    wanted: tuple[str, ...]
    in_place: bool


def steps(reading: Reading, rendered: Rendered, delta: Delta) -> Steps:
    """Change rates in place where classes and filters are right; else make the whole tree of a port anew."""
    trees = _trees(reading)
    lines = sections(rendered.texts.get(ARTEFACT, rendered.texts.get("network.sh", "")))
    needs = _needs(delta)
    maps = {key for key, _, _ in delta.of(Maps)}
    turns = tuple(
        _turn(port, trees.get(port), lines.get(port, ()), filters=port in maps)
        for port in _possible(reading.node, needs, trees, lines)
    )
    back = tuple(_Turn(turn.port, turn.wanted, turn.now, turn.in_place) for turn in turns)
    return Steps(_made(turns), _made(back))


def _needs(delta: Delta) -> Mapping[str, bool]:
    """Return the ports whose tree changes, and whether there has to be a tree then."""
    found: dict[str, bool] = {}
    for row in delta.rows:
        if row.facet in (Queues.name, Maps.name):
            found[row.key] = found.get(row.key, False) or row.wanted is not None
    for key, now, wanted in delta.of(Links):
        if now and wanted and ABSENT not in (now.speed, wanted.speed) and now.speed != wanted.speed:
            found[key] = True
    return found


def _possible(
    node: str, needs: Mapping[str, bool], trees: Mapping[str, Tree], lines: Mapping[str, tuple[str, ...]]
) -> Iterable[str]:
    """Return the ports whose tree changes; PlatformError where that could not be done or not be undone."""
    for port, needed in needs.items():
        odd = trees[port].odd if port in trees else ""
        if odd:
            raise PlatformError(
                f"port {port} has {odd}, which could not be put back",
                where=node,
                hint=f"when nobody needs it: tc qdisc del dev {port} root",
            )
        if needed and port not in lines:
            raise PlatformError(
                f"the queues of port {port} cannot be made: its speed, its queues and its maps belong together",
                where=node,
                hint="apply links, queues and maps in one run",
            )
        yield port


def _turn(port: str, tree: Tree | None, wanted: tuple[str, ...], *, filters: bool) -> _Turn:
    now = again(tree) if tree is not None else ()
    return _Turn(port, now, wanted, not filters and bool(now) and _shape(now) == _shape(wanted))


def _shape(lines: Iterable[str]) -> list[tuple[str, ...]]:
    """Return of each line that makes a class what cannot be changed in place: parent, id and order."""
    kept = []
    for line in lines:
        words = line.split()
        if words[0] == "class":
            kept.append((*words[3:8], words[words.index("prio") + 1] if "prio" in words else ""))
        elif words[0] == "qdisc" and "htb" in words:
            kept.append(tuple(words))
    return sorted(kept)


def _made(turns: tuple[_Turn, ...]) -> tuple[Run, ...]:
    rates = tuple(turn for turn in turns if turn.in_place)
    anew = tuple(turn for turn in turns if not turn.in_place and turn.wanted)
    gone = tuple(turn for turn in turns if not turn.in_place and not turn.wanted)
    return (
        *batch(
            (f"class change{line[9:]}" for turn in rates for line in turn.wanted if line.startswith("class add ")),
            f"set the rates of {named(turn.port for turn in rates)}",
            tool="tc",
        ),
        *batch(
            (line for turn in anew for line in turn.wanted),
            f"make the queues of {named(turn.port for turn in anew)} anew",
            Impact.PFC_GAP,
            tool="tc",
        ),
        *batch(
            (f"qdisc del dev {turn.port} root" for turn in gone),
            f"give {named(turn.port for turn in gone)} the plain queue",
            Impact.PFC_GAP,
            tool="tc",
            tolerant=True,
        ),
    )
