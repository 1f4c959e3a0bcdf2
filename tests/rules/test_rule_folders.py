"""Rules of the user's own are loaded from a folder; a file that is none is told with its line, all at once."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.errors import UsageError
from fabric.results import Severity
from fabric.rules.contract import SECTIONS
from fabric.rules.folder import rules_in
from fabric.rules.runner import judge, rules

PAGE = "Leaves have names.\n\n" + "\n\n".join(f"{title}\n    Text." for title in SECTIONS)
HEAD = f'"""{PAGE}\n"""\nfrom fabric.results import Severity\nfrom fabric.rules.contract import Violation\n'
SOUND = f"""{HEAD}
SEVERITY = Severity.WARNING

def check(network):
    for name in network.nodes:
        if name.startswith("leaf"):
            yield Violation(name, "is called leaf", "leaf", "a name of its own", "rename it")
"""
WITHOUT_SEVERITY = SOUND.replace("SEVERITY = Severity.WARNING", "")


@pytest.fixture
def folder(tmp_path):
    """Write files under their paths into a folder."""

    def write(**files):
        for path, text in files.items():
            file = tmp_path / f"{path.replace('__', '/')}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return tmp_path

    return write


def refused(folder):
    with pytest.raises(UsageError) as caught:
        rules_in([folder], rules())
    return caught.value


def test_a_rule_of_a_folder_is_like_ours(folder, subjects_of):
    path = folder(site__leaf_names=SOUND, site___shared="this is not read", site____init__="nor this")
    (rule,) = rules_in([path], rules())
    assert (rule.id, rule.severity, rule.summary) == ("site.leaf-names", Severity.WARNING, "Leaves have names.")
    assert rule.file == str(path / "site" / "leaf_names.py")
    found = judge(subjects_of({}), [rule], [*rules(), rule])
    assert [(each.rule, each.path, each.also) for each in found] == [("site.leaf-names", "leaf01", ("leaf02",))]
    assert found[0].place is not None


CASES = """
failing:
  as-designed:
    expect:
      - {path: leaf01, says: ["is called leaf"], measured: leaf, bound: a name of its own, fix: rename it}
      - {path: leaf02, says: ["is called leaf"], measured: leaf, bound: a name of its own}
passing:
  other-names:
    intent: {nodes: {leaf01: {name: tor-1}, leaf02: {name: tor-2}}}
border:
  a-name-that-begins-like-it:
    intent: {nodes: {leaf01: {name: leafy}, leaf02: {name: tor-2}}}
    expect:
      - {path: leafy, says: ["is called leaf"], measured: leaf, bound: a name of its own}
"""


def test_a_rule_of_a_folder_may_have_a_file_of_cases_beside_it_in_the_form_of_ours(folder, subjects_of):
    path = folder(site__leaf_names=SOUND)
    (path / "site" / "leaf_names.yaml").write_text(CASES)
    (rule,) = rules_in([path], rules())
    spec = spec_from_file_location("rule_cases", Path(__file__).with_name("rule_cases.py"))
    kept = module_from_spec(spec)
    spec.loader.exec_module(kept)
    read = YAML(typ="safe", pure=True).load((path / "site" / "leaf_names.yaml").read_text())
    cases = [case for kind in kept.KINDS for case in read[kind].values()]
    for case in cases:
        kept.meets(rule, case, kept.prepared(rule, case, subjects_of(case)))
    with pytest.raises(AssertionError):
        kept.meets(rule, {}, subjects_of({}))
    assert len(cases) == 3


def test_rules_of_several_folders_stand_in_order_of_their_ids(folder, tmp_path):
    other = tmp_path / "other"
    folder(b__one=SOUND, a__two=SOUND, other__a__one=SOUND)
    assert [rule.id for rule in rules_in([tmp_path, other], rules())] == ["a.one", "a.two", "b.one"]


def test_a_class_with_fields_may_stand_in_a_rule(folder):
    with_fields = SOUND.replace(
        "SEVERITY", "from dataclasses import dataclass\n@dataclass\nclass Seen:\n    name: 'str'\n\nSEVERITY", 1
    )
    assert rules_in([folder(site__names=with_fields)], rules())


def test_the_rule_of_the_documentation_is_one(folder, subjects_of):
    page = (Path(__file__).parents[2] / "docs" / "howto" / "write-a-rule.md").read_text()
    (text,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (rule,) = rules_in([folder(site__naming=text)], rules())
    subjects = subjects_of({})
    (found,) = judge(subjects, [rule], [*rules(), rule])
    assert (found.path, found.also) == ("leaf01", ("leaf02",))
    assert found.place == subjects.document.place("topology.switches.leaf")


@pytest.mark.parametrize(
    ("text", "line", "said", "hint"),
    [
        pytest.param(WITHOUT_SEVERITY, None, "this is no rule: no SEVERITY", "write-a-rule", id="severity"),
        pytest.param(SOUND.replace("\nWhy\n", "\n"), None, "no section 'Why'", "write-a-rule", id="section"),
        pytest.param("x = 1\n", None, "no function check", "write-a-rule", id="nothing"),
        pytest.param(SOUND.replace("(network)", "(fabric)"), None, "'fabric' of check is no", "rule", id="subject"),
        pytest.param("x = 1\ndef check(:\n", 2, "this is no Python", "def check(:", id="syntax"),
        pytest.param("x = 1\n\nimport no_such_thing\n", 3, "No module named 'no_such_thing'", "install", id="import"),
        pytest.param("x = 1\nx / 0\n", 2, "ZeroDivisionError", "must not fail", id="raises"),
        pytest.param("x = 1\nx + ''\n", 2, "TypeError: unsupported", "must not fail", id="type-error"),
        pytest.param("import sys\nsys.exit(0)\n", 2, "SystemExit", "must not fail", id="exit"),
        pytest.param("x = '\0'\n", None, "null bytes", "", id="no-text"),
    ],
)
def test_a_file_that_is_no_rule_is_told_with_its_line(folder, text, line, said, hint):
    path = folder(site__names=text)
    error = refused(path)
    file = path / "site" / "names.py"
    assert error.where == (f"{file}:{line}" if line else error.where)
    assert error.where.startswith(str(file))
    assert said in error.message
    assert hint in error.hint


def test_all_files_that_are_no_rules_are_told_at_once(folder):
    error = refused(folder(site__one="x = 1\n", site__two="def\n", site__three=SOUND))
    assert [each.where.rpartition("/")[2] for each in error.problems] == ["one.py", "two.py:1"]


def test_an_id_that_is_taken_is_refused_with_whose_it_is(folder, tmp_path):
    assert "links.mtu already, in fabric itself" in refused(folder(links__mtu=SOUND)).message
    other = tmp_path / "other"
    folder(other__site__one=SOUND)
    (tmp_path / "links" / "mtu.py").rename(tmp_path / "links" / "own.py")
    folder(site__one=SOUND)
    with pytest.raises(UsageError, match=r"site.one already, in .*/site/one.py"):
        rules_in([tmp_path, other], rules())


def test_a_folder_that_is_not_there_or_holds_nothing_is_refused_with_the_form(folder, tmp_path):
    assert "FOLDER/<group>/<rule>.py" in refused(tmp_path / "nowhere").hint
    assert "holds no rule" in refused(folder(names=SOUND)).message


@pytest.mark.parametrize("name", ["site__my-rule", "site__Rule", "my-site__rule", "site__1st"])
def test_a_name_that_makes_no_id_is_refused(folder, name):
    assert "no name of a rule" in refused(folder(**{name: SOUND})).message


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ('    yield Violation("leaf01", "x")\n    raise KeyError(network.links[0])', "KeyError"),
        ('    yield Violation("leaf01", 7)', "message of a Violation is of the wrong type"),
        ('    yield Violation("leaf01", "x", severity="error")', "severity of a Violation"),
        ('    yield ("leaf01", "x")', "check yields tuple, not Violation"),
        ("    return 7", "'int' object is not iterable"),
    ],
    ids=["raises", "number", "severity", "tuple", "no-list"],
)
def test_a_rule_of_the_user_that_breaks_is_his_to_mend(folder, subjects_of, check, said):
    text = f"{HEAD}SEVERITY = Severity.NOTE\n\ndef check(network):\n{check}\n"
    path = folder(site__broken=text)
    (rule,) = rules_in([path], rules())
    (found,) = judge(subjects_of({}), [rule], [*rules(), rule])
    assert (found.rule, found.severity) == ("site.broken", Severity.ERROR)
    assert said in found.message
    at = [f":{number}" for number, each in enumerate(text.splitlines(), 1) if "raise" in each]
    assert found.fix == f"mend {path / 'site' / 'broken.py'}{''.join(at)}"
