"""fabric lab status: what runs of a lab."""

from __future__ import annotations

from fabric.cli.files import intent_file
from fabric.cli.options import Debug, File, Format, NoColor, put_out, report
from fabric.errors import Unreachable
from fabric.results import ExitCode


def command(
    file: File = None,
    format: Format = "table",  # noqa: A002  # the option's name
    no_color: NoColor = False,
    debug: Debug = False,
) -> int:
    """Show the nodes of the lab, their SSH ports, and the faults that are in it."""
    del debug
    from fabric.intent.loader import load
    from fabric.lab.control import status

    fabric = load(intent_file(file)).intent.fabric
    found = status(fabric)
    if found is None:
        raise Unreachable(f"the lab of {fabric!r} is not up", hint="start it with `fabric lab up FILE`")
    rows: list[tuple[str, ...]] = [
        (n.name, n.kind, f"127.0.0.1:{n.port}", "running" if n.pid else "ended") for n in found.nodes
    ]
    rows += [("fault", "", "", text) for text in found.faults]
    put_out(report(format, no_color=no_color).rows(f"lab {fabric}", ("node", "kind", "ssh", "state"), rows))
    return ExitCode.DONE if all(n.pid for n in found.nodes) else ExitCode.FAILED
