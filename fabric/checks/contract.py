"""What a check is, and what it gets to see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fabric.changes.reading import Reading
from fabric.design.model import Design
from fabric.platforms.contract import Ping, Pong
from fabric.results import CheckResult
from fabric.settings.facet import Facet

SECTIONS = ("What it does", "Why", "Passes", "Fails", "Skips", "Known limits", "Source", "Since")


@dataclass(frozen=True)
class Seen:
    """What was observed.

    ``readings`` holds per node the last one, ``before`` the one before the stimulus when a check wants two samples;
    ``unreached`` says per node why it could not be read; ``pongs`` are the echoes of this check's own pings.
    """

    design: Design
    readings: Mapping[str, Reading]
    before: Mapping[str, Reading] = field(default_factory=dict)
    pongs: tuple[Pong, ...] = ()
    unreached: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Check:
    """One check, made from its module ``checks/<group>/<check>.py``.

    ``facets`` are the state (or settings) facets that it needs; ``samples`` is 1, or 2 with the ``stimulus`` between.
    """

    id: str
    page: str
    facets: tuple[type[Facet[Any]], ...]
    samples: int
    stimulus: Callable[[Design], tuple[Ping, ...]] | None
    run: Callable[[Seen], Iterable[CheckResult]]
