"""Settings and facts to rendered texts, by templates."""

from __future__ import annotations

from fabric.render.roots import template_roots
from fabric.render.texts import TemplateKind, render, renderable

__all__ = ["TemplateKind", "render", "renderable", "template_roots"]
