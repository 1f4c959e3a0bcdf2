#!/usr/bin/env python3
"""Fill the screens of the pages under docs by running what stands there; with --check, see if they are fresh.

usage: python screens.py [--check] [--lab] [PAGE ...]

A screen is a comment ``<!-- screen -->`` and the ``console`` block after it. Lines that begin with ``$ `` are run by
bash, those that begin with ``> `` continue them; all screens of a page run in one empty folder, one after the other,
and what a command writes to stdout and stderr is put below it. Screens ``<!-- screen lab -->`` need root and the
packages of the lab: they are run only with --lab, and otherwise left as they are. What differs from run to run (times,
run ids, ports) is not compared.
"""

from __future__ import annotations

import getpass
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SCREEN = re.compile(r"(<!-- screen(?P<lab> lab)? -->\n```console\n)(?P<body>.*?)(```\n)", re.DOTALL)
CONTINUED = "\n> "
TYPED = re.compile(r"^\$ .*(?:\n> .*)*", re.MULTILINE)
# Where a user's machine keeps what a session here keeps in a folder of its own.
STATE = "~/.local/state/fabric"
# Who runs things on a user's machine.
SOMEBODY = "ops@desk"
# A screen that says this is no screen.
BUG = "bug in fabric"
# Dates, durations, run ids and the ports of a lab: different each time, and what they replace.
VARYING = (
    (re.compile(r"\d{8}-\d{6}-[0-9a-f]{4}"), "RUN"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?"), "TIME"),
    (re.compile(r"\b\d+(?:\.\d+)? (?:s|ms)\b"), "SPENT"),
    (re.compile(r"\b127\.0\.0\.1:\d+"), "PORT"),
    (re.compile(r" {2,}"), "  "),
)


def screens(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the body of each screen of a page, and whether it needs the lab."""
    for found in SCREEN.finditer(text):
        yield found["body"], bool(found["lab"])


def commands(body: str) -> list[str]:
    """Return the commands of a screen, as bash takes them."""
    return [found[0].removeprefix("$ ").replace(CONTINUED, "\n") for found in TYPED.finditer(body)]


def alike(text: str) -> str:
    """Return a text without what differs from run to run."""
    for pattern, word in VARYING:
        text = pattern.sub(word, text)
    return text


class Session:
    """One folder in which the commands of a page run, with a state folder and a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        (self.folder / "inventories").symlink_to(ROOT / "inventories")
        kept = {key: value for key, value in os.environ.items() if not key.startswith("FABRIC_")}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        own = {"PATH": path, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "FABRIC_STATE": str(folder / "state")}
        self.env = kept | own | {"PYTHONPATH": str(ROOT), "HISTFILE": ""}

    def run(self, typed: str) -> str:
        """Return what a command line prints."""
        done = subprocess.run(
            ["bash", "-c", typed],
            cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False, timeout=300,
        )  # fmt: skip
        said = done.stdout.replace(f"{self.folder}/", "").replace(self.env["FABRIC_STATE"], STATE)
        said = said.replace(f"{getpass.getuser()}@{socket.gethostname()}", SOMEBODY)
        return said if not said or said.endswith("\n") else f"{said}\n"

    def screen(self, body: str) -> str:
        """Return a screen with what its commands print now."""
        typed = (found[0] for found in TYPED.finditer(body))
        return "".join(f"{each}\n{self.run(each.removeprefix('$ ').replace(CONTINUED, chr(10)))}" for each in typed)


def filled(text: str, *, lab: bool) -> str:
    """Return a page with its screens as the program prints them today; those of the lab only with ``lab``."""
    if not any(True for _ in screens(text)):
        return text
    with tempfile.TemporaryDirectory(prefix="fabric-docs-") as folder:
        session = Session(Path(folder))

        def anew(found: re.Match[str]) -> str:
            if found["lab"] and not lab:
                return found[0]
            return f"{found[1]}{session.screen(found['body'])}{found[4]}"

        return SCREEN.sub(anew, text)


def main(arguments: list[str]) -> int:
    """Write the pages, or check them."""
    check, lab = "--check" in arguments, "--lab" in arguments
    named = [Path(each).resolve() for each in arguments if not each.startswith("-")]
    stale = []
    for path in named or sorted(DOCS.rglob("*.md")):
        before = path.read_text(encoding="utf-8")
        after = filled(before, lab=lab)
        if BUG in after and BUG not in before:
            said = next(line for line in after.splitlines() if BUG in line)
            print(f"{path.relative_to(ROOT)} stays as it is, for a command ends with: {said}")
            return 1
        if alike(after) != alike(before):
            stale.append(str(path.relative_to(ROOT)))
            if check:
                lines = unified_diff(
                    alike(before).splitlines(), alike(after).splitlines(), "page", "now", n=0, lineterm=""
                )
                print("\n".join(lines))
            else:
                path.write_text(after, encoding="utf-8")
                print(f"written: {stale[-1]}")
    if stale and check:
        print(f"stale: {', '.join(stale)}; run scripts/screens.py{' --lab' if lab else ''}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
