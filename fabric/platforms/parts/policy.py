"""policy: which table packets of a source address look into, by ``ip rule``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fabric.changes.change import Steps
from fabric.changes.command import Command, Output
from fabric.changes.delta import Delta
from fabric.changes.reading import Reading
from fabric.changes.steps import Impact, Run
from fabric.platforms.contract import Reader
from fabric.platforms.parts.iproute2 import batch, entries, named
from fabric.settings.policy import Lookup, Policy

RULE_SHOW = (Command("ip -4 -N -j rule show"), Command("ip -6 -N -j rule show"))

_TABLES = {"main": 254, "local": 255, "default": 253}


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule; the fields from ``srclen`` on select by more than a host's source address."""

    priority: int = 0
    src: str = "all"
    table: str = ""
    srclen: int | None = None
    dst: str | None = None
    fwmark: str | None = None
    iif: str | None = None
    oif: str | None = None
    tos: str | None = None
    ipproto: str | None = None
    sport: int | None = None
    dport: int | None = None
    not_: str | None = None

    @property
    def plain(self) -> bool:
        """Whether this rule only looks at the source address of one host."""
        more = (self.srclen, self.dst, self.fwmark, self.iif, self.oif, self.tos, self.ipproto, self.sport, self.dport)
        return self.src != "all" and bool(self.table) and all(value is None for value in more)

    @property
    def lookup(self) -> Lookup:
        """Where the rule leads."""
        return Lookup(_TABLES.get(self.table) or int(self.table), self.priority)


def _plain(outputs: tuple[Output, ...]) -> tuple[_Rule, ...]:
    return tuple(rule for output in outputs for rule in entries(_Rule, output) if rule.plain)


def parse_policy(outputs: tuple[Output, ...]) -> Policy:
    """Return the rules for single source addresses; of several for one address the one that is asked first."""
    rules = sorted(_plain(outputs), key=lambda rule: rule.priority, reverse=True)
    return Policy({f"from {rule.src}": rule.lookup for rule in rules})


READER = Reader(Policy, RULE_SHOW, lambda _, outputs: parse_policy(outputs))


def added(reading: Reading, delta: Delta) -> Steps:
    """Add rules. The undo removes them, but for those that were there before behind another rule."""
    outputs = tuple(reading.outputs[c.text] for c in RULE_SHOW if c.text in reading.outputs)
    there = {(f"from {rule.src}", rule.lookup) for rule in _plain(outputs)}
    new = {key: wanted for key, _, wanted in delta.of(Policy) if wanted is not None}
    return Steps(_add(new), _remove({key: row for key, row in new.items() if (key, row) not in there}))


def removed(delta: Delta) -> Steps:
    """Remove rules, also those that others replace. The undo adds them again."""
    old = {key: now for key, now, _ in delta.of(Policy) if now is not None}
    return Steps(_remove(old), _add(old))


def _add(rows: dict[str, Lookup]) -> tuple[Run, ...]:
    """Add rules; one that is there already is refused as such by the kernel, and that is well."""
    return tuple(
        step
        for tool, part in _by_tool(rows)
        for step in batch(
            (f"rule add {_spec(key, row)}" for key, row in part.items()),
            f"look up {named(part)} in its own table",
            tool=tool,
            tolerant=True,
        )
    )


def _remove(rows: dict[str, Lookup]) -> tuple[Run, ...]:
    return tuple(
        step
        for tool, part in _by_tool(rows)
        for step in batch(
            (f"rule del {_spec(key, row)}" for key, row in part.items()),
            f"remove the rule {named(part)}",
            Impact.DROP,
            tool=tool,
            tolerant=True,
        )
    )


def _by_tool(rows: dict[str, Lookup]) -> tuple[tuple[Literal["ip", "ip -6"], dict[str, Lookup]], ...]:
    """Return the rules by family: ``ip rule`` must be told, it does not look at the address."""
    six = {key: row for key, row in rows.items() if ":" in key}
    return ("ip", {key: row for key, row in rows.items() if key not in six}), ("ip -6", six)


def _spec(key: str, row: Lookup) -> str:
    return f"{key} lookup {row.table} pref {row.preference}"
