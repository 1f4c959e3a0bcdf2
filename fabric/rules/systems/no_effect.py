"""Every key that is written does something.

What it does
    Lists, once, the keys of the file that are accepted and reach no device and no command in this release.

Why
    They belong to the language, so that a file need not change when they come into effect. Whoever writes them today
    must know that nothing follows from them yet.

Fails
    ``ecn: {min: 100KB, max: 400KB, probability: 20%, profile: latency}``, with nothing that is ``auto``;
    ``buffers: {headroom: auto}`` where switches are servers that route, without a chip;
    ``hooks: {idle: /usr/local/bin/is-idle}``.

Passes
    ``ecn: {min: 100KB, max: 400KB, probability: 20%}``; thresholds that are ``auto`` and computed;
    ``buffers: {headroom: auto}`` where it is computed; labels under ``traffic``, which are for people.

Options
    None.

Known limits
    Keys that have an effect on some systems only are a matter of systems.facet-missing and of ``fabric explain``.
    Headroom of chips that are not known is one of systems.unknown-chip, and thresholds that stay open one of
    ecn.auto-open.

Source
    The code of this release.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.limits import chipless, model_of
from fabric.design.model import Design
from fabric.design.thresholds import incast_bound
from fabric.design.thresholds_ports import scene
from fabric.hardware.models import SwitchModel
from fabric.intent.document import Document
from fabric.intent.sections.classes import EcnIntent
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.pfc import Pfc

SEVERITY = Severity.NOTE
_THRESHOLDS = ("min", "max", "probability")


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation that names all keys without effect."""
    found = tuple(_keys(document, design))
    if found:
        yield Violation(
            path=found[0].partition(":")[0],
            message=f"accepted and without effect in this release: {', '.join(found)}",
            measured=f"{len(found)} key{'s' if len(found) > 1 else ''}",
            bound="keys that have an effect",
            fix="nothing to do: keep them for later, or take them out",
        )


def _keys(document: Document, design: Design) -> Iterator[str]:
    """Yield the paths of keys without effect, in the order of the language; of auto, with the word."""
    intent = document.intent
    for found in design.classes:
        given = intent.classes[found.name].ecn
        if given is not None and found.ecn:
            yield from (
                f"classes.{found.name}.ecn.{key}" for key in _of_ecn(given, judged=_judged(design, found.queue))
            )
    buffers = intent.buffers
    if buffers is not None and buffers.headroom == "auto" and "headroom" in buffers.model_fields_set:
        yield from _headroom(design)
    if intent.hooks is not None and intent.hooks.idle is not None:
        yield "hooks.idle"


def _headroom(design: Design) -> Iterator[str]:
    """Yield the key where switches have no chip to set, with their roles when others have one.

    Chips that are not known, and cables without a length, have rules of their own.
    """
    found: dict[str, set[bool]] = {}
    for node in design.network.nodes.values():
        model = model_of(node)
        if isinstance(model, SwitchModel) and any(row.priorities for row in node.settings.rows(Pfc).values()):
            found.setdefault(node.role, set()).add(chipless(model))
    still = [role for role, answers in found.items() if True in answers]
    if still:
        mixed = any(False in answers for answers in found.values())
        yield "buffers.headroom: auto" + (f" (at ports of {' '.join(still)})" if mixed else "")


def _of_ecn(ecn: EcnIntent, *, judged: bool) -> Iterator[str]:
    """Yield what ``auto`` would be reckoned with where nothing is auto; ``judged`` is what rules reckon with."""
    if any(getattr(ecn, key) == "auto" for key in _THRESHOLDS):
        return
    reckoned = ("profile",) if judged else ("profile", "incast", "flows")
    yield from (key for key in reckoned if getattr(ecn, key) is not None)


def _judged(design: Design, queue: int) -> bool:
    """Tell whether enough is known of a queue somewhere for rules to reckon with senders and flows."""
    near = (near for _, _, row, near in scene(design.network).queues() if row.queue == queue)
    return any(incast_bound(each, 1) is not None for each in near)
