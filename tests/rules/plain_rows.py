"""Facets of settings or state, changed by plain data as it stands in YAML cases.

A patch is ``{facet: {key: {field: value}}}``: what it does not name stays, ``null`` takes a field, row or facet away.
"""

from __future__ import annotations

from importlib import import_module
from typing import get_args

from pydantic import TypeAdapter


def facet_class(home, name):
    module = import_module(f"{home}.{name}")
    return next(each for each in vars(module).values() if isinstance(each, type) and vars(each).get("name") == name)


def merged(old, patch):
    """RFC 7396: maps merge, null removes, everything else replaces."""
    if not isinstance(patch, dict):
        return patch
    base = old if isinstance(old, dict) else {}
    kept = {key: value for key, value in base.items() if patch.get(key, ...) is not None}
    return kept | {key: merged(base.get(key), value) for key, value in patch.items() if value is not None}


def patched(facets, patch, home="fabric.settings"):
    """Return settings (or, with its home, state) with a patch on top."""
    for name, rows in patch.items():
        if rows is None:
            facets = facets.only(frozenset(each.name for each in facets) - {name})
            continue
        facet = facet_class(home, name)
        adapter = TypeAdapter(dict[str, get_args(facet.__orig_bases__[0])[0]])
        plain = adapter.dump_python(dict(facets.rows(facet)))
        facets = facets.with_(facet(adapter.validate_python(merged(plain, rows))))
    return facets
