"""Render a whole fabric into a folder, or compare it with one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fabric.design.model import Design
from fabric.design.select import select
from fabric.errors import DesignError
from fabric.places import put_whole
from fabric.platforms.lookup import has_system, system
from fabric.render import render
from fabric.settings.network import Node
from fabric.workflows.prepare import designed, sound


def render_all(file: Path, *, limit: str | None, templates: Path | None, rules: bool) -> Mapping[str, str]:
    """Return all texts under ``<node>/<artefact>``; RenderError for a system that has no templates yet."""
    design = sound(file).design if rules else designed(file)
    names = select(design, limit)
    _renderable(design, names)
    return {
        f"{name}/{artefact}": text
        for name in names
        for artefact, text in sorted(_render(design.network.nodes[name], templates).items())
    }


def compare(texts: Mapping[str, str], folder: Path) -> tuple[str, ...]:
    """Name what differs between rendered texts and a folder, one line each."""
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    lines = [f"missing: {name}" for name in sorted(texts.keys() - there)]
    lines += [f"not rendered: {name}" for name in sorted(there - texts.keys())]
    lines += [f"differs: {name}" for name in sorted(texts.keys() & there) if _read(folder / name) != texts[name]]
    return tuple(lines)


def write(texts: Mapping[str, str], folder: Path) -> None:
    """Write texts into a folder, each file whole or not at all; OSError when it cannot be written."""
    for name, text in texts.items():
        put_whole(folder / name, text)


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def _renderable(design: Design, names: tuple[str, ...]) -> None:
    """Refuse systems without a platform, all at once and with the nodes that run them."""
    nodes = [design.network.nodes[name] for name in names]
    missing = {node.system: node.kind for node in nodes if not has_system(node.kind, node.system)}
    if missing:
        example = {name: next(node.name for node in nodes if node.system == name) for name in missing}
        said = ", ".join(f"{kind} system {name} ({example[name]} ...)" for name, kind in missing.items())
        raise DesignError(
            f"not renderable yet: {said}",
            where=design.fabric,
            hint="render the other nodes with --limit, or change `system`",
        )


def _render(node: Node, templates: Path | None) -> Mapping[str, str]:
    managed = frozenset(facet.name for facet in system(node.kind, node.system).facets)
    settings = node.settings.only(managed)
    return render(node.kind, node.system, node.name, settings, node.facts, templates=templates).texts
