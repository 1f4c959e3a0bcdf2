"""The tables of the page on thresholds are what the program computes."""

from __future__ import annotations

import re

import pytest

from fabric.analysis.fluid import fixed_point, mlx5, queue
from fabric.design.pausing import pauses_at
from fabric.design.profiles import DEFAULT_PROFILE, PFC_ONLY, PROFILES
from fabric.design.thresholds import Surroundings, Wanted, thresholds
from fabric.hardware.granularity import Granularity

SPEED = 400 * 10**9
PACKET = 4096 + 82
POOL = 100_000_000
PORT = Surroundings(
    speed=SPEED,
    mtu=9000,
    trip=7900,
    reaction=8000,
    lossless=True,
    alpha=0.125,
    shared=POOL,
    granularity=Granularity(),
)


def shown(size: float) -> str:
    return f"{size * 8e6 / SPEED:,.1f} µs"


def row_of(page: str, section: str, profile: str) -> list[str]:
    (found,) = re.findall(rf"^\| `{profile}`[^|]*\| (.*) \|$", page.partition(f"## {section}")[2], re.MULTILINE)[:1]
    return found.split(" | ")


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != PFC_ONLY])
def test_delays_of_a_profile(profile: str, written: dict[str, str]) -> None:
    made = thresholds(Wanted(PROFILES[profile], 8), PORT)
    settled = (
        queue(fixed_point(mlx5({}, PACKET), SPEED, flows), made.kmin, made.kmax, made.pmax / 100)
        for flows in (2, 8, 32)
    )
    row = row_of(written["explanation/thresholds.md"], "What a profile leads to", profile)
    assert row == [f"{made.kmin / 1000:,.1f} KB", f"{made.kmax / 1000:,.0f} KB", *map(shown, settled)]


def test_delays_of_pauses_alone(written: dict[str, str]) -> None:
    held = (float(pauses_at(0.125, POOL, flows)) for flows in (2, 8, 32))
    row = row_of(written["explanation/thresholds.md"], "What a profile leads to", PFC_ONLY)
    assert row == ["—", "—", *map(shown, held)]


def test_every_profile_is_described_as_the_program_has_it(written: dict[str, str]) -> None:
    page = written["explanation/thresholds.md"]
    for name, profile in PROFILES.items():
        row = row_of(page, "What to aim at", name)
        if profile.kmin is None or profile.kmax is None:
            assert row[:3] == ["—"] * 3
            continue
        aims = [re.sub(" at every speed", "", aim.words()) for aim in (profile.kmin, profile.kmax)]
        assert row[:3] == [*aims, f"{profile.pmax:g} %"]
    assert f"| `{DEFAULT_PROFILE}` (default) |" in page
