"""Units: what users write is read exactly, or refused in words that say what is wanted."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric import units


@pytest.mark.parametrize(
    ("parse", "written", "value"),
    [
        (units.parse_bytes, "150KB", 150_000),
        (units.parse_bytes, "2MiB", 2 * 2**20),
        (units.parse_bytes, "1.5 kB", 1500),
        (units.parse_bytes, "64B", 64),
        (units.parse_bytes, "1giB", 2**30),
        (units.parse_bytes, 0, 0),
        (units.parse_speed, "400G", 400 * 10**9),
        (units.parse_speed, "1.6T", 1600 * 10**9),
        (units.parse_speed, "2.5 G", 2_500_000_000),
        (units.parse_duration, "200ms", 200),
        (units.parse_duration, "0.2s", 200),
        (units.parse_percent, "60%", 60.0),
        (units.parse_percent, "0.5 %", 0.5),
        (units.parse_percent, "100%", 100.0),
        (units.parse_alpha, "1/8", Fraction(1, 8)),
        (units.parse_alpha, 0.5, Fraction(1, 2)),
        (units.parse_alpha, 4, Fraction(4)),
        (units.parse_alpha, "1024", Fraction(1024)),
    ],
)
def test_a_quantity_is_read_exactly(parse: Callable[[object], object], written: object, value: object) -> None:
    assert parse(written) == value


_PARSERS = (units.parse_bytes, units.parse_speed, units.parse_duration, units.parse_percent, units.parse_alpha)
_WRONG = (
    None,
    True,
    False,
    "",
    " ",
    "nan",
    "inf",
    "-1",
    "-5G",
    "-5%",
    "1e9G",
    "1e999999999",
    "1/0",
    "0/8",
    "0",
    "\u0661\u0662G",  # digits of another script
    "\uff15\uff10\uff05",  # full-width digits and percent sign
    "5G\n",
    "5\tG",
    "9" * 5000 + "G",
    "9" * 5000,
    "1.2.3KB",
    "5 5G",
    "G",
    " 5G",
    "5G ",
    "%",
    [],
    {},
    b"5G",
    float("nan"),
    float("inf"),
    -1,
    -0.5,
    1e-7,
    1025,
    "2048/1",
)


@pytest.mark.parametrize("parse", _PARSERS, ids=lambda parse: parse.__name__)
@pytest.mark.parametrize("written", _WRONG, ids=lambda wrong: repr(wrong)[:24])
def test_what_is_no_quantity_is_refused_in_one_short_line(parse: Callable[[object], object], written: object) -> None:
    with pytest.raises(ValueError, match=r"wanted|unknown unit|too large|whole number") as refused:
        parse(written)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 120


@pytest.mark.parametrize(
    ("parse", "written", "said"),
    [
        (units.parse_bytes, "150", "a quantity with its unit is wanted, such as 150KB or 2MiB"),
        (units.parse_bytes, 150, "a quantity with its unit is wanted, such as 150KB or 2MiB"),
        (units.parse_bytes, "5GB/s", "unknown unit GB/s; allowed: B KB MB GB KiB MiB GiB"),
        (units.parse_bytes, "100Kb", "Kb may be read as bits; for bytes write KB"),
        (units.parse_bytes, "1gib", "gib may be read as bits; for bytes write GiB"),
        (units.parse_bytes, "8b", "b may be read as bits; for bytes write B"),
        (units.parse_bytes, "0.5B", "the quantity is not a whole number of its smallest unit"),
        (units.parse_bytes, "999999999999999GB", "the quantity is too large"),
        (units.parse_speed, "400g", "unknown unit g; allowed: M G T"),
        (units.parse_speed, "400Gbps", "unknown unit Gbps; allowed: M G T"),
        (units.parse_duration, "3us", "unknown unit us; allowed: ms s"),
        (units.parse_duration, "0.5ms", "the quantity is not a whole number of its smallest unit"),
        (units.parse_percent, "101%", "a percentage from 0% to 100% is wanted, such as 60%"),
        (units.parse_percent, "60", "a quantity with its unit is wanted, such as 60%"),
        (units.parse_alpha, "an eighth", "a ratio above 0 and at most 1024 is wanted, such as 1/8 or 2"),
    ],
)
def test_a_refusal_says_what_is_wanted(parse: Callable[[object], object], written: object, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        parse(written)


@given(st.integers(min_value=1, max_value=10**15))
def test_bytes_written_by_us_are_read_back(octets: int) -> None:
    assert units.parse_bytes(units.format_bytes(octets)) == octets


@given(st.integers(min_value=1, max_value=10**9))
def test_speeds_written_by_us_are_read_back(megabits: int) -> None:
    assert units.parse_speed(units.format_speed(megabits * 10**6)) == megabits * 10**6


@given(st.integers(min_value=1, max_value=10**12))
def test_durations_written_by_us_are_read_back(milliseconds: int) -> None:
    assert units.parse_duration(units.format_duration(milliseconds)) == milliseconds


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (units.format_bytes(0), "0B"),
        (units.format_bytes(1500), "1500B"),
        (units.format_bytes(2_000_000), "2MB"),
        (units.format_bytes(-150_000), "-150KB"),
        (units.format_bytes(33_554_432), "32MiB"),
        (units.format_bytes(9216), "9KiB"),
        (units.format_bytes(1_024_000), "1024KB"),
        (units.format_bytes(2_097_152_000), "2000MiB"),
        (units.format_bytes(2**30 + 1), "1073741825B"),
        (units.format_speed(0), "0"),
        (units.format_speed(1500), "1500bit/s"),
        (units.format_speed(800 * 10**9), "800G"),
        (units.format_duration(0), "0ms"),
        (units.format_duration(2000), "2s"),
    ],
)
def test_the_largest_exact_unit_is_written(written: str, value: str) -> None:
    assert written == value


@given(st.text(max_size=30))
def test_no_text_raises_anything_but_a_refusal(written: str) -> None:
    for parse in _PARSERS:
        try:
            parse(written)
        except ValueError:
            continue


@pytest.mark.parametrize(
    ("pattern", "parse"),
    [
        (units.BYTES_PATTERN, units.parse_bytes),
        (units.SPEED_PATTERN, units.parse_speed),
        (units.DURATION_PATTERN, units.parse_duration),
        (units.PERCENT_PATTERN, units.parse_percent),
        (units.ALPHA_PATTERN, units.parse_alpha),
    ],
    ids=["bytes", "speed", "duration", "percent", "alpha"],
)
@given(written=st.from_regex(r"[0-9]{1,3}(\.[0-9]{1,2}|/[0-9])? ?[A-Za-z%]{0,3}", fullmatch=True))
def test_what_is_read_also_fits_the_pattern_for_editors(
    pattern: str, parse: Callable[[object], object], written: str
) -> None:
    try:
        parse(written)
    except ValueError:
        return
    assert re.search(pattern, written)
