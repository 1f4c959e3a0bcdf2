"""Whole files that are wrong in one way each, with what is said of them word by word; and unusual files that are right.

``said.txt`` beside a file is what a user reads. ``read.yaml`` is what devices answered, on top of the design. A first
line ``Seen in public`` names the report that a mistake was taken from. Files of ``published`` hold what vendors and
papers publish, each with its source: that works, so there may be a warning that is true, and never an error.
"""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
WRONG = sorted(path.parent for path in HERE.glob("wrong/*/fabric.yaml"))
PUBLISHED = sorted(path.parent for path in HERE.glob("published/*/fabric.yaml"))
RIGHT = sorted(path.parent for path in HERE.glob("right/*/fabric.yaml"))


@pytest.mark.parametrize("folder", WRONG, ids=lambda folder: folder.name)
def test_a_wrong_file_is_told_in_exactly_these_words(folder, said):
    assert said(folder) == (folder / "said.txt").read_text()


@pytest.mark.parametrize("folder", RIGHT, ids=lambda folder: folder.name)
def test_an_unusual_file_that_hardware_can_do_has_at_most_notes(folder, said):
    told = said(folder)
    assert "error" not in told.replace(" 0 errors", "")
    assert ": 0 errors, 0 warnings\n" in told


@pytest.mark.parametrize("folder", PUBLISHED, ids=lambda folder: folder.name)
def test_a_published_configuration_has_no_errors_and_exactly_these_warnings(folder, said):
    told = said(folder)
    assert told.startswith("exit 0\n")
    assert told == (folder / "said.txt").read_text()


def test_there_are_enough_files():
    assert len(WRONG) >= 60
    assert len(PUBLISHED) >= 15
