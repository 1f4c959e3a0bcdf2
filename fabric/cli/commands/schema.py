"""fabric schema: JSON Schema of the intent file, for editors. Touches no device."""

from __future__ import annotations

import json

from fabric.cli.options import Debug, Output, put_out
from fabric.results import ExitCode


def command(output: Output = None, debug: Debug = False) -> int:
    """Print the JSON Schema of fabric.yaml."""
    del debug
    from fabric.intent.schema import schema

    put_out(json.dumps(schema(), indent=2), output)
    return ExitCode.DONE
