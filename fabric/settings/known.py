"""Which facets there are, found by folder."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import fabric.settings
from fabric.settings.facet import Facet


def _found() -> frozenset[str]:
    names = (found.name for found in pkgutil.iter_modules(fabric.settings.__path__) if not found.ispkg)
    return frozenset(name for name in names if name not in ("facet", "known") and _has_facet(name))


def _has_facet(name: str) -> bool:
    module = import_module(f"fabric.settings.{name}")
    own = (value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__)
    return any(isinstance(value, type) and issubclass(value, Facet) for value in own)


FACETS = _found()
