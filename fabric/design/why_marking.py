"""Why a port marks as it does: the class of each of its marking queues, and the formulas of what is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.model import Origin
from fabric.design.thresholds import thresholds, wanted
from fabric.design.thresholds_ports import class_at, scene
from fabric.design.thresholds_words import formula

if TYPE_CHECKING:
    from fabric.design.blueprint import Blueprint
    from fabric.settings.network import Network


def marking_origin(blueprint: Blueprint, network: Network, node: str, port: str) -> Origin:
    """Return why a port of a switch marks as it does, and where its first marking class is written."""
    edge = blueprint.layout.roles.get((node, port))
    document = blueprint.document
    said, place = [], None
    kind = next((kind for kind in scene(network).kinds[node] if port in kind[0]), None)
    for row, near in zip(kind[1].queues, kind[2], strict=True) if kind else ():
        found = class_at(blueprint.classes, row.queue, edge)
        if found is None:
            continue
        want = wanted(found, near.speed)
        said.append(f"queue {row.queue} {found.name}: {'; '.join(formula(found, want, near, thresholds(want, near)))}")
        place = place or document.place(f"classes.{found.name}.ecn")
    return Origin(" | ".join(said) or "queues of classes with ecn", place or document.place("classes"))
