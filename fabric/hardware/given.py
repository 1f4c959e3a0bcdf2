"""Constants of chips that the user gives, laid over those of the data files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from typing import Any, Final, TypeAlias

from fabric.errors import DesignError
from fabric.hardware.asics import Asic, MerchantPause, NvidiaPause, PacketBuffer
from fabric.hardware.lookup import asic

Constants: TypeAlias = tuple[tuple[str, Any], ...]
"""Names of the data files with values, hashable: mappings as tuples of pairs, a response as (value, unit)."""

_FORMS: Final = {"merchant": MerchantPause, "nvidia": NvidiaPause}
_RESPONSE: Final = {MerchantPause: "us", NvidiaPause: "KiB"}
_MAPS: Final = ("quanta", "counts_as")


@cache
def chip(name: str, *given: tuple[str, Constants]) -> Asic | None:
    """Return a chip with the constants that are given for it, the later ones before the earlier.

    ``given`` are pairs: what they are given for (the chip, a switch model) and the constants. Equal arguments share
    one answer. ``None`` for a chip that is not known and of which nothing is given; DesignError for constants that its
    formula does not have, and when those given for a chip that is not known are not all that a formula needs.
    """
    found = asic(name)
    for subject, constants in given:
        found = _laid(found, subject, dict(constants))
    return found


def _laid(base: Asic | None, subject: str, given: dict[str, Any]) -> Asic:
    of_pause = {key: value for key, value in given.items() if key not in {"cell", "buffer"}}
    cell = int(given.get("cell", base.cell if base else 0))
    if base and isinstance(base.pause, MerchantPause) and "waste" not in given:
        of_pause["waste"] = base.pause.waste * Fraction(cell, base.cell)  # so many bytes on the wire per cell as before
    pause = _pause(base, subject, of_pause)
    if not cell:
        raise _lacking(subject, ["cell"])
    buffer = _memory(dict(given["buffer"])) if "buffer" in given else base.buffer if base else None
    source = (*(base.source if base else ()), f"buffers.chips.{subject}")
    own = tuple(dict.fromkeys((*(base.own if base else ()), *given)))
    lengths = base.lengths if base else {}
    return Asic(base.name if base else subject, cell, pause, source, buffer, own, lengths)


def _pause(base: Asic | None, subject: str, given: Mapping[str, Any]) -> NvidiaPause | MerchantPause:
    form = type(base.pause) if base else _form(subject, given)
    known = [each.name for each in fields(form)]
    for name in given:
        if name not in known:
            raise _strange(subject, name, known)
    values = {name: value for name, value in given.items() if name not in _MAPS}
    if "response" in given:
        values["response"], unit = given["response"]
        if unit != _RESPONSE[form]:
            raise DesignError(
                f"the response of {subject} is wanted in {_RESPONSE[form]}, and {values['response']:g} {unit} is given",
                hint="a time such as 2.25us for merchant chips, KiB such as 3.8KiB for those of NVIDIA",
            )
    for name in _MAPS:
        if name in given:
            earlier = getattr(base.pause, name) if base else {}
            values[name] = {**earlier, **dict(given[name])} if given[name] else {}
    if base:
        return replace(base.pause, **values)
    lacking = [each.name for each in fields(form) if _needed(each) and each.name not in values]
    if lacking:
        raise _lacking(subject, lacking)
    return form(**values)


def _form(subject: str, given: Mapping[str, Any]) -> type[NvidiaPause | MerchantPause]:
    """Return the formula whose constants are given for a chip that is not known."""
    names = {key: {each.name for each in fields(form)} for key, form in _FORMS.items()}
    fitting = [form for key, form in _FORMS.items() if (names[key] - {"response"}) & set(given)]
    if len(fitting) == 1:
        return fitting[0]
    raise DesignError(
        f"no constants are known for {subject}, and those given belong to {'both' if fitting else 'no'} formula"
        f"{'s' if fitting else ''}",
        hint=f"give all of one: {_wanted(MerchantPause)} (merchant), or {_wanted(NvidiaPause)} (NVIDIA)",
    )


def _needed(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _wanted(form: type[NvidiaPause | MerchantPause]) -> str:
    return ", ".join(["cell", *(each.name for each in fields(form) if _needed(each))])


def _lacking(subject: str, names: list[str]) -> DesignError:
    return DesignError(
        f"no constants are known for {subject}, and {', '.join(names)} {'is' if len(names) == 1 else 'are'} not given",
        hint=f"a formula needs {_wanted(MerchantPause)} (merchant), or {_wanted(NvidiaPause)} (NVIDIA)",
    )


def _strange(subject: str, name: str, known: list[str]) -> DesignError:
    near = get_close_matches(name, known, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return DesignError(
        f"the formula of {subject} has no constant {name}", hint=f"{meant}it has: cell, buffer, {', '.join(known)}"
    )


def _memory(rows: Mapping[str, int]) -> PacketBuffer:
    return PacketBuffer(
        total=rows["total"],
        pools=rows["total"],
        shared_headroom=rows["shared_headroom"],
        port_headroom=rows["port_headroom"],
    )
