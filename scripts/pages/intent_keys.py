"""The page of the intent file's keys: from the JSON Schema, with examples from files that load."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from fabric.workflows.keys import Key, find, keys
from fabric.workflows.terms import terms
from pages.markdown import anchor, code, page, table

ROOT = Path(__file__).parents[2]
# Files that tests load and design; the first one that uses a key gives its example. The last are docs' own pages.
CORPUS = ("inventories/*/fabric.yaml", "tests/language/*/fabric.yaml", "tests/fabrics/*/fabric.yaml",
          "fabric/workflows/presets/*.yaml", "tests/docs/keys/*.yaml")  # fmt: skip
# Units of bare numbers, by the name of the key; elsewhere the unit stands in the value.
UNITS = {
    "length_m": "metres",
    "mtu": "bytes (IP)",
    "rdma_mtu": "bytes (RDMA payload)",
    "lossless_mtu": "bytes (packet)",
}
WRITTEN = {"%": "percent, written: 60%", "KB": "bytes, written: 150KB, 2MiB", "G": "bit/s, written: 400G",
           "ms": "time, written: 200ms"}  # fmt: skip
_LONG = 64


def intent_keys() -> str:
    """Return the page."""
    about = (
        "Every key of `fabric.yaml`, by section. `NAME` stands for a name that you choose; a list's entries are named"
        " without their number. `fabric explain KEY` prints the same, `fabric schema` gives it to editors."
        "\n\nThe examples stand in files that the tests load and design. Unknown keys, duplicate keys and wrong types"
        " are errors with `file:line:column`."
    )
    every = list(keys().values())
    sections = [(name, list(each)) for name, each in groupby(every, key=lambda key: key.path.partition(".")[0])]
    index = table(
        ("section", "keys", "is"),
        ((f"[`{name}`](#{anchor(name)})", str(len(each)), each[0].meaning) for name, each in sections),
    )
    return page("Intent file", about, index, *(_section(each) for _, each in sections))


def _section(each: list[Key]) -> str:
    return "\n".join((_entry(each[0], "##"), *(_entry(key, "###") for key in each[1:])))


def _entry(key: Key, level: str) -> str:
    """Return the part of one key: heading, meaning, and what is known of it."""
    unit = _unit(key)
    example = examples().get(key.path)
    related = [term.name for term in terms() if any(find(each) is key for each in term.keys)]
    rows = (
        ("type", key.type),
        (
            "needed" if key.needed else "default",
            "yes" if key.needed else f"`{key.default}`" if key.default else "left out",
        ),
        ("allowed", "; ".join(_allowed(each) for each in key.allowed)),
        ("unit", unit),
        ("example", f"`{example}`" if example else ""),
        ("keys below", code(key.below)),
        ("terms", ", ".join(f"[{name}](terms.md#{name})" for name in related)),
    )
    lines = "\n".join(f"- {what}: {said}" for what, said in rows if said)
    return f"{level} {key.path}\n\n{key.meaning[:1].upper()}{key.meaning[1:]}.\n\n{lines}\n"


def _allowed(text: str) -> str:
    for start in ("such as ", "matching "):
        if text.startswith(start):
            return f"{start}`{text.removeprefix(start)}`"
    return text if " " in text else f"`{text}`"


def _unit(key: Key) -> str:
    leaf = key.path.rpartition(".")[2]
    if leaf in UNITS:
        return UNITS[leaf]
    shown = " ".join(each for each in key.allowed if each.startswith("such as "))
    return next(
        (
            said
            for unit, said in WRITTEN.items()
            if any(word.endswith(unit) and word[0].isdigit() for word in shown.split())
        ),
        "",
    )


@cache
def examples() -> Mapping[str, str]:
    """Return an example per path of a key, taken from files that load."""
    found: dict[str, str] = {}
    reader = YAML(typ="safe", pure=True)
    for pattern in CORPUS:
        for path in sorted(ROOT.glob(pattern)):
            for at, value in _values(reader.load(path.read_text(encoding="utf-8")), ""):
                key = find(at)
                text = _shown(value)
                if key and len(text) <= _LONG:
                    found.setdefault(key.path, f"{at.rpartition('.')[2]}: {text}")
    return found


def _values(part: Any, at: str) -> Iterator[tuple[str, Any]]:
    """Yield every value under its path; entries of a list stand under the path of the list."""
    if isinstance(part, dict):
        for name, inner in part.items():
            path = f"{at}.{name}" if at else str(name)
            yield path, inner
            yield from _values(inner, path)
    elif isinstance(part, list):
        for inner in part:
            if isinstance(inner, dict):
                yield from _values(inner, at)


def _shown(value: Any) -> str:
    """Return a value as flow YAML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_shown(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    quoted = isinstance(value, str) and (
        text.replace(".", "", 1).isdigit() or any(char in text for char in ":*{}[],&#") or not text
    )
    return json.dumps(text) if quoted else text
