"""Every check against its cases: what passes, what fails, and where it cannot look."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.checks.runner import checks, run
from fabric.results import Status

HERE = Path(__file__).parent
KINDS = ("passing", "failing", "skipping")
STATUS = {"passing": Status.PASS, "failing": Status.FAIL, "skipping": Status.SKIP}


def cases_of(check):
    path = HERE / f"{check.id.replace('.', '/').replace('-', '_')}.yaml"
    return YAML(typ="safe", pure=True).load(path.read_text())


CASES = [
    pytest.param(check, kind, case, id=f"{check.id}-{kind}-{name}")
    for check in checks()
    for kind in KINDS
    for name, case in cases_of(check).get(kind, {}).items()
]


@pytest.mark.parametrize(("check", "kind", "case"), CASES)
def test_a_check_says_of_a_case_exactly_what_is_expected(check, kind, case, seen_of):
    results = run([check], seen_of(check, case))
    others = [result for result in results if result.status is not Status.PASS]
    expected = case.get("expect", [])
    assert [(result.at, result.status.value) for result in others] == [
        (each["at"], each.get("status", STATUS[kind].value)) for each in expected
    ], others
    for result, each in zip(others, expected, strict=True):
        assert [part for part in each["says"] if part not in result.message] == [], result.message
        assert (result.expected, result.found) == (each.get("expected", ""), each.get("found", ""))
        assert result.announced is each.get("announced", False)
    assert len(results) - len(others) == case["passes"], results
    assert all(result.check == check.id and result.message for result in results)


@pytest.mark.parametrize("check", [pytest.param(check, id=check.id) for check in checks()])
def test_every_check_has_cases_of_every_outcome_it_can_have(check):
    cases = cases_of(check)
    never = "\nSkips\n    Never.\n" in check.page
    assert {kind for kind in KINDS if cases.get(kind)} == set(KINDS) - ({"skipping"} if never else set())
    assert all(case.get("expect") for kind in ("failing", "skipping") for case in cases.get(kind, {}).values())
    assert not any(case.get("expect") for case in cases["passing"].values())
