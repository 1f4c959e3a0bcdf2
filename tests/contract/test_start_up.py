"""What a command imports before it knows what is asked of it: start-up stays cheap."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

COMMANDS = Path(__file__).parents[2] / "fabric" / "cli" / "commands"
HEAVY = ("pydantic", "jinja2", "netmiko", "paramiko", "pyroute2", "rich", "sqlalchemy", "ruamel", "asyncio")
PROGRAM = f"""
import contextlib, io, json, sys
from fabric.cli.main import run
helps, heavy = {{}}, []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as told:
        code = run([*words, "--help"])
    assert code == 0, (words, code)
    helps[" ".join(words)] = told.getvalue()
    heavy.append([name for name in {HEAVY} if name in sys.modules])
json.dump([helps, heavy[0], heavy[-1]], sys.stdout)
"""


def commands() -> list[list[str]]:
    """The words of every command; the folder of commands is their list."""
    paths = [path.relative_to(COMMANDS) for path in sorted(COMMANDS.rglob("*.py")) if path.stem != "__init__"]
    return [[], *([*path.parent.parts, path.stem] for path in paths)]


def test_the_help_of_every_command_says_something_and_imports_nothing_heavy() -> None:
    arguments = [sys.executable, "-c", PROGRAM, json.dumps(commands())]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    helps, after_the_first, after_all = json.loads(done.stdout)
    assert after_the_first == []
    # typer itself asks pydantic about the types of a command's options, before it prints their help.
    assert set(after_all) <= {"pydantic"}
    silent = [words for words, told in helps.items() if len(told.splitlines()) < 4]
    assert silent == []
