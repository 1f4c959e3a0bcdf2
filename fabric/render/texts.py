"""Settings and facts of a node, and the templates of its system: the texts meant for it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, TypeAlias

from jinja2 import TemplateError, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from fabric.changes.rendered import Rendered
from fabric.errors import RenderError
from fabric.render.environment import environment
from fabric.render.order import sorted_rows
from fabric.render.roots import template_roots
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.known import FACETS

TemplateKind: TypeAlias = Literal["switch", "host", "nic"]

_SUFFIX = ".j2"


def render(  # noqa: PLR0913  # what a text depends on, and nothing that could be bundled
    kind: TemplateKind, system: str, name: str, settings: Settings, facts: Facts, *, templates: Path | None = None
) -> Rendered:
    """Return the texts of a node: one for each ``templates/<kind>/<system>/*.j2`` whose name does not start with ``_``.

    Templates see ``name``, ``facts``, every facet under its name as rows in natural order of keys (``none`` when the
    facet is absent), and what ``view(settings, facts)`` of ``fabric.platforms.<kind>.<system>.view`` adds, where there
    is such a module. ``templates`` is a folder of the user's, whose files go before ours. RenderError when the system
    has no template, or a template is wrong.
    """
    roots = template_roots(templates)
    found = _templates(roots, kind, system)
    if not found:
        raise RenderError(
            f"system {system!r} is not renderable yet",
            where=name,
            hint=f"{kind} systems with templates: {', '.join(renderable(kind, templates=templates)) or 'none'}",
        )
    variables = _variables(kind, system, name, settings, facts)
    made = _environment(roots)
    return Rendered(
        name, {file.removesuffix(_SUFFIX): _text(made, f"{kind}/{system}/{file}", variables) for file in found}
    )


def renderable(kind: TemplateKind, *, templates: Path | None = None) -> tuple[str, ...]:
    """Return the names of all systems (or drivers) of a kind that have templates, sorted."""
    roots = template_roots(templates)
    folders = {
        path.name for root in roots if (root / kind).is_dir() for path in (root / kind).iterdir() if path.is_dir()
    }
    return tuple(sorted(folder for folder in folders if _templates(roots, kind, folder)))


@cache
def _environment(roots: tuple[Path, ...]) -> ImmutableSandboxedEnvironment:
    """Keep one environment for each choice of folders: it holds the compiled templates."""
    return environment(roots)


def _templates(roots: tuple[Path, ...], kind: str, system: str) -> tuple[str, ...]:
    folders = [root / kind / system for root in roots]
    return tuple(
        sorted({p.name for f in folders if f.is_dir() for p in f.glob(f"*{_SUFFIX}") if not p.name.startswith("_")})
    )


def _variables(kind: str, system: str, name: str, settings: Settings, facts: Facts) -> dict[str, object]:
    rows: dict[str, object] = dict.fromkeys(FACETS)
    for facet in settings:
        rows[facet.name] = sorted_rows(facet.rows)
    return {**rows, **_view(kind, system, settings, facts), "name": name, "facts": facts}


def _view(kind: str, system: str, settings: Settings, facts: Facts) -> Mapping[str, object]:
    package = f"fabric.platforms.{kind}.{system}"
    if not system.isidentifier() or find_spec(package) is None or find_spec(f"{package}.view") is None:
        return {}
    prepared: Mapping[str, object] = import_module(f"{package}.view").view(settings, facts)
    return prepared


def _text(made: ImmutableSandboxedEnvironment, template: str, variables: Mapping[str, object]) -> str:
    try:
        return made.get_template(template).render(variables)
    except TemplateSyntaxError as error:
        where = f"{error.filename or template}:{error.lineno}"
        raise RenderError(f"the template is not well-formed: {error.message}", where=where) from error
    except TemplateError as error:
        raise RenderError(
            f"template {template} failed for {variables['name']}: {error}",
            where=template,
            hint="every value that a template uses must be in the settings or guarded by 'if'",
        ) from error
