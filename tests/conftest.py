"""What holds for all tests: silent surroundings, a state folder of their own, and the lab only where it can run."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fabric.cli.main import run
from fabric.lab.machine import missing

SPEAKING = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
STATE = pytest.StashKey[Path]()
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")


def pytest_configure(config: pytest.Config) -> None:
    """Forget what the user's surroundings would tell the tool, and keep its state out of the user's folders."""
    for name in [name for name in os.environ if name in SPEAKING or name.startswith("FABRIC_")]:
        del os.environ[name]
    config.stash[STATE] = Path(tempfile.mkdtemp(prefix="fabric-state-"))
    os.environ["FABRIC_STATE"] = str(config.stash[STATE])


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[STATE], ignore_errors=True)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs the lab, with all that is missing as the reason."""
    if item.get_closest_marker("lab") and (reason := what_the_lab_misses()):
        pytest.skip(reason)


@cache
def what_the_lab_misses() -> str:
    return "; ".join(problem.message for problem in missing())


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said on both streams."""

    code: int
    out: str
    err: str


@pytest.fixture
def fabric(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Commands as a user runs them, in this process."""

    def call(*args: object) -> Ended:
        capsys.readouterr()
        code = run([str(arg) for arg in args])
        said = capsys.readouterr()
        return Ended(code, said.out, said.err)

    return call


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser without a screen; the tests that ask for it carry the marker ``browser``."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed")
    with playwright.sync_playwright() as driver:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = driver.chromium.launch(executable_path=program, args=[*sandbox, "--disable-gpu"])
        yield browser
        browser.close()
