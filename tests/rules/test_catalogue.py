"""Every code of the catalogue has its place here, and every page names the codes that it stands for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.checks.runner import checks
from fabric.rules.runner import rules

ROOT = Path(__file__).parents[2]
CATALOGUE = YAML(typ="safe", pure=True).load((Path(__file__).parent / "catalogue.yaml").read_text())
PAGES = {each.id: each.page for each in (*rules(), *checks())}
CODES = {code for code, row in CATALOGUE.items()}


def codes_of(page):
    """The codes that a page names after the word Catalogue."""
    said = re.search(r"[Cc]atalogue codes? ([A-M]\d\d(?:(?:,| and)\s+[A-M]\d\d)*)", " ".join(page.split()))
    return set(re.findall(r"[A-M]\d\d", said[1])) if said else set()


def named(row):
    return [*row.get("rules", ()), *row.get("checks", ())]


def test_the_catalogue_has_a_hundred_primary_and_thirty_one_secondary_codes():
    assert len(CATALOGUE) == 131


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_code_is_asked_by_rules_and_checks_that_name_it_or_says_who_keeps_it(code):
    row = CATALOGUE[code]
    assert len(row) >= 1
    assert set(row) <= {"rules", "checks", "kept", "open"}
    assert [each for each in named(row) if each not in PAGES] == []
    assert [each for each in named(row) if code not in codes_of(PAGES[each])] == []
    if "kept" in row:
        assert (ROOT / row["kept"]).exists()


@pytest.mark.parametrize("page", sorted(PAGES))
def test_a_page_names_only_codes_under_which_the_catalogue_has_it(page):
    assert {code for code in codes_of(PAGES[page]) if page not in named(CATALOGUE.get(code, {}))} == set()
