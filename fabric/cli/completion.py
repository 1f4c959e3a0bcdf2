"""What a shell completes beyond commands and options: nodes, facets, rules, formats, runs and pages.

Completing is silent and reads only what it needs: where a file is broken or missing there is simply nothing to offer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import typer

from fabric.cli.files import intent_file
from fabric.errors import FabricError

Found = TypeVar("Found")


def completing() -> bool:
    """Tell whether a shell asks for words, instead of a user for a command."""
    return "_FABRIC_COMPLETE" in os.environ


def complete_node(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the nodes of the file."""
    return [node for node, _ in _nodes(ctx) if node.startswith(incomplete)]


def complete_limit(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer nodes and roles of the file for the last entry of a list with commas."""
    found = _nodes(ctx)
    roles = dict.fromkeys(f"role:{role}" for _, role in found)
    return _in_list((*(node for node, _ in found), *roles), incomplete)


def complete_facets(incomplete: str) -> list[str]:
    """Offer facets for the last entry of a list with commas."""

    def facets() -> Iterable[str]:
        from fabric.settings.known import FACETS

        return sorted(FACETS)

    return _in_list(_quiet(facets), incomplete)


def complete_rules(incomplete: str) -> list[str]:
    """Offer ids of rules, and each group as a pattern, for the last entry of a list with commas."""

    def names() -> Iterable[str]:
        from fabric.rules.runner import rules

        ids = [rule.id for rule in rules()]
        return (*dict.fromkeys(f"{name.partition('.')[0]}.*" for name in ids), *ids)

    return _in_list(_quiet(names), incomplete)


def complete_format(incomplete: str) -> list[str]:
    """Offer the formats of reports."""

    def names() -> Iterable[str]:
        from fabric.report.style import formats

        return formats()

    return [name for name in _quiet(names) if name.startswith(incomplete)]


def complete_run(incomplete: str) -> list[tuple[str, str]]:
    """Offer the runs of the journal, the latest first; a journal that is not there is not made."""

    def runs() -> Iterable[tuple[str, str]]:
        from fabric.places import state_folder

        if not (state_folder() / "journal.sqlite").exists():
            return ()
        from fabric.workflows.journal import Journal

        return tuple((run.id, f"{run.kind} of {run.fabric}, {run.state.value}") for run in Journal().all())

    return [offer for offer in _quiet(runs) if offer[0].startswith(incomplete)]


def complete_page(incomplete: str) -> list[tuple[str, str]]:
    """Offer the names of pages; catalogue codes and other words for terms are understood and not offered."""

    def pages() -> Iterable[tuple[str, str]]:
        from fabric.workflows.pages import EXIT_CODES
        from fabric.workflows.pages import pages as every

        return (*((each.name, each.summary) for each in every()), (EXIT_CODES, "how each command ends"))

    return [offer for offer in _quiet(pages) if offer[0].startswith(incomplete)]


def _nodes(ctx: typer.Context) -> tuple[tuple[str, str], ...]:
    """Return the nodes of the file that stands on the line already, else of the usual one, each with its role."""
    given = ctx.params.get("file") or ctx.params.get("what")

    def nodes() -> Iterable[tuple[str, str]]:
        from fabric.workflows.names import nodes_of

        return nodes_of(intent_file(Path(str(given)) if given else None))

    return _quiet(nodes)


def _quiet(find: Callable[[], Iterable[Found]]) -> tuple[Found, ...]:
    try:
        return tuple(find())
    except (FabricError, OSError):
        return ()


def _in_list(words: Iterable[str], incomplete: str) -> list[str]:
    """Return what the last entry of a list with commas may become, with the entries before it."""
    before, comma, last = incomplete.rpartition(",")
    taken = set(before.split(","))
    return [f"{before}{comma}{word}" for word in words if word.startswith(last) and word not in taken]
