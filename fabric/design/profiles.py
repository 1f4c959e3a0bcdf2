"""Profiles of marking: what ``auto`` aims at, each with its source. All of it stands here, and nowhere else.

Published settings for one speed lie two orders of magnitude apart, so none of them is the right one: a profile says
whose view it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_GIGABIT: Final = 10**9


@dataclass(frozen=True, slots=True)
class Aim:
    """What a threshold is reckoned from, one of three: round trips of traffic (BDP), bytes per Gbit/s, or bytes."""

    trips: Fraction = Fraction(0)
    per_gigabit: int = 0
    flat: int = 0

    def size(self, speed: int, bdp: Fraction) -> Fraction:
        """Return the bytes at a speed in bit/s, where a round trip takes ``bdp`` bytes."""
        return self.trips * bdp + Fraction(self.per_gigabit * speed, _GIGABIT) + self.flat

    def words(self) -> str:
        """Return it in words: ``1/7 BDP``."""
        if self.trips:
            return f"{self.trips} BDP"
        return f"{self.per_gigabit} B per Gbit/s" if self.per_gigabit else f"{self.flat} B at every speed"


@dataclass(frozen=True, slots=True)
class Profile:
    """Where marking begins, where it is full, and how much is marked below that (percent); and whose view it is.

    ``kmin`` and ``kmax`` are ``None`` in the profile that marks nothing.
    """

    name: str
    kmin: Aim | None
    kmax: Aim | None
    pmax: float
    source: str

    @property
    def needs_trip(self) -> bool:
        """Tell whether nothing can be said of its thresholds without a round trip."""
        return any(aim is not None and aim.trips != 0 for aim in (self.kmin, self.kmax))


DEFAULT_PROFILE: Final = "balanced"
PFC_ONLY: Final = "pfc-only"

_ALL: Final = (
    Profile(
        "latency",
        Aim(trips=Fraction(1, 7)),
        Aim(trips=Fraction(2)),
        30.0,
        "Kmin: the least that keeps a link busy with a window that is cut in proportion (DCTCP, SIGCOMM 2010: above "
        "1/7 BDP); Kmax and Pmax: Huawei's static ECN that prefers delay, 7 KB, 500 KB and 30% at 100G and 20 us",
    ),
    Profile(
        "balanced",
        Aim(trips=Fraction(1, 2)),
        Aim(trips=Fraction(2)),
        20.0,
        "between the two others; Kmax four times Kmin and Pmax 20% as HPCC (SIGCOMM 2019) scales them with the speed",
    ),
    Profile(
        "throughput",
        Aim(trips=Fraction(1)),
        Aim(trips=Fraction(3)),
        10.0,
        "Kmin: a whole round trip, so that a flow that is cut never empties the queue; Kmax and Pmax: Huawei's static "
        "ECN that prefers throughput, 750 KB and 10% at 100G and 20 us",
    ),
    Profile(
        "paper",
        Aim(per_gigabit=125),
        Aim(per_gigabit=5000),
        1.0,
        "DCQCN (SIGCOMM 2015): 5 KB, 200 KB and 1% at 40G, in proportion to the speed",
    ),
    Profile(
        "nvidia-preset",
        Aim(flat=150_000),
        Aim(flat=1_500_000),
        100.0,
        "NVIDIA's RoCE preset for Cumulus Linux and Onyx: 150000 and 1500000 bytes at every speed, 100% (NVUE)",
    ),
    Profile(
        PFC_ONLY,
        None,
        None,
        0.0,
        "nothing is marked, and pauses alone hold senders back: as Meta says of its 400G training fabric, where "
        "receivers also admit senders (SIGCOMM 2024)",
    ),
)

PROFILES: Final[Mapping[str, Profile]] = MappingProxyType({found.name: found for found in _ALL})
