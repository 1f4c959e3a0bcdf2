"""A traffic class in rows of texts, the same for every format that people read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.ranges import ranges
from fabric.report.class_view import ClassView, Delay, PortThresholds, ProfileView
from fabric.settings.facet import Absent
from fabric.units import format_speed

THRESHOLDS = ("model", "system", "speed", "ports", "Kmin", "Kmax", "Pmax", "as set", "nodes")
PROFILES = ("speed", "profile", "", "Kmin", "Kmax", "Pmax")
MOST_RUNS = 4


def threshold_rows(view: ClassView) -> Iterator[tuple[str, ...]]:
    """Yield where the class marks per model and speed, equal thresholds in one row."""
    groups: dict[tuple[str, ...], tuple[list[str], list[int]]] = {}
    for each in view.thresholds:
        nodes, ports = groups.setdefault(_threshold(each), ([], []))
        nodes.extend(each.nodes)
        ports.append(each.ports)
    for (model, system, speed, *sizes), (nodes, ports) in groups.items():
        yield model, system, speed, f"{sum(ports):,}", *sizes, ranges(dict.fromkeys(nodes), most=MOST_RUNS)


def profile_columns(view: ClassView) -> tuple[str, ...]:
    """Return the columns of `profile_rows`: a delay for each number of flows."""
    return (*PROFILES, *(f"{flows} flows" for flows in _flows(view)), "")


def profile_rows(view: ClassView) -> Iterator[tuple[str, ...]]:
    """Yield all profiles per speed, with the delays of the queues that they lead to."""
    flows = _flows(view)
    for each in view.profiles:
        delays = {delay.flows: delay for delay in each.delays}
        yield (
            format_speed(each.speed),
            each.profile,
            "chosen" if each.chosen else "",
            *_sizes(each),
            *(_delay(delays.get(number)) for number in flows),
            each.open,
        )


def why_rows(view: ClassView) -> Iterator[tuple[str, str]]:
    """Yield ports in words with a sentence on their thresholds: first what all of a model and speed have in common."""
    kinds: dict[str, list[PortThresholds]] = {}
    for each in view.thresholds:
        kinds.setdefault(f"{each.model} at {format_speed(each.speed)}", []).append(each)
    for kind, rows in kinds.items():
        said: dict[str, list[str]] = {}
        for each in rows:
            for sentence in each.why:
                said.setdefault(sentence, []).extend(each.nodes)
        every = {node for each in rows for node in each.nodes}
        for common in (True, False):
            for sentence, nodes in said.items():
                if (set(nodes) == every) is common:
                    where = "" if common else f", {ranges(dict.fromkeys(nodes), most=MOST_RUNS)}"
                    yield f"{kind}{where}", sentence


def source_rows(view: ClassView) -> Iterator[tuple[str, str]]:
    """Yield each profile with its source."""
    yield from {each.profile: each.source for each in view.profiles}.items()


def note(view: ClassView) -> str:
    """Return what the delays are, or why there are none."""
    unmarked = "" if view.thresholds else "nothing is marked in this class"
    if not view.profiles:
        return unmarked
    unmarked = f"{unmarked}: profiles with marks are what it could do; " if unmarked else ""
    if view.sender is None:
        return f"{unmarked}no delays are predicted: {_undriven(view)}"
    return unmarked + (
        "delay of the queue where flows settle (fluid model of DCQCN, CoNEXT 2016); ~: it goes up and down there, as "
        "more marks are needed than the ramp gives, or pauses hold it"
    )


def _undriven(view: ClassView) -> str:
    if view.found.congestion in ("dcqcn", "pfc-only"):
        return "the DCQCN parameters of its NICs are not known"
    return f"its senders follow {view.found.congestion}, not DCQCN"


def _flows(view: ClassView) -> tuple[int, ...]:
    return tuple(sorted({delay.flows for each in view.profiles for delay in each.delays}))


def _threshold(each: PortThresholds) -> tuple[str, ...]:
    set_as = (each.around.granularity.words(size) for size in (each.kmin, each.kmax) if not isinstance(size, Absent))
    units = each.around.granularity.unit
    return (
        each.model,
        each.system,
        format_speed(each.speed),
        _bytes(each.kmin),
        _bytes(each.kmax),
        "open" if isinstance(each.pmax, Absent) else f"{each.pmax:g}%",
        " .. ".join(set_as) if units != "bytes" else "",
    )


def _bytes(size: object) -> str:
    return "open" if size is None or isinstance(size, Absent) else f"{size:,} B"


def _sizes(each: ProfileView) -> Iterable[str]:
    if each.kmin is None and not each.open:
        return "", "", ""
    return _bytes(each.kmin), _bytes(each.kmax), "" if each.pmax is None else f"{each.pmax:g}%"


def _delay(found: Delay | None) -> str:
    if found is None:
        return ""
    return f"{'' if found.rests else '~'}{found.microseconds:,.1f} us"
