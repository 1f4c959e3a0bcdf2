"""Pages: what `fabric explain` knows, taken from where it is defined."""

from __future__ import annotations

from difflib import get_close_matches
from inspect import cleandoc

from fabric import errors
from fabric.checks.runner import checks
from fabric.errors import FabricError, UsageError
from fabric.results import ExitCode
from fabric.rules.runner import rules


def page(name: str) -> str:
    """Return the page of a rule, check, error or ``exit-codes``; UsageError with the nearest names otherwise."""
    pages = _pages()
    if name in pages:
        return pages[name]
    near = get_close_matches(name, pages, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else f"there are: {', '.join(sorted(pages))}"
    raise UsageError(f"nothing is called {name}", hint=hint)


def _pages() -> dict[str, str]:
    found = {rule.id: f"rule {rule.id} ({rule.severity.value})\n\n{cleandoc(rule.page)}" for rule in rules()}
    found |= {check.id: f"check {check.id}\n\n{cleandoc(check.page)}" for check in checks()}
    found |= {
        name: f"error {name}\n\n{cleandoc(kind.__doc__ or '')}"
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, FabricError)
    }
    found["exit-codes"] = "\n".join(f"{code.value:>3}  {code.meaning}" for code in ExitCode)
    return found
