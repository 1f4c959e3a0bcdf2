"""Find a system or driver by its folder's name; nothing is registered by hand."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from fabric.errors import PlatformError
from fabric.platforms.contract import System
from fabric.settings.network import Kind


def systems(kind: Kind) -> tuple[str, ...]:
    """Return the names of all systems of a kind that have a platform folder."""
    package = import_module(f"fabric.platforms.{kind}")
    return tuple(sorted(found.name for found in pkgutil.iter_modules(package.__path__)))


def has_system(kind: Kind, name: str) -> bool:
    """Tell whether a system has a platform folder."""
    return name.isidentifier() and find_spec(f"fabric.platforms.{kind}.{name}") is not None


@cache
def system(kind: Kind, name: str) -> System:
    """Return a system; PlatformError when it has no folder."""
    if not has_system(kind, name):
        raise PlatformError(
            f"{kind} system {name!r} has no platform yet",
            hint=f"systems with a platform: {', '.join(systems(kind))}",
        )
    found = import_module(f"fabric.platforms.{kind}.{name}").SYSTEM
    if not isinstance(found, System):
        raise TypeError(f"fabric.platforms.{kind}.{name}.SYSTEM is not a System")
    return found
