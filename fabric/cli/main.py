"""The command line: finds the commands by folder, and maps every way to end to an exit code."""

from __future__ import annotations

import gc
import os
import pkgutil
import sys
import traceback
from importlib import import_module
from types import ModuleType
from typing import Annotated

import typer
from typer.exceptions import TyperException

from fabric import __version__
from fabric.cli.completion import completing
from fabric.cli.foreign import foreign_files
from fabric.cli.talk import tell
from fabric.errors import (
    ApplyError,
    DesignError,
    FabricError,
    IntentError,
    PartialApply,
    PlatformError,
    ProbeError,
    RenderError,
    TransportError,
    UsageError,
)
from fabric.results import ExitCode

_ENDS = (
    (IntentError, ExitCode.INTENT),
    (DesignError, ExitCode.INTENT),
    (RenderError, ExitCode.INTENT),
    (UsageError, ExitCode.USAGE),
    (PartialApply, ExitCode.PARTIAL),
    (ApplyError, ExitCode.DEVICE),
    (TransportError, ExitCode.DEVICE),
    (PlatformError, ExitCode.DEVICE),
    (ProbeError, ExitCode.FAILED),
)


def main(args: list[str] | None = None) -> None:
    """Run the command line and end the process with an exit code of `ExitCode`."""
    # A command builds many values and drops few: looking for garbage less often saves a sixth of its time.
    gc.set_threshold(50_000, 50, 1000)
    sys.exit(run(args))


def run(args: list[str] | None = None) -> int:
    """Run the command line and return its exit code; the one place where any exception ends."""
    if strangers := foreign_files():
        tell(f"error: files of another distribution lie in this package: {', '.join(strangers[:3])}")
        tell("hint: install roce-fabric in an environment of its own (pipx, uv tool, or a venv)")
        return ExitCode.USAGE
    try:
        return int(app()(args, prog_name="fabric", standalone_mode=False) or 0)
    except (KeyboardInterrupt, typer.Abort):
        tell("interrupted")
        return ExitCode.INTERRUPTED
    except SystemExit:  # typer's answer to a reader that went away (`fabric show | head`)
        return ExitCode.DONE
    except Exception as error:  # noqa: BLE001  # the top border: whatever it is, it ends in a message and an exit code
        return ExitCode.DONE if completing() else _end(error)


def _end(error: Exception) -> ExitCode:
    """Say how a command ended that did not end by itself; the top border, past which nothing gets."""
    if _debugging():
        traceback.print_exception(error)
    match error:
        case FabricError():
            return _say(error)
        case TyperException():
            tell(f"error: {error.format_message()}")
            tell("  hint: fabric COMMAND --help shows what a command takes")
            return ExitCode.USAGE
        case OSError():
            tell(f"error: {error.strerror or error}{f': {error.filename}' if error.filename else ''}")
            tell("  hint: this machine refused; free space, change rights or choose another place, then run it again")
            return ExitCode.USAGE
    tell(f"error: bug in fabric {__version__}: {type(error).__name__}: {error}")
    tell("  hint: run it again with --debug, and report what it prints")
    return ExitCode.BUG


def app() -> typer.Typer:
    """Build the application from the folder of commands."""
    made = _group(import_module("fabric.cli.commands"), completion=True)
    made.callback(invoke_without_command=True, help=_top.__doc__)(_top)
    return made


def _top(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Describe a RoCEv2 fabric in one YAML file, prove it, apply it, verify it."""
    if version:
        typer.echo(f"fabric {__version__}")
    elif ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def _group(package: ModuleType, *, completion: bool = False) -> typer.Typer:
    made = typer.Typer(
        rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=completion, help=package.__doc__
    )
    for found in pkgutil.iter_modules(package.__path__):
        module = import_module(f"{package.__name__}.{found.name}")
        if found.ispkg:
            made.add_typer(_group(module), name=found.name)
        else:
            made.command(found.name)(module.command)
    return made


def _say(error: FabricError) -> ExitCode:
    for problem in error.problems:
        where = f"{problem.where}: " if problem.where else ""
        tell(f"error: {where}{problem.message}")
        if problem.hint:
            tell(f"  hint: {problem.hint}")
    return next((code for kind, code in _ENDS if isinstance(error, kind)), ExitCode.BUG)


def _debugging() -> bool:
    return os.environ.get("FABRIC_DEBUG") == "1"
