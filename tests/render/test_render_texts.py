"""Texts from templates: strict, sandboxed, ordered, from the folder that goes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.errors import RenderError
from fabric.render import render, renderable, template_roots
from fabric.render.environment import split, under
from fabric.render.order import natural, sorted_rows
from fabric.settings.bgp import Announced, Bgp, BgpRow, Neighbor, Router
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Links, Port

FACTS = Facts("toy", features={"colour": "blue"})
ROWS: dict[str, BgpRow] = {
    "router": Router(65101, "10.255.0.3", 64, multipath_relax=True, requires_policy=False),
    "neighbor swp10": Neighbor("external", interface=True, activated=True),
    "neighbor swp2": Neighbor("external", interface=True, activated=True),
    "neighbor 10.0.0.1": Neighbor("65000", interface=False, activated=True),
    "network 10.255.0.3/32": Announced(),
}

FRR_CONF = """\
frr defaults datacenter
hostname leaf01
service integrated-vtysh-config
!
router bgp 65101
 bgp router-id 10.255.0.3
 no bgp default ipv4-unicast
 bgp bestpath as-path multipath-relax
 neighbor 10.0.0.1 remote-as 65000
 neighbor swp2 interface remote-as external
 neighbor swp10 interface remote-as external
 !
 address-family ipv4 unicast
  network 10.255.0.3/32
  neighbor 10.0.0.1 activate
  neighbor swp2 activate
  neighbor swp10 activate
  maximum-paths 64
 exit-address-family
exit
"""


def frr_conf(settings: Settings) -> str:
    return render("switch", "frr", "leaf01", settings, Facts("frr")).texts["frr.conf"]


@pytest.fixture
def user(tmp_path: Path) -> Path:
    (tmp_path / "switch" / "toy").mkdir(parents=True)
    return tmp_path


def toy(user: Path, text: str, settings: Settings | None = None) -> str:
    (user / "switch" / "toy" / "toy.conf.j2").write_text(text)
    given = settings if settings is not None else Settings()
    return render("switch", "toy", "leaf01", given, FACTS, templates=user).texts["toy.conf"]


def test_frr_conf_is_complete_and_in_natural_order() -> None:
    assert frr_conf(Settings(Bgp(ROWS))) == FRR_CONF
    assert frr_conf(Settings(Bgp(dict(reversed(ROWS.items()))))) == FRR_CONF


def test_frr_conf_says_ipv6_and_bfd_where_they_are_designed() -> None:
    router = Router(65101, "10.255.0.3", 64, max_paths6=32)
    both = Neighbor("external", interface=True, activated=True, activated6=True, bfd=True)
    alone = Neighbor("65000", interface=False, activated=False, activated6=True, bfd=False)
    rows: dict[str, BgpRow] = {"router": router, "neighbor swp1": both, "neighbor 2001:db8::1": alone}
    rows |= {"network 10.255.0.3/32": Announced(), "network 2001:db8:255::3/128": Announced()}
    text = frr_conf(Settings(Bgp(rows)))
    assert text.endswith(
        """\
 neighbor 2001:db8::1 remote-as 65000
 neighbor swp1 interface remote-as external
 neighbor swp1 bfd
 !
 address-family ipv4 unicast
  network 10.255.0.3/32
  neighbor swp1 activate
  maximum-paths 64
 exit-address-family
 !
 address-family ipv6 unicast
  network 2001:db8:255::3/128
  neighbor 2001:db8::1 activate
  neighbor swp1 activate
  maximum-paths 32
 exit-address-family
exit
"""
    )


def test_frr_conf_without_bgp_says_nothing_of_a_router() -> None:
    assert "router bgp" not in frr_conf(Settings())
    assert frr_conf(Settings(Bgp({}))) == frr_conf(Settings())


def test_frr_conf_leaves_out_what_the_design_has_no_opinion_on() -> None:
    text = frr_conf(Settings(Bgp({"router": Router(65101)})))
    assert [word for word in ("router-id", "multipath-relax", "maximum-paths", "policy") if word in text] == []
    idle = Neighbor("external", interface=True, activated=False)
    wanted = Bgp({"router": Router(65101, requires_policy=True), "neighbor swp1": idle})
    assert " bgp ebgp-requires-policy\n" in frr_conf(Settings(wanted))
    assert "activate" not in frr_conf(Settings(wanted))


def test_a_system_without_templates_is_named() -> None:
    with pytest.raises(RenderError, match="system 'sonic' is not renderable yet") as caught:
        render("switch", "sonic", "leaf01", Settings(), Facts("sonic"))
    assert caught.value.where == "leaf01"
    assert "frr" in caught.value.hint
    with pytest.raises(RenderError, match="'no such' is not renderable yet"):
        render("nic", "no such", "gpu01", Settings(), FACTS)


def test_templates_see_name_facts_and_rows_in_natural_order(user: Path) -> None:
    settings = Settings(Links({"swp10": Port(mtu=9000), "swp2": Port(mtu=1500)}))
    loop = "{% for port, row in links.items() %}\n{{ port }} {{ row.mtu }}\n{% endfor %}\n"
    text = f"{{{{ name }}}} {{{{ facts.features.colour }}}}\n{loop}"
    assert toy(user, text, settings) == "leaf01 blue\nswp2 1500\nswp10 9000\n"


def test_an_absent_facet_is_none_and_an_absent_value_is_false(user: Path) -> None:
    assert toy(user, "{{ bgp is none }} {{ pfc is none }}") == "True True"
    assert (
        toy(user, "{% if links.swp1.mtu %}set{% else %}unset{% endif %}", Settings(Links({"swp1": Port()}))) == "unset"
    )


def test_every_template_makes_an_artefact_but_those_with_an_underscore(user: Path) -> None:
    folder = user / "switch" / "toy"
    (folder / "b.sh.j2").write_text("b {% include 'switch/toy/_part.j2' %}")
    (folder / "_part.j2").write_text("part")
    (folder / "notes.txt").write_text("no template")
    (folder / "a.conf.j2").write_text("a <&>")
    made = render("switch", "toy", "leaf01", Settings(), FACTS, templates=user)
    assert dict(made.texts) == {"a.conf": "a <&>", "b.sh": "b part"}
    assert made.node == "leaf01"


def test_a_file_of_the_user_replaces_ours_one_by_one(user: Path) -> None:
    (user / "switch" / "frr").mkdir()
    (user / "switch" / "frr" / "frr.conf.j2").write_text("mine\n")
    ours = render("switch", "frr", "leaf01", Settings(), Facts("frr"))
    mixed = render("switch", "frr", "leaf01", Settings(), Facts("frr"), templates=user)
    assert mixed.texts["frr.conf"] == "mine\n"
    assert mixed.texts.keys() == ours.texts.keys()
    assert "toy" not in renderable("switch", templates=user)
    assert "frr" in renderable("switch")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ nothing }}", "'nothing' is undefined"),
        ("{{ facts.model.maker }}", "has no attribute 'maker'"),
        ("{{ name.__class__.__mro__ }}", "unsafe"),
        ("{{ links.swp1.__class__ }}", "unsafe"),
        ("{% include '/etc/passwd' %}", "/etc/passwd"),
        ("{% include '../../secret' %}", "secret"),
        ("{% set _ = facts.features.update({}) %}", "update"),
    ],
    ids=[
        "undefined",
        "undefined-attribute",
        "inside-of-python",
        "inside-of-a-row",
        "absolute-file",
        "file-above",
        "changed-value",
    ],
)
def test_a_template_reaches_only_what_it_is_given(user: Path, text: str, message: str) -> None:
    with pytest.raises(RenderError, match=message) as caught:
        toy(user, text, Settings(Links({"swp1": Port()})))
    assert "switch/toy/toy.conf.j2" in caught.value.where


def test_a_template_that_is_not_well_formed_is_named_with_its_line(user: Path) -> None:
    with pytest.raises(RenderError, match="not well-formed") as caught:
        toy(user, "one\n{% for %}\n")
    assert caught.value.where.endswith("switch/toy/toy.conf.j2:2")


def test_the_folders_go_user_first_then_ours(user: Path) -> None:
    roots = template_roots(user)
    assert roots[0] == user
    assert roots[1:] == template_roots()
    assert all((root / "switch" / "frr" / "frr.conf.j2").is_file() for root in roots[1:])
    with pytest.raises(RenderError, match="folder of templates is not there") as caught:
        template_roots(user / "absent")
    assert caught.value.where.endswith("absent")


def test_keys_of_rows_are_taken_apart() -> None:
    rows = {"swp1 10.0.0.0/31": 1, "swp1": 2, "swp10 x": 3}
    assert under(rows, "swp1") == (("10.0.0.0/31", 1), ("", 2))
    assert split(rows) == (("swp1", "10.0.0.0/31", 1), ("swp1", 2), ("swp10", "x", 3))
    assert under(None, "swp1") == split(None) == ()


def test_numbers_in_keys_count_as_numbers() -> None:
    keys = ["swp10", "swp2", "swp2s1", "lo", "10.0.0.10/31", "10.0.0.9/31", "swp"]
    assert sorted(keys, key=natural) == ["10.0.0.9/31", "10.0.0.10/31", "lo", "swp", "swp2", "swp2s1", "swp10"]
    assert list(sorted_rows({"b": 1, "a": 2})) == ["a", "b"]
