"""Which facets there are, found by folder."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import fabric.settings
from fabric.settings.facet import Facet


def _found() -> frozenset[str]:
    names = (found.name for found in pkgutil.iter_modules(fabric.settings.__path__) if not found.ispkg)
    modules = {name: import_module(f"fabric.settings.{name}") for name in names if name != "known"}
    return frozenset(
        name
        for name, module in modules.items()
        if any(
            isinstance(value, type) and issubclass(value, Facet) and value.__module__ == module.__name__ and value is not Facet
            for value in vars(module).values()
        )
    )


FACETS = _found()
