"""Plan: ordered changes in waves, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabric.changes.change import Change
from fabric.changes.steps import Impact
from fabric.errors import Problem
from fabric.results import Finding


@dataclass(frozen=True, slots=True)
class Plan:
    """What an apply would do.

    ``changes`` holds the nodes that differ, in the design's order; ``equal`` those read and found equal; ``unreached``
    those that could not be read, with the problem. ``waves`` order the nodes that differ. ``unmanaged`` names per
    system the designed facets that it does not manage, ``unverified`` per node what was designed and could not be
    read. ``interim`` holds per wave (from 1) what network rules find between that wave and the next, and neither
    before nor after all of them; ``affected`` per node whose change harms traffic the hosts that feel it.
    ``intent`` is the digest of the intent file.
    """

    fabric: str
    intent: str
    waves: tuple[tuple[str, ...], ...]
    changes: Mapping[str, Change]
    equal: tuple[str, ...] = ()
    unreached: Mapping[str, Problem] = field(default_factory=dict)
    unmanaged: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unverified: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    interim: Mapping[int, tuple[Finding, ...]] = field(default_factory=dict)
    affected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def impact(self) -> Impact:
        """The worst impact of all changes."""
        return max((change.impact for change in self.changes.values()), default=Impact.HITLESS)
