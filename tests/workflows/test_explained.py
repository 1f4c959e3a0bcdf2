"""What `fabric explain` knows: pages are whole, refer only to what there is, and are found by the words people use."""

from fnmatch import fnmatchcase

import pytest

from fabric.checks.runner import checks
from fabric.errors import UsageError
from fabric.results import ExitCode
from fabric.rules.runner import rules
from fabric.settings.known import FACETS
from fabric.workflows.keys import find, keys
from fabric.workflows.pages import codes, listed, page, pages
from fabric.workflows.terms import PAGES, by_word, plain, term_of, terms

# The words of the field that people bring along, in the spelling that they may use.
FIELD = """
headroom xoff xon PFC "pause quanta" watchdog ECN Kmin Kmax Pmax WRED CNP DCQCN DWRR GID "traffic class" ToS DSCP trust
"priority group" rail plane pod incast alpha cell BDP RoCEv2 QP ECMP DLB spray BFD unnumbered oversubscription FEC
breakout waiver facet scope wave canary gate bond LACP "anycast gateway" tenant stride pool ETS lossless rpg_time_reset
"""
# The words and abbreviations that findings print and that are no plain English.
PRINTED = """
"fixed point" "phase margin" "reaction point" "notification point" "queue delay" "deep buffer" "small packets"
"peer response" "reserved buffer" "static threshold" "fast recovery" "additive increase" "hyper increase" MTU "RDMA MTU"
"shared headroom pool" "shared headroom" "congestion spreading" lossy granularity EWMA loopback "private AS" retries
bystander radix share profile fingerprint severity "certain loss" "round trip" RTT deadlock "pause loop" "link pause"
valley "router id" ECT DCBX PCIe RDMA-CM tunnel watermark "shared pool" RP NP CP
"""
# The words of the design: one word per idea, everywhere.
OURS = "intent design node system driver class facts facet settings state network reading rendered delta step change"
OURS += " plan run finding check probe rule"


def words(text):
    return [part for at, each in enumerate(text.split('"')) for part in ([each] if at % 2 else each.split())]


@pytest.mark.parametrize("word", [*words(FIELD), *words(PRINTED), *OURS.split()])
def test_every_word_of_the_field_and_of_the_design_has_a_page(word):
    said = page(word)
    assert said.startswith("term ")
    assert len(said.split()) > 12


def test_terms_refer_only_to_terms_and_keys_that_there_are():
    names = {term.name for term in terms()}
    assert {(term.name, see) for term in terms() for see in term.see if see not in names} == set()
    assert {(term.name, key) for term in terms() for key in term.keys if find(key) is None} == set()
    assert [term.name for term in terms() if term.name in term.see] == []


def test_terms_are_judged_by_rules_and_checks_that_there_are():
    ids = [each.id for each in (*rules(), *checks())]
    patterns = {(term.name, pattern) for term in terms() for pattern in term.judged_by}
    assert {pair for pair in patterns if not any(fnmatchcase(each, pair[1]) for each in ids)} == set()


def test_no_word_stands_for_two_terms():
    also = [(plain(word), term.name) for term in terms() for word in {plain(each) for each in term.also}]
    clashes = {word for word, name in also if by_word()[word].name != name}
    assert clashes == set()


def test_a_page_of_a_term_is_read_in_parts():
    text = "# A word\n\nWhat it is.\n\nWhy it matters: it does.\n\nAlso: one, Two\nKeys: pfc\nJudged by: a.*\nSee: b\n"
    term = term_of("a-word", text)
    assert (term.title, term.text) == ("A word", "What it is.\n\nWhy it matters: it does.")
    assert (term.also, term.keys, term.judged_by, term.see) == (("one", "Two"), ("pfc",), ("a.*",), ("b",))


def test_pages_of_terms_are_shipped_with_the_package():
    assert len(list(PAGES.glob("*.md"))) == len(terms()) > 60


def test_every_page_is_listed_with_what_it_is_about():
    lines = listed().splitlines()
    assert [line for line in lines if line and not line.startswith("  ")] == [
        *("terms", "rules", "checks", "facets", "keys", "errors", "exit codes")
    ]
    assert [each.name for each in pages() if not each.summary] == []
    assert max(map(len, lines)) < 80


def test_pages_of_terms_fit_on_a_terminal_of_80_columns():
    prose = [
        line for each in pages() if each.kind == "term" for line in each.text.split("\n\nalso called")[0].splitlines()
    ]
    assert [line for line in prose if len(line) > 80 and not line.startswith(("keys:", "see:", "judged by:"))] == []


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("classes.rdma.ecn.min", "classes.NAME.ecn.min"),
        ("classes.NAME.ecn.min", "classes.NAME.ecn.min"),
        ("classes.ecn.min", "classes.NAME.ecn.min"),
        ("topology.cables.0.spread", "topology.cables.spread"),
        ("topology.switches.leaf.asn.per", "topology.switches.NAME.asn.per"),
        ("nodes.leaf03.ports.swp7.alpha", "nodes.NAME.ports.NAME.alpha"),
        ("access.jump.bastion.key.agent", "access.jump.NAME.key.agent"),
        ("classes.rdma.dcsp", None),
        ("nothing", None),
    ],
)
def test_keys_are_found_with_names_and_indexes_in_them_or_without(path, key):
    found = find(path)
    assert (found.path if found else None) == key


def test_a_key_says_its_type_what_is_allowed_its_default_and_its_meaning():
    said = page("topology.switches.leaf.asn.per")
    assert "key topology.switches.NAME.asn.per" in said
    assert "allowed: tier, pod, device" in said
    assert "needed: yes" in said
    assert "default: false" in page("classes.rdma.lossless")
    assert "default: linux" in page("topology.hosts.gpu.system")
    assert "see: bdp, kmin" in page("classes.rdma.ecn.min")
    assert [key.path for key in keys().values() if not (key.type and key.meaning)] == []


def test_keys_hold_each_other():
    below = {f"{key.path}.{name}" for key in keys().values() for name in key.below}
    plain_paths = {path.replace(".NAME", "") for path in keys()}
    assert {path.replace(".NAME", "") for path in below} <= plain_paths


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.id)
def test_every_rule_has_its_page(rule):
    asked = ", on request" if rule.on_request else ""
    assert f"rule {rule.id} ({rule.severity.value}{asked})\n\n{rule.summary}\n" in page(rule.id)


def test_rules_are_found_by_the_codes_that_their_pages_name():
    assert "addressing.pool-overlap" in codes()["A03"]
    assert "rule addressing.pool-overlap (error)" in page("a03")
    for rule in rules():
        assert [code for code in rule.codes if rule.id not in codes()[code]] == []


def test_a_name_of_several_kinds_shows_all_of_them():
    said = page("pfc")
    assert [line for line in said.splitlines() if line.startswith(("term", "facet", "key pfc"))] == [
        *("term PFC (priority flow control)", "facet pfc", "key pfc")
    ]


@pytest.mark.parametrize("facet", sorted(FACETS))
def test_every_facet_says_what_its_rows_hold(facet):
    assert "fields: " in page(facet) or "has no more to say" in page(facet) or "An address that is there" in page(facet)


@pytest.mark.parametrize("code", ExitCode)
def test_every_exit_code_is_explained_by_its_number(code):
    assert page(str(code.value)) == f"exit code {code.value}: {code.meaning}"
    assert code.meaning in page("exit-codes")


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("headrom", "headroom"), ("cabling.ldp", "cabling.lldp"), ("HostKeyMissmatch", "HostKeyMismatch")],
)
def test_the_nearest_names_are_told(wrong, meant):
    with pytest.raises(UsageError, match="nothing is called") as caught:
        page(wrong)
    assert meant in caught.value.hint


def test_without_a_near_name_the_kinds_are_told():
    with pytest.raises(UsageError) as caught:
        page("qqq")
    assert caught.value.hint.startswith("there are: ")
    assert "`fabric explain` lists them" in caught.value.hint
