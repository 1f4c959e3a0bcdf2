"""Likeness: texts that differ only in addresses and AS numbers, and the one text that says them all."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from fabric.ranges import addresses, numbers

# What every node has of its own, and nothing else: a difference in any other number is a difference.
_OWN = re.compile(
    r"(?P<own>(?<![\w.:])\d{1,3}(?:\.\d{1,3}){3}(?:/\d+)?(?![\w:]|\.\d)"
    r"|(?<![\w.:])(?=[0-9a-f:]*::|(?:[0-9a-f]{1,4}:){7})[0-9a-f:]{2,39}(?:/\d+)?(?![\w:])"
    r"|(?<=\basn )\d+|(?<=\bremote_as )\d+)"
)

_LIST = re.compile(r"\([^()]*\)(?: \([^()]*\))+")
_ITEM = re.compile(r"\([^()]*\)")
OWN_NAME = "<node>"
# A node, or one of its ports.
_END = re.compile(r"(?P<node>\w[\w-]*(?:\.\w[\w-]*)*)(?P<port>:[\w./-]*\w)?")


def settled(text: str) -> str:
    """Return a text in which the entries of each list ``(...) (...)`` stand in the order of their shapes.

    Lists of next hops are sorted by address, which is another order of ports on each node.
    """
    return _LIST.sub(lambda found: " ".join(sorted(_ITEM.findall(found[0]), key=shape)), text)


def nameless(text: str, node: str) -> str:
    """Return what a text about a node says of any node: its own name is not in it."""
    return re.sub(rf"(?<![\w.-]){re.escape(node)}(?![\w-]|\.\w)", OWN_NAME, text)


def anonymous(text: str, names: Collection[str]) -> str:
    """Return what a text says whichever of the nodes and ports with these names it is about."""

    def hidden(found: re.Match[str]) -> str:
        return (OWN_NAME + (":<port>" if found["port"] else "")) if found["node"] in names else found[0]

    return _END.sub(hidden, text)


def shape(text: str) -> str:
    """Return a text without the addresses and AS numbers in it; alike texts have one shape."""
    return _OWN.sub("\0", text)


def together(texts: Iterable[str]) -> str:
    """Return one text for texts of one shape; where they differ it says from where to where the values go."""
    texts = tuple(dict.fromkeys(texts))
    if len(texts) == 1:
        return texts[0]
    between = [_OWN.split(text) for text in texts]
    slots = zip(*(parts[1::2] for parts in between), strict=True)
    fixed = between[0][::2]
    return fixed[0] + "".join(_span(slot) + after for slot, after in zip(slots, fixed[1:], strict=True))


def _span(values: Sequence[str]) -> str:
    """Return the span of the values at one place of all texts."""
    if len(set(values)) == 1:
        return values[0]
    if all(value.isdecimal() for value in values):
        return numbers(int(value) for value in values)
    try:
        return addresses(values)
    except ValueError:  # digits that look like an address and are none, such as a release 1.2.3.999
        return " | ".join(sorted(set(values)))
