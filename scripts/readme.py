#!/usr/bin/env python3
"""Fill the screens of README.md by running the commands that stand above them; or, with --check, see whether they are.

A screen is a comment ``<!-- fabric ARGS -->`` and the code block after it. The first line of the block, what a user
types, is kept; what follows is what the program prints.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
SCREEN = re.compile(r"(<!-- fabric (?P<args>[^\n]*?) -->\n```\n(?P<typed>[^\n]*)\n)(?P<said>.*?)(```\n)", re.DOTALL)


def said(args: str) -> str:
    """Return what a command prints on stdout."""
    argv = [sys.executable, "-m", "fabric", *shlex.split(args)]
    env = os.environ | {"NO_COLOR": "1"}
    return subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True, check=False).stdout


def filled(text: str) -> str:
    """Return the page with every screen as the program prints it today."""
    return SCREEN.sub(lambda found: found[1] + said(found["args"]) + found[5], text)


def main() -> int:
    """Write the page, or check it."""
    before = README.read_text(encoding="utf-8")
    after = filled(before)
    if "--check" in sys.argv[1:]:
        if after != before:
            sys.stderr.write("README.md is stale: run scripts/readme.py\n")
        return int(after != before)
    README.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
