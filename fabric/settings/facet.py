"""What a facet is: rows of frozen values under keys, and the three cases of a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Self, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.settings.scope import Scope


class Absent(Enum):
    """The type of `ABSENT`: not read, or no opinion. ``None`` means that there is none."""

    ABSENT = "absent"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent.ABSENT

Row = TypeVar("Row")
Value = TypeVar("Value")
F = TypeVar("F", bound="Facet[Any]")
Maybe: TypeAlias = Value | Absent


@dataclass(frozen=True)
class Facet(Generic[Row]):
    """One aspect of a node: rows under keys.

    A key starts with the place that owns the row, mostly a port: ``swp1`` or ``swp1 10.0.0.0/31``.
    An empty facet says that there is none; a facet that is not there at all is absent. Rows of a ``lasting`` facet
    are there whether anyone wants them or not (ports, kernel parameters): what is not designed is left alone.
    """

    name: ClassVar[str]
    lasting: ClassVar[bool] = False
    rows: Mapping[str, Row]

    def __init_subclass__(cls) -> None:
        """Name the facet after its module: the place is the registration."""
        cls.name = cls.__module__.rpartition(".")[2]

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Tell whether the row under ``key`` lies within ``scope``; by its port, unless overridden."""
        return key.partition(" ")[0] in scope.ports

    def within(self, scope: Scope) -> Self:
        """Return this facet with only the rows that ``scope`` owns."""
        return replace(self, rows={k: r for k, r in self.rows.items() if self.owned(k, scope)})


class Facets:
    """An immutable set of facets of different types, looked up by type."""

    __slots__ = ("_by_name",)

    def __init__(self, *facets: Facet[Any]) -> None:
        self._by_name: dict[str, Facet[Any]] = {facet.name: facet for facet in facets}

    def get(self, facet: type[F]) -> F | Absent:
        """Return the facet of this type, or `ABSENT`."""
        found = self._by_name.get(facet.name)
        return found if isinstance(found, facet) else ABSENT

    def rows(self, facet: type[Facet[Row]]) -> Mapping[str, Row]:
        """Return the rows of a facet; none when the facet is absent."""
        found = self._by_name.get(facet.name)
        return found.rows if found is not None else {}

    def with_(self, *facets: Facet[Any]) -> Self:
        """Return a copy in which these facets are added or replaced."""
        return type(self)(*(self._by_name | {facet.name: facet for facet in facets}).values())

    def only(self, names: frozenset[str]) -> Self:
        """Return a copy with only the facets of these names."""
        return type(self)(*(f for f in self._by_name.values() if f.name in names))

    def __iter__(self) -> Iterator[Facet[Any]]:
        return iter(sorted(self._by_name.values(), key=lambda facet: facet.name))

    def __len__(self) -> int:
        return len(self._by_name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._by_name == other._by_name

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._by_name)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self))})"


class Settings(Facets):
    """What a node is or should be set to; the same type whether designed or read."""

    __slots__ = ()

    def within(self, scope: Scope) -> Self:
        """Return these settings with only what ``scope`` owns."""
        return type(self)(*(facet.within(scope) for facet in self))


class State(Facets):
    """What a node reports about itself and its surroundings."""

    __slots__ = ()
