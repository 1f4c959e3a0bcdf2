"""Write the pages of docs/reference that come from the code; with --check only name those that are out of date.

usage: python docs.py [--check]
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from textwrap import dedent
from typing import Any

from pages.formats import json_formats
from pages.intent_keys import intent_keys
from pages.markdown import anchor, page, table
from pages.support import facet_matrix, hardware, state_matrix
from pages.vocabulary import error_pages, facet_pages, term_pages
from typer.main import get_command

from fabric.checks.runner import checks
from fabric.cli.main import app
from fabric.platforms.contract import Driver, System
from fabric.platforms.lookup import system, systems
from fabric.results import ExitCode
from fabric.rules.runner import rules
from fabric.settings.facts import Facts

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"
HEADING = re.compile(r"^(?P<title>[A-Z][A-Za-z ]+)\n(?P<body>(?: {4}.*\n|\n)+)", re.MULTILINE)


def pages() -> Mapping[str, str]:
    """Return the text of each page under its file name."""
    return {
        "exit-codes.md": exit_codes(),
        "rules.md": rule_pages(),
        "checks.md": check_pages(),
        "commands.md": command_pages(),
        "systems.md": system_table(),
        "intent.md": intent_keys(),
        "hardware.md": hardware(),
        "facets.md": facet_pages(),
        "terms.md": term_pages(),
        "errors.md": error_pages(),
        "formats.md": json_formats(),
    }


def exit_codes() -> str:
    """Return the page of exit codes."""
    rows = ((f"`{code.value}`", code.name.lower(), code.meaning) for code in ExitCode)
    return page("Exit codes", "How each command ends.", table(("code", "name", "when"), rows))


def rule_pages() -> str:
    """Return a table of all rules, and the page of each."""
    found = rules()
    rows = ((link(rule.id), rule.severity.value, ", ".join(rule.subjects), rule.summary) for rule in found)
    about = (
        "What is proved before any device is touched, and again on what was read. `fabric explain RULE` prints a page."
    )
    index = table(("rule", "severity", "judges", "says"), rows)
    return page("Rules", about, index, *(section(rule.id, rule.page) for rule in found))


def check_pages() -> str:
    """Return a table of all checks, and the page of each."""
    found = checks()
    rows = (
        (link(each.id), ", ".join(facet.name for facet in each.facets), each.page.partition("\n")[0]) for each in found
    )
    about = "What `fabric verify` asks of running devices. `fabric explain CHECK` prints a page."
    index = table(("check", "looks at", "says"), rows)
    return page("Checks", about, index, *(section(check.id, check.page) for check in found))


def command_pages() -> str:
    """Return what each command does and takes."""
    about = (
        "Options follow the command. stdout carries data, stderr talk; [exit codes](exit-codes.md) say how it ended."
    )
    return page(
        "Commands", about, *(command_page(words, each) for words, each in commands("fabric", get_command(app())))
    )


def commands(words: str, found: Any) -> Iterator[tuple[str, Any]]:
    """Yield each command with the words that call it; groups are walked into."""
    for name, each in sorted(getattr(found, "commands", {}).items()):
        yield from commands(f"{words} {name}", each)
    if not hasattr(found, "commands"):
        yield words, found


def command_page(words: str, found: Any) -> str:
    """Return what one command does, and a table of what it takes."""
    given = [each for each in found.params if not getattr(each, "hidden", False)]
    positional = " ".join(each.name.upper() for each in given if each.param_type_name == "argument")
    rows = ((f"`{names(each)}`", " ".join((getattr(each, "help", "") or "").split())) for each in given)
    return (
        f"## {f'{words} {positional}'.strip()}\n\n{cleandoc(found.help or '')}\n\n{table(('option', 'meaning'), rows)}"
    )


def names(parameter: Any) -> str:
    """Return the names of an option, or the one of an argument."""
    if parameter.param_type_name == "argument":
        return str(parameter.name).upper()
    return ", ".join((*parameter.opts, *parameter.secondary_opts))


def system_table() -> str:
    """Return what each system and each driver sets, reports, and can never be read."""
    found = [system(kind, name) for kind in ("switch", "host") for name in systems(kind)]
    rows = ((each.kind, each.name, words(each), reports(each), unreadable(each)) for each in found)
    about = (
        "What a node may run. A facet is one aspect of a node: *sets* names those that are rendered, read and changed,"
        " *reports* what `verify` can observe, *never read* what no device tells, with what stands in for it."
    )
    whole = table(("kind", "system", "sets", "reports", "never read"), rows)
    return page("Systems", about, whole, f"## Settings\n\n{facet_matrix()}", f"## State\n\n{state_matrix()}")


def words(each: System | Driver) -> str:
    """Return the names of the facets that a system or driver sets."""
    return ", ".join(sorted(facet.name for facet in each.facets))


def reports(each: System) -> str:
    """Return the names of the state facets that a system reports, on a device of which nothing else is known."""
    return ", ".join(sorted(reader.facet.name for reader in each.state_readers(Facts(system=each.name))))


def unreadable(each: System | Driver) -> str:
    """Return what can never be read, with what stands in for it."""
    return "; ".join(f"{what}: {instead}" for what, instead in sorted(each.unreadable.items())) or "—"


def section(name: str, text: str) -> str:
    """Return the page of one rule or check, from its docstring: the parts get headings of their own."""
    body = HEADING.sub(lambda part: f"**{part['title']}.** {dedent(part['body']).strip()}\n\n", f"{text}\n")
    return f"## {name}\n\n{body.replace('``', '`').strip()}\n"


def link(name: str) -> str:
    """Return a link to the section of a rule or check on the same page."""
    return f"[{name}](#{anchor(name)})"


def main(arguments: list[str]) -> int:
    """Write the pages, or name those that are out of date and answer 1."""
    stale = []
    for name, text in pages().items():
        path = REFERENCE / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if arguments != ["--check"]:
                path.write_text(text, encoding="utf-8")
                print(f"written: docs/reference/{name}")
    if stale and arguments == ["--check"]:
        print(f"out of date: {', '.join(stale)}; run scripts/docs.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
