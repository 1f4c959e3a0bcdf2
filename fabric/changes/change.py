"""Change: the delta of one node with the steps that make it, and those that take it back."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import TypeAdapter

from fabric.changes.delta import Delta
from fabric.changes.rendered import digest_of
from fabric.changes.steps import Impact, Step

STEPS: TypeAdapter[tuple[Step, ...]] = TypeAdapter(tuple[Step, ...])


@dataclass(frozen=True, slots=True)
class Steps:
    """What a platform answers: the steps of a change, and the steps that undo it, each in order."""

    do: tuple[Step, ...] = ()
    undo: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one node."""

    node: str
    delta: Delta
    steps: Steps

    @property
    def impact(self) -> Impact:
        """The worst impact of its steps."""
        return max((step.impact for step in self.steps.do), default=Impact.HITLESS)

    @property
    def undo_impact(self) -> Impact:
        """The worst impact of its undo."""
        return max((step.impact for step in self.steps.undo), default=Impact.HITLESS)

    @property
    def digest(self) -> str:
        """The SHA-256 of the steps and their undo: equal digests make equal changes, from equal beginnings."""
        return digest_of(STEPS.dump_json(self.steps.do + self.steps.undo).decode())
