"""Ranges: many names, numbers or addresses in a few words: ``p1-leaf01 .. p8-leaf16 (128)``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from ipaddress import ip_interface
from itertools import pairwise
from typing import TypeAlias

_NUMBER = re.compile(r"(\d+)")
_FEW = 3

# A name is cut at its numbers: texts stand around digits. A box holds, per number, the first and last digits of a run.
Run: TypeAlias = tuple[str, str]
Box: TypeAlias = tuple[Run, ...]
# What is written in one piece: its text, and how many names it stands for.
Written: TypeAlias = tuple[str, int]


def count(number: int, word: str) -> str:
    """Say how many there are: ``1 node``, ``1,344 nodes``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def ranges(names: Iterable[str], most: int = 0) -> str:
    """Write names as runs, in order of their first appearance; ``most`` limits how many runs are named (0: all).

    A run goes through each number of a name: ``p1-leaf03 .. p2-leaf04 (4)`` are leaf03 and leaf04 of p1 and p2. Its
    count tells it from a list that goes on from p1-leaf16 to p2-leaf01. Digits never change their padding within a run.
    What has no neighbours and goes on in equal steps is a run too: ``leaf01 .. leaf121 (16, every 8th)``.
    """
    kinds: dict[tuple[str, ...], dict[Box, None]] = {}
    for name in names:
        parts = _NUMBER.split(name)
        kinds.setdefault(tuple(parts[::2]), {})[tuple((digits, digits) for digits in parts[1::2])] = None
    runs = [run for texts, points in kinds.items() for run in _runs(texts, _boxes(list(points)))]
    if most and len(runs) > most:
        left = sum(size for _, size in runs[most:])
        return f"{', '.join(text for text, _ in runs[:most])} and {left} more"
    return ", ".join(text for text, _ in runs)


def numbers(values: Iterable[int]) -> str:
    """Write whole numbers as ``65101 .. 65104``; with gaps as ``65101 .. 65120 (4)``, the count of those there are."""
    found = sorted(set(values))
    return _span(found, [str(value) for value in found])


def addresses(values: Iterable[str]) -> str:
    """Write addresses, with or without a length, like numbers; each family by itself."""
    found = {ip_interface(value).ip: value for value in values}
    families = ([each for each in found if each.version == version] for version in (4, 6))
    spans = (sorted(family, key=int) for family in families if family)
    return ", ".join(_span([int(each) for each in span], [found[each] for each in span]) for span in spans)


def runs_of(values: Iterable[int]) -> str:
    """Write 0 1 2 5 as ``0-2 5``, every run in full."""
    parts: list[list[int]] = []
    for value in sorted(values):
        if parts and value == parts[-1][-1] + 1:
            parts[-1].append(value)
        else:
            parts.append([value])
    return " ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)


def _span(found: list[int], texts: list[str]) -> str:
    if len(found) < 2:
        return "".join(texts)
    whole = all(after == before + 1 for before, after in pairwise(found))
    if len(found) == 2 and not whole:
        return ", ".join(texts)
    return f"{texts[0]} .. {texts[-1]}" + ("" if whole else f" ({len(found)})")


def _boxes(points: list[Box]) -> list[Box]:
    """Join runs along one number after the other, the last number first."""
    boxes = points
    for at in reversed(range(len(points[0]))):
        rows: dict[tuple[Box, Box], list[Run]] = {}
        for box in boxes:
            rows.setdefault((box[:at], box[at + 1 :]), []).append(box[at])
        boxes = [(*before, run, *after) for (before, after), found in rows.items() for run in _joined(found)]
    return boxes


def _joined(found: list[Run]) -> list[Run]:
    joined: list[Run] = []
    for first, last in sorted(found, key=lambda run: (int(run[0]), len(run[0]))):
        if joined and _follows(joined[-1][1], first):
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined


def _follows(digits: str, after: str, step: int = 1) -> bool:
    return step > 0 and after == str(int(digits) + step).zfill(len(digits))


def _runs(texts: tuple[str, ...], boxes: list[Box]) -> Iterator[Written]:
    """Yield boxes in words, those that stand alone and follow each other in equal steps in one piece."""
    at = 0
    while at < len(boxes):
        length = _steps(boxes, at)
        if length >= _FEW:
            first, last = (_name(texts, [low for low, _ in boxes[end]]) for end in (at, at + length - 1))
            step = int(boxes[at + 1][-1][0]) - int(boxes[at][-1][0])
            yield f"{first} .. {last} ({length}, every {_ordinal(step)})", length
        else:
            length = 1
            yield _written(texts, boxes[at])
        at += length


def _steps(boxes: list[Box], at: int) -> int:
    """Return how many boxes from ``at`` on are single names whose last numbers grow by one and the same step."""
    size = 1
    while at + size < len(boxes) and _single(boxes[at]) and _single(boxes[at + size]):
        before, this = boxes[at + size - 1], boxes[at + size]
        step = int(this[-1][0]) - int(before[-1][0])
        first = int(boxes[at + 1][-1][0]) - int(boxes[at][-1][0])
        if before[:-1] != this[:-1] or step != first or not _follows(before[-1][0], this[-1][0], step):
            break
        size += 1
    return size


def _single(box: Box) -> bool:
    return bool(box) and all(first == last for first, last in box)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _written(texts: tuple[str, ...], box: Box) -> Written:
    """Return the text of a run and how many names it has."""
    size = 1
    for first, last in box:
        size *= int(last) - int(first) + 1
    lower, upper = (_name(texts, [run[side] for run in box]) for side in (0, 1))
    if size == 1:
        return lower, size
    return (f"{lower}, {upper}" if size == 2 and _one_number(box) else f"{lower} .. {upper} ({size})"), size


def _one_number(box: Box) -> bool:
    return Counter(first == last for first, last in box)[False] == 1


def _name(texts: tuple[str, ...], digits: list[str]) -> str:
    rest = (digit + text for digit, text in zip(digits, texts[1:], strict=True))
    return "".join((texts[0], *rest))
