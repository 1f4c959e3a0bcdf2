"""HTML as values: what is a plain text is always escaped, so that no name or message of a device can become markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Raw:
    """Finished markup; made by `tag` and `joined`, and of our own style sheet and script."""

    text: str


Child: TypeAlias = "Raw | str | None"

_EMPTY = frozenset({"meta", "br", "input", "col"})
# Control characters, what turns the direction of text, halves of characters, and what XML does not have.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_PICTURES = 0x2400


def tag(name: str, /, *children: Child, **attributes: str | None) -> Raw:
    """Return an element. Attributes are named like Python names: ``class_``, ``aria_label``; ``None`` leaves out."""
    said = "".join(f' {_name(key)}="{text(value)}"' for key, value in attributes.items() if value is not None)
    if name in _EMPTY:
        return Raw(f"<{name}{said}>")
    return Raw(f"<{name}{said}>{''.join(_inner(child) for child in children)}</{name}>")


def joined(parts: Iterable[Child], between: Child = None) -> Raw:
    """Return parts one after the other, with something between them."""
    return Raw(_inner(between).join(_inner(part) for part in parts))


def text(plain: str) -> str:
    """Escape a text for content and attributes; what cannot be printed becomes a picture of it."""
    return escape(_UNPRINTABLE.sub(_picture, plain), quote=True)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(_PICTURES + code) if code < 0x20 else "\ufffd"


def _inner(child: Child) -> str:
    if child is None:
        return ""
    return child.text if isinstance(child, Raw) else text(child)


def _name(key: str) -> str:
    name = key.rstrip("_")
    return name if name in _KEPT else name.replace("_", "-")


_KEPT = frozenset({"viewBox"})
