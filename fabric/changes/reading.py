"""What was read of one node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabric.changes.command import Output
from fabric.settings.facet import Settings, State
from fabric.settings.facts import Facts
from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Reading:
    """Facts, settings and state of one node, with the outputs (by command text) they were parsed from.

    ``settings`` holds all that was read, also what is not ours; ``last_scope`` is the scope that the node
    remembers from the last apply.
    """

    node: str
    facts: Facts
    settings: Settings
    state: State = field(default_factory=State)
    outputs: Mapping[str, Output] = field(default_factory=dict)
    last_scope: Scope = field(default_factory=Scope)
