"""Delta: settings that differ, per facet and object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from fabric.settings.facet import Facet, Row


@dataclass(frozen=True, slots=True)
class RowDelta:
    """One row that differs: ``now`` is ``None`` when it is to be added, ``wanted`` when it is to be removed.

    ``fields`` are the names of the fields that differ; empty for rows added or removed.
    """

    facet: str
    key: str
    now: object | None
    wanted: object | None
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Delta:
    """All that differs on one node within the scope, in order of facets and keys.

    ``unverified`` names what is designed and was not read, as ``facet key field``: neither equal nor different.
    """

    node: str
    rows: tuple[RowDelta, ...] = ()
    unverified: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rows)

    def of(self, facet: type[Facet[Row]]) -> tuple[tuple[str, Row | None, Row | None], ...]:
        """Return the differing rows of one facet as (key, now, wanted)."""
        return tuple(
            (row.key, cast("Row | None", row.now), cast("Row | None", row.wanted))
            for row in self.rows
            if row.facet == facet.name
        )

    def touches(self, facet: type[Facet[Any]]) -> bool:
        """Tell whether a facet differs."""
        return any(row.facet == facet.name for row in self.rows)
