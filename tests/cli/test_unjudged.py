"""A file that cannot be judged is a result too, in every format that `validate` speaks."""

import json

import junitparser
import pytest

from fabric.results import ExitCode


@pytest.fixture
def wrong(intent):
    path = intent("  mtu: 9000", "  mtuu: 9000")
    path.write_text(path.read_text().replace("dscp: 26", "dscp: 99"))
    return path


def test_on_stdout_stands_a_document_and_on_stderr_what_it_says(fabric, wrong):
    ended = fabric("validate", wrong, "--format", "json")
    found = json.loads(ended.out)
    assert ended.code == ExitCode.INTENT
    assert (found["kind"], found["format_version"], found["file"]) == ("problems", 1, str(wrong))
    assert [each["message"].partition(":")[0] for each in found["problems"]] == [
        line.split(": ")[2].partition(":")[0] for line in ended.err.splitlines() if line.startswith("error: ")
    ]
    assert all(each["where"].startswith(f"{wrong}:") and each["hint"] for each in found["problems"])


def test_each_error_is_a_failed_case_for_a_ci_server(fabric, wrong, tmp_path):
    ended = fabric("validate", wrong, "--format", "junit", "-o", tmp_path / "validate.xml")
    assert (ended.code, ended.out) == (ExitCode.INTENT, "")
    (suite,) = junitparser.JUnitXml.fromfile(str(tmp_path / "validate.xml"))
    cases = list(suite)
    assert suite.failures == len(cases) == len([line for line in ended.err.splitlines() if line.startswith("error")])
    assert all(case.name.startswith(f"{wrong}:") for case in cases)


def test_a_page_names_each_error_and_draws_nothing(fabric, wrong):
    said = fabric("validate", wrong, "--format", "html").out
    assert "Nothing to judge: " in said
    assert "addressing.mtuu" in said
    assert "<svg" not in said


def test_the_table_stands_once_on_stderr_or_in_a_file(fabric, wrong, tmp_path):
    ended = fabric("validate", wrong)
    assert ended.out == ""
    fabric("validate", wrong, "-o", tmp_path / "said.txt")
    said = (tmp_path / "said.txt").read_text()
    assert said.startswith(ended.err)
    assert said.splitlines()[-1].endswith("errors, nothing was judged")


def test_a_design_that_cannot_be_built_is_reported_likewise(fabric, intent):
    path = intent("loopbacks: 10.255.0.0/16", "loopbacks: 10.255.0.0/31")
    ended = fabric("validate", path, "--format", "json")
    assert ended.code == ExitCode.INTENT
    assert json.loads(ended.out)["problems"][0]["where"].startswith(f"{path}:")
