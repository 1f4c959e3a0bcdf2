"""Facts: what must be known of a device before anything can be rendered or read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.settings.facet import ABSENT, Maybe

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Facts:
    """Offline from hardware data and intent; on contact read from the device.

    ``ports`` are the names of ports that exist; ``features`` are further words of the system's own, such as
    ``frr.defaults`` or ``kernel.qdiscs``.
    """

    system: str
    model: Maybe[str] = ABSENT
    release: Maybe[str] = ABSENT
    ports: Maybe[frozenset[str]] = ABSENT
    features: Mapping[str, str] = field(default_factory=dict)
