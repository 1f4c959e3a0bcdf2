"""Origins: why each value of a design is what it is: a sentence with the formula, and the place in the intent.

Sentences are made when they are asked for: a large fabric has a million values, and few of them are ever asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache, partial

from fabric.design.blueprint import Blueprint
from fabric.design.layout import Host, Switch
from fabric.design.model import Origin, TrafficClass
from fabric.design.why_classes import class_origin, quality_origin
from fabric.design.why_hosts import host_origin
from fabric.design.why_marking import marking_origin
from fabric.design.why_switches import Seen, cables_by_word, switch_origin
from fabric.settings.network import Network

CLASSES = "classes"
_KEPT = 16


@dataclass(frozen=True, eq=False)
class Origins(Mapping[str, Origin]):
    """Origins under ``<node>.<facet>.<key>`` and ``classes.<name>.<field>``, in order of nodes, facets and keys."""

    blueprint: Blueprint
    network: Network

    def __getitem__(self, path: str) -> Origin:
        for head, what, key in _parts(path):
            if head in self.network.nodes and self._has(head, what, key):
                return self._of_row(head, what, key)
            if head == CLASSES and key in _FIELDS:
                for found in self.blueprint.classes:
                    if found.name == what:
                        return class_origin(self.blueprint.document, found, key)
        raise KeyError(path)

    def __iter__(self) -> Iterator[str]:
        for found in self.blueprint.classes:
            yield from (f"{CLASSES}.{found.name}.{field}" for field in _FIELDS)
        for name in self.network.nodes:
            yield from self.of(name)

    def __len__(self) -> int:
        rows = sum(len(facet.rows) for node in self.network.nodes.values() for facet in node.settings)
        return rows + len(self.blueprint.classes) * len(_FIELDS)

    def of(self, node: str) -> tuple[str, ...]:
        """Return the paths of one node, in order of facets and keys."""
        settings = self.network.nodes[node].settings
        return tuple(f"{node}.{facet.name}.{key}" for facet in settings for key in facet.rows)

    def _has(self, node: str, facet: str, key: str) -> bool:
        return any(found.name == facet and key in found.rows for found in self.network.nodes[node].settings)

    def _of_row(self, name: str, facet: str, key: str) -> Origin:
        if facet == "ecn":
            return marking_origin(self.blueprint, self.network, name, key)
        shared = quality_origin(self.blueprint, facet)
        if shared is not None:
            return shared
        switch = self._switches.get(name)
        if switch is None:
            return host_origin(self.blueprint, self._hosts[name], facet, key)
        return switch_origin(self.blueprint, switch, (facet, key), self._cables(name))

    @cached_property
    def _switches(self) -> Mapping[str, Switch]:
        return {switch.name: switch for switch in self.blueprint.layout.switches}

    @cached_property
    def _hosts(self) -> Mapping[str, Host]:
        return {host.name: host for host in self.blueprint.layout.hosts}

    @cached_property
    def _cables(self) -> Callable[[str], Mapping[str, Seen]]:
        """The cables of a switch by word; those of the switches that were asked about last are kept."""
        return lru_cache(maxsize=_KEPT)(partial(cables_by_word, self.blueprint))


def _parts(path: str) -> Iterator[tuple[str, str, str]]:
    """Yield the ways to read a path as name, facet and key: names of nodes may have dots in them."""
    words = path.split(".")
    for count in range(1, len(words) - 1):
        yield ".".join(words[:count]), words[count], ".".join(words[count + 1 :])


_FIELDS = tuple(field.name for field in fields(TrafficClass) if field.name != "name")
