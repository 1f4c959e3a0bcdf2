"""fabric explain: the page of a word, rule, check, key, facet, error or exit code. Touches no device."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli.completion import complete_page
from fabric.cli.options import Debug, Rules, put_out
from fabric.results import ExitCode

Name = Annotated[
    str | None,
    typer.Argument(
        help="A rule or check (cabling.lldp, A03), a term (headroom), a key (classes.rdma.ecn.min), a facet, an error,"
        " an exit code or `exit-codes`; without it everything is listed.",
        show_default=False,
        autocompletion=complete_page,
    ),
]


def command(name: Name = None, rules: Rules = None, debug: Debug = False) -> int:
    """Explain a term, rule, check, key, facet, error or exit code."""
    del debug
    from fabric.workflows.pages import listed, page
    from fabric.workflows.prepare import every_rule

    known = every_rule(rules or ())
    put_out(listed(known) if name is None else page(name, known))
    return ExitCode.DONE
