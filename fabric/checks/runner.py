"""Find the checks by their places, and run them over what was seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from inspect import cleandoc
from types import ModuleType

from fabric import checks as package
from fabric.checks.contract import SECTIONS, Check, Seen
from fabric.errors import UsageError
from fabric.places import modules
from fabric.results import CheckResult, Status


@cache
def checks() -> tuple[Check, ...]:
    """Return every check in order of ids; TypeError when a check's module lacks what a check must have."""
    return tuple(check_of(module) for module in modules(package))


def check_of(module: ModuleType) -> Check:
    """Make the check of a module; its id is its place. TypeError names all that the module lacks."""
    group, name = module.__name__.split(".")[-2:]
    page = cleandoc(module.__doc__ or "")
    samples = getattr(module, "SAMPLES", None)
    facets = getattr(module, "FACETS", None)
    looks = getattr(module, "check", None)
    wrong = [f"no section {title!r} in its docstring" for title in SECTIONS if f"\n{title}\n" not in page]
    if not isinstance(facets, tuple):
        wrong.append("no FACETS")
    if samples not in {1, 2}:
        wrong.append("no SAMPLES of 1 or 2")
    if not callable(looks):
        wrong.append("no function check")
    if wrong or not isinstance(facets, tuple) or not isinstance(samples, int) or looks is None:
        raise TypeError(f"{module.__name__} is not a check: {'; '.join(wrong)}")
    check_id = f"{group}.{name}".replace("_", "-")
    return Check(check_id, page, facets, samples, getattr(module, "stimulus", None), looks)


def page(check_id: str) -> str:
    """Return the page of a check for people; UsageError when there is no such check."""
    ids = [check.id for check in checks()]
    if check_id not in ids:
        near = get_close_matches(check_id, ids, n=1)
        hint = f"did you mean {near[0]}?" if near else f"checks: {', '.join(ids)}"
        raise UsageError(f"there is no check {check_id!r}", hint=hint)
    found = checks()[ids.index(check_id)]
    return f"{found.id} (check)\n\n{found.page}\n"


def run(chosen: Iterable[Check], seen: Seen) -> tuple[CheckResult, ...]:
    """Run these checks in order; each sees only the echoes of its own pings.

    A check that raises ends in an error result for every node that was asked, which names it as broken.
    """
    return tuple(result for check in chosen for result in _results(check, seen))


def _results(check: Check, seen: Seen) -> list[CheckResult]:
    try:
        own = frozenset(check.stimulus(seen.design)) if check.stimulus else frozenset()
        view = replace(seen, pongs=tuple(pong for pong in seen.pongs if pong.ping in own))
        return [replace(result, check=check.id) for result in check.run(view)]
    except Exception as error:  # noqa: BLE001 - the border: one broken check must not hide what the others see
        message = f"the check itself is broken ({type(error).__name__}: {error}): report this as a bug in fabric"
        nodes = [name for name in seen.design.network.nodes if name in seen.readings or name in seen.unreached]
        return [CheckResult(check.id, name, Status.ERROR, message) for name in nodes]
