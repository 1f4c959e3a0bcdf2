"""Rules are chosen by ids and patterns; a name that means none is refused with what may have been meant."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from fabric.errors import UsageError
from fabric.results import Severity
from fabric.rules.choice import chosen
from fabric.rules.contract import SECTIONS, Judged, Rule
from fabric.rules.runner import judge, judged, rules

PAGE = "A rule.\n\n" + "\n\n".join(f"{title}\n    Text." for title in SECTIONS) + "\n    Catalogue codes X07, X09.\n"
USUAL = Rule("ecn.tiny", PAGE, Severity.ERROR, ("network",), list)
FIGURES = replace(USUAL, id="ecn.figures", on_request=True)
OTHER = replace(USUAL, id="pfc.sets", page=PAGE.replace("X07, X09", "X08"))
EVERY = (FIGURES, USUAL, OTHER)


def ids(*args, **chosen_by):
    return [rule.id for rule in chosen(EVERY, *args, **chosen_by)]


@pytest.mark.parametrize(
    ("select", "ignore", "left"),
    [
        ((), (), ["ecn.tiny", "pfc.sets"]),
        (["ecn.tiny"], (), ["ecn.tiny"]),
        (["ecn.*"], (), ["ecn.figures", "ecn.tiny"]),
        (["ecn.figures"], (), ["ecn.figures"]),
        (["pfc.sets", "ecn.tiny"], (), ["ecn.tiny", "pfc.sets"]),
        (["*"], ["ecn.*"], ["pfc.sets"]),
        ((), ["pfc.*"], ["ecn.tiny"]),
        (["ecn.tiny", "pfc.sets"], ["ecn.tiny"], ["pfc.sets"]),
    ],
    ids=["usual", "id", "pattern", "on-request", "two", "ignored-pattern", "usual-but-one", "ignore-goes-first"],
)
def test_rules_are_chosen_in_their_own_order(select, ignore, left):
    assert ids(select, ignore) == left


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("ecn.tinny", "did you mean ecn.tiny?"),
        ("ecn", "did you mean ecn.*?"),
        ("X07", "did you mean ecn.figures, ecn.tiny?"),
        ("pfcs.*", "did you mean pfc.*?"),
        ("qqq", "groups: ecn.*, pfc.*; `fabric explain` lists all rules"),
    ],
)
def test_a_name_of_no_rule_is_refused_with_what_may_have_been_meant(name, hint):
    for where in ("select", "ignore"):
        with pytest.raises(UsageError, match="there is no rule") as caught:
            ids(**{where: [name]})
        assert caught.value.hint == hint


def test_a_file_that_no_rule_has_judged_is_not_called_sound():
    with pytest.raises(UsageError, match="no rule is left"):
        ids(["ecn.tiny"], ["ecn.*"])
    with pytest.raises(UsageError, match="no rule is left"):
        ids(ignore=["*"])


def _noted(ran, name, network):
    ran.append(name)
    return ()


def test_only_what_is_chosen_runs_unless_waivers_are_to_be_judged(subjects_of):
    ran = []
    own = [replace(rule, check=partial(_noted, ran, rule.id)) for rule in EVERY]
    waivers = [rule for rule in rules() if rule.id == "waivers.unused"]
    subjects = subjects_of({})
    judge(subjects, own[1:2], own)
    assert ran == ["ecn.tiny"]
    ran.clear()
    judge(subjects, waivers, [*own, *waivers])
    assert ran == ["ecn.tiny", "pfc.sets"]


def test_a_waiver_is_unused_only_where_every_rule_that_it_names_was_asked(subjects_of):
    waiver = {"rule": "ecn.*", "at": "leaf*", "reason": "we know"}
    subjects = subjects_of({"intent": {"waivers": [waiver]}})
    unused = next(rule for rule in rules() if rule.id == "waivers.unused")

    def found(*asked):
        known = replace(subjects, judged=Judged((), EVERY, frozenset(asked)))
        return [each.path for each in unused.check(known.document, known.design, known.judged)]

    assert found("ecn.tiny", "pfc.sets") == []
    assert found("ecn.tiny", "ecn.figures") == ["waivers.0.at"]
    assert judged(subjects, [USUAL], EVERY).judged.ran == {"ecn.tiny"}
