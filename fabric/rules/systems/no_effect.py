"""Every key that is written does something.

What it does
    Lists, once, the keys of the file that are accepted and reach no device and no command in this release.

Why
    They belong to the language, so that a file need not change when they come into effect. Whoever writes them today
    must know that nothing follows from them yet.

Fails
    ``ecn: {min: auto, max: auto, probability: 5%, incast: 32}``; ``buffers: {oversubscribe: 2}``;
    ``buffers: {headroom: auto}`` where the chip of the switches is not known, or cables have no length;
    ``hooks: {idle: /usr/local/bin/is-idle}``.

Passes
    ``ecn: {min: 100KB, max: 400KB, probability: 20%}``; ``buffers: {headroom: auto}`` where it is computed; labels
    under ``traffic``, which are for people.

Options
    None.

Known limits
    Keys that have an effect on some systems only are a matter of systems.facet-missing and of ``fabric explain``.

Source
    The code of this release.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.intent.sections.classes import EcnIntent
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.buffers import Buffers
from fabric.settings.facet import Absent
from fabric.settings.pfc import Pfc

SEVERITY = Severity.NOTE
_COMPUTED = ("min", "max", "probability")
_RECKONED = ("profile", "incast", "flows")


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation that names all keys without effect."""
    found = tuple(_keys(document, design))
    if found:
        yield Violation(
            path=found[0].partition(":")[0],
            message=f"accepted and without effect in this release: {', '.join(found)}",
            measured=f"{len(found)} key{'s' if len(found) > 1 else ''}",
            bound="keys that have an effect",
            fix="keep them for later, or write values of your own where auto stands",
        )


def _keys(document: Document, design: Design) -> Iterator[str]:
    """Yield the paths of keys without effect, in the order of the language; of auto, with the word."""
    intent = document.intent
    for name, given in intent.classes.items():
        if given.ecn is not None:
            yield from (f"classes.{name}.ecn.{key}" for key in _of_ecn(given.ecn))
    if intent.buffers is not None:
        if intent.buffers.headroom == "auto" and "headroom" in intent.buffers.model_fields_set:
            yield from _headroom(design)
        if intent.buffers.oversubscribe is not None:
            yield "buffers.oversubscribe"
    if intent.hooks is not None and intent.hooks.idle is not None:
        yield "hooks.idle"


def _headroom(design: Design) -> Iterator[str]:
    """Yield the key where headroom stays open, with the roles of the switches where it does when others have it."""
    found: dict[str, set[bool]] = {}
    for node in design.network.nodes.values():
        paused = {port for port, row in node.settings.rows(Pfc).items() if row.priorities}
        rows = node.settings.rows(Buffers)
        found.setdefault(node.role, set()).update(
            isinstance(rows[port].headroom, Absent) for port in paused & set(rows)
        )
    still = [role for role, answers in found.items() if True in answers]
    if still:
        mixed = any(False in answers for answers in found.values())
        yield "buffers.headroom: auto" + (f" (at ports of {' '.join(still)})" if mixed else "")


def _of_ecn(ecn: EcnIntent) -> Iterator[str]:
    yield from (f"{key}: auto" for key in _COMPUTED if getattr(ecn, key) == "auto")
    yield from (key for key in _RECKONED if getattr(ecn, key) is not None)
