"""What there is to say of one traffic class: where its queues mark, why, and how long profiles would let them get."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from fabric.analysis.fluid import Sender, fixed_point, queue
from fabric.analysis.nic_kinds import nic_kinds
from fabric.analysis.settling import FLOWS
from fabric.design.model import Design, TrafficClass
from fabric.design.pausing import pauses_at
from fabric.design.profiles import DEFAULT_PROFILE, PFC_ONLY, PROFILES
from fabric.design.thresholds import Surroundings, Thresholds, Wanted, incast_bound, thresholds, upper, wanted
from fabric.design.thresholds_ports import scene
from fabric.design.thresholds_words import formula
from fabric.settings.ecn import Ecn, Marking, PortMarking
from fabric.settings.facet import Maybe
from fabric.settings.network import Network
from fabric.settings.pfc import Pfc

WRITTEN = "as written"
"""What stands for a profile where all thresholds of the class are written."""


@dataclass(frozen=True, slots=True)
class PortThresholds:
    """Where the class marks on ports of one model and speed (bit/s) that are alike.

    ``nodes`` have ``ports`` of them together. ``kmin`` and ``kmax`` are bytes and ``pmax`` percent, `ABSENT` where
    open; ``kmin_bound`` and ``kmax_bound`` are the bytes up to which they act before pauses do, ``None`` where that is
    not known.
    ``around`` is what they are reckoned from, and ``why`` says how.
    """

    model: str
    system: str
    speed: int
    nodes: tuple[str, ...]
    ports: int
    kmin: Maybe[int]
    kmax: Maybe[int]
    pmax: Maybe[float]
    kmin_bound: int | None
    kmax_bound: int | None
    around: Surroundings
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Delay:
    """The queue in bytes that ``flows`` flows settle at, and its delay in µs.

    ``rests`` is false where they need more marks than the ramp gives: the queue goes up and down around ``size``.
    """

    flows: int
    size: int
    microseconds: float
    rests: bool


@dataclass(frozen=True, slots=True)
class ProfileView:
    """What a profile would set on ports of one speed, and the delays that it leads to; ``open`` says why nothing.

    ``chosen`` marks that of the class, with what is written instead of ``auto``; where all is written, a row `WRITTEN`
    stands before the profiles. No delays are predicted where senders do not follow DCQCN, or their parameters are not
    known.
    """

    speed: int
    profile: str
    chosen: bool
    kmin: int | None
    kmax: int | None
    pmax: float | None
    delays: tuple[Delay, ...]
    open: str
    source: str


@dataclass(frozen=True, slots=True)
class ClassView:
    """A class, its thresholds per model and speed, and all profiles per speed; delays follow from ``sender``.

    A lossless class without marks has no thresholds, and profiles all the same: one of them is what it does.
    """

    found: TrafficClass
    thresholds: tuple[PortThresholds, ...]
    profiles: tuple[ProfileView, ...]
    sender: Sender | None


def class_view(design: Design, found: TrafficClass) -> ClassView:
    """Return what there is to say of a class of a design."""
    alike: dict[tuple[str, str, Marking, Surroundings], dict[str, int]] = {}
    for node, ports, row, near in scene(_marking(design.network, found)).queues():
        if row.queue == found.queue:
            counts = alike.setdefault((node.model, node.system, row, near), {})
            counts[node.name] = counts.get(node.name, 0) + len(ports)
    follows = found.congestion in ("dcqcn", PFC_ONLY)  # of the latter: as they would if it marked
    sender = next((kind.sender for kind in nic_kinds(design.network)), None) if follows else None
    first = {near.speed: near for _, _, _, near in reversed(alike)}
    kinds = sorted(alike.items(), key=lambda kind: -kind[0][3].speed) if found.ecn else ()
    return ClassView(
        found=found,
        thresholds=tuple(_ports(found, kind, counts) for kind, counts in kinds),
        profiles=tuple(row for speed in sorted(first) for row in _profiles(found, first[speed], sender)),
        sender=sender,
    )


def _marking(network: Network, found: TrafficClass) -> Network:
    """Return a network in which the class marks: as it is, or as it would be if a class that is only paused did."""
    if found.ecn or not found.lossless:
        return network
    row = PortMarking((Marking(found.queue),))
    settings = {
        name: node.settings.with_(
            Ecn({port: row for port, pause in pauses.items() if found.priority in pause.priorities})
        )
        for name, node in network.nodes.items()
        if (pauses := node.settings.rows(Pfc))
    }
    return network.with_settings(settings)


def _ports(found: TrafficClass, kind: tuple[str, str, Marking, Surroundings], counts: dict[str, int]) -> PortThresholds:
    model, system, row, near = kind
    want = wanted(found, near.speed)
    return PortThresholds(
        model=model,
        system=system,
        speed=near.speed,
        nodes=tuple(counts),
        ports=sum(counts.values()),
        kmin=row.kmin,
        kmax=row.kmax,
        pmax=row.pmax,
        kmin_bound=_whole(incast_bound(near, want.incast)),
        kmax_bound=_whole(upper(near)),
        around=near,
        why=formula(found, want, near, thresholds(want, near)),
    )


def _whole(size: Fraction | None) -> int | None:
    return None if size is None else floor(size)


def _profiles(found: TrafficClass, near: Surroundings, sender: Sender | None) -> Iterator[ProfileView]:
    flows = sorted({*FLOWS, *((found.flows,) if found.flows else ())})
    for name, source, made, chosen in _choices(found, near):
        yield ProfileView(
            speed=near.speed,
            profile=name,
            chosen=chosen,
            kmin=made.kmin,
            kmax=made.kmax,
            pmax=made.pmax,
            delays=tuple(delay for each in flows if (delay := _delay(made, near, sender, each)) is not None),
            open=made.reason,
            source=source,
        )


def _choices(found: TrafficClass, near: Surroundings) -> Iterator[tuple[str, str, Thresholds, bool]]:
    """Yield what is written where nothing is auto, and each profile: its name, source, thresholds, whether it is it."""
    own, written = wanted(found, near.speed), found.ecn and not found.ecn_auto
    if written:
        yield WRITTEN, f"classes.{found.name}.ecn", thresholds(own, near), True
    unmarked = PFC_ONLY if found.congestion == PFC_ONLY else ""
    named = (found.profile or DEFAULT_PROFILE) if found.ecn else unmarked
    for name, profile in PROFILES.items():
        chosen = name == named and not written
        want = own if chosen else Wanted(profile, own.incast)
        made = Thresholds(None, None, None) if profile.kmin is None else thresholds(want, near)
        yield name, profile.source, made, chosen


def _delay(made: Thresholds, near: Surroundings, sender: Sender | None, flows: int) -> Delay | None:
    """Return where ``flows`` flows settle; without marks, where pauses hold them."""
    if made.kmin is None or made.kmax is None or not made.pmax:
        if made.reason or not near.lossless or near.alpha is None or near.shared is None:
            return None
        return _of(flows, pauses_at(near.alpha, near.shared, flows), near, rests=False)
    if sender is None:
        return None
    settled = queue(fixed_point(sender, near.speed, flows), made.kmin, made.kmax, made.pmax / 100)
    return _of(flows, made.kmax if settled is None else settled, near, rests=settled is not None)


def _of(flows: int, size: float | Fraction, near: Surroundings, *, rests: bool) -> Delay:
    return Delay(flows, round(size), round(float(size) * 8e6 / near.speed, 2), rests)
