"""tctree: the root queue discipline of each port as ``tc`` prints it, and the lines that make it again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from fabric.changes.command import Command, Output
from fabric.platforms.parts.iproute2 import unreadable

_EACH = r"for port in $(tc qdisc show | sed -n 's/^qdisc htb [0-9a-f]*: dev \([^ ]*\) root .*/\1/p'); do"
TREE_SHOW = Command(
    f'( tc qdisc show && {_EACH} echo "port $port"; '
    'tc -d class show dev "$port" && tc filter show dev "$port" || exit 1; done )'
)
COUNT_SHOW = Command(
    f'( tc qdisc show >/dev/null && {_EACH} echo "port $port"; tc -s class show dev "$port" || exit 1; done )'
)

_QDISC = re.compile(r"qdisc (\S+) ([0-9a-f]+): dev (\S+) (root|parent \S+)(?:.* default (?:0x)?([0-9a-f]+))?")
_CLASS = re.compile(
    r"class htb (\S+) (?:root|parent (\S+)) (leaf \S+ )?(?:prio (\d+) quantum (\d+) )?rate (\S+) ceil (\S+) .*?"
    r"\bburst (\d+\S*?)(?:/\S+)? .*?cburst (\d+\S*?)(?:/\S+)? "
)
_FILTER = re.compile(r"filter (?:parent \S+ )?protocol (\S+) pref (\d+) (\S+) chain (\d+)(?:.*[ *]flowid (\S+))?")
_MATCH = re.compile(r"\s+match ([0-9a-f]{8}/[0-9a-f]{8}) at (\S+)")
_RATE = re.compile(r"(\d+)([KMGT]?)bit")
_BITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@dataclass(frozen=True, slots=True)
class Class:
    """A class as printed: ids as ``1:13``, ``parent`` empty for a root class, rates in bit/s, bursts as ``1600b``."""

    id: str
    parent: str
    prio: str
    quantum: str
    rate: int
    ceil: int
    burst: str
    cburst: str


@dataclass(frozen=True, slots=True)
class Filter:
    """A u32 filter as printed; ``matches`` are (``00680000/00fc0000``, offset)."""

    protocol: str
    pref: int
    flowid: str
    matches: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """The root queue discipline of a port, when somebody has set one.

    ``default`` is the minor number of the class for all that no filter matches; ``odd`` says what in the tree
    we cannot write again, and is empty when we can.
    """

    port: str
    kind: str
    handle: str
    default: int = 0
    classes: tuple[Class, ...] = ()
    filters: tuple[Filter, ...] = ()
    odd: str = ""


def parse_trees(output: Output) -> Mapping[str, Tree]:
    """Return the trees by port; ports with the queue that the kernel gives by itself are not among them."""
    blocks = dict(_blocks(output))
    roots: dict[str, re.Match[str]] = {}
    odd: dict[str, str] = {}
    for line in blocks.get("", ()):
        found = _QDISC.match(line)
        if found is None or found[2] == "0":  # handle 0: the kernel's own choice
            continue
        if found[4] == "root":
            roots[found[3]] = found
        elif not found[4].startswith("parent ffff:"):
            odd[found[3]] = f"a {found[1]} below one of its classes"
    return {port: _tree(root, odd.get(port, ""), blocks.get(port, ())) for port, root in roots.items()}


def _blocks(output: Output) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (port, lines) for each port; under an empty name what stands before the first."""
    if not output.ok:
        raise unreadable(output, output.error.strip() or f"exit code {output.code}")
    name, lines = "", list[str]()
    for line in output.text.splitlines():
        if line.startswith("port "):
            yield name, tuple(lines)
            name, lines = line[5:].strip(), []
        else:
            lines.append(line)
    yield name, tuple(lines)


def _tree(root: re.Match[str], odd: str, lines: tuple[str, ...]) -> Tree:
    kind, handle, port, default = root[1], root[2], root[3], int(root[5] or "0", 16)
    if kind != "htb":
        return Tree(port, kind, handle, odd=f"a queue discipline {kind}")
    filters, strange = _filters(line for line in lines if not line.startswith("class "))
    classes = {line: _CLASS.match(line) for line in lines if line.startswith("class ")}
    unknown = [f"a class {line.strip()!r}" for line, found in classes.items() if found is None]
    made = _parents_first([_class(found) for found in classes.values() if found is not None])
    reasons = (*unknown, odd, strange)
    return Tree(port, kind, handle, default, made, filters, next(filter(None, reasons), ""))


def _class(found: re.Match[str]) -> Class:
    burst = found[8], found[9]
    return Class(found[1], found[2] or "", found[4] or "", found[5] or "", rate(found[6]), rate(found[7]), *burst)


def rate(text: str) -> int:
    """Return bit/s of ``3300Mbit``; 0 for anything else."""
    found = _RATE.fullmatch(text)
    return int(found[1]) * _BITS[found[2]] if found else 0


def _parents_first(classes: list[Class]) -> tuple[Class, ...]:
    made: list[Class] = []
    left = sorted(classes, key=lambda one: int(one.id.partition(":")[2], 16))
    while left:
        ready = [one for one in left if not one.parent or any(one.parent == there.id for there in made)]
        made += ready or left
        left = [one for one in left if one not in made]
    return tuple(made)


def _filters(lines: Iterator[str]) -> tuple[tuple[Filter, ...], str]:
    """Return the u32 filters, and what else there was."""
    found: list[Filter] = []
    odd = ""
    for line in lines:
        head, match = _FILTER.match(line), _MATCH.match(line)
        if head is not None and head[3] == "u32" and head[4] == "0":
            if head[5]:
                found.append(Filter(head[1], int(head[2]), head[5], ()))
        elif match is not None and found:
            last = found.pop()
            found.append(Filter(last.protocol, last.pref, last.flowid, (*last.matches, (match[1], match[2]))))
        elif line.strip():
            odd = odd or f"a filter {line.strip()!r}"
    return tuple(found), odd


def again(tree: Tree) -> tuple[str, ...]:
    """Return the lines for ``tc -batch`` that make a tree again, whatever stands in its place.

    Bursts are what tc printed, which it rounds to ticks of its clock.
    """
    return (*fresh(tree.port, f"{tree.handle}:", f"{tree.default:x}"), *_classes(tree), *_made_filters(tree))


def fresh(port: str, handle: str, default: str) -> tuple[str, ...]:
    """Return the lines that put an empty htb on a port; the plain queue between makes the second line valid always."""
    return (
        f"qdisc replace dev {port} root pfifo",
        f"qdisc replace dev {port} root handle {handle} htb default {default}",
    )


def _classes(tree: Tree) -> Iterator[str]:
    for one in tree.classes:
        leaf = f" prio {one.prio} quantum {one.quantum}" if one.prio else ""
        yield (
            f"class add dev {tree.port} parent {one.parent or f'{tree.handle}:'} classid {one.id} htb{leaf} "
            f"rate {one.rate}bit ceil {one.ceil}bit burst {one.burst} cburst {one.cburst}"
        )


def _made_filters(tree: Tree) -> Iterator[str]:
    for one in tree.filters:
        matches = " ".join(_match(value, offset) for value, offset in one.matches)
        yield (
            f"filter add dev {tree.port} parent {tree.handle}: protocol {one.protocol} pref {one.pref} "
            f"u32 {matches} flowid {one.flowid}"
        )


def _match(value_and_mask: str, offset: str) -> str:
    value, _, mask = value_and_mask.partition("/")
    return f"match u32 0x{value} 0x{mask} at {offset}"


@dataclass(frozen=True, slots=True)
class Count:
    """What passed through one class."""

    port: str
    id: str
    octets: int
    packets: int
    dropped: int


_SENT = re.compile(r"\s*Sent (\d+) bytes (\d+) pkt \(dropped (\d+),")


def parse_counts(output: Output) -> tuple[Count, ...]:
    """Return the counts of all classes of all ports."""
    return tuple(
        Count(port, head.split()[2], int(sent[1]), int(sent[2]), int(sent[3]))
        for port, lines in _blocks(output)
        for head, line in pairwise(lines)
        if head.startswith("class htb ") and (sent := _SENT.match(line)) is not None
    )
