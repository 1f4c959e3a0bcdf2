"""Targets: our scope replaced, all else as it stood."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path

import pytest

from fabric.errors import PlatformError
from fabric.platforms.parts.frr_bgp import bgp_rows
from fabric.platforms.parts.frr_target import bared, recorded, target
from fabric.platforms.parts.frr_text import parse_config, parse_running
from fabric.settings.bgp import Bgp, BgpRow
from fabric.settings.scope import Scope

CAPTURES = Path(__file__).parents[1] / "captures" / "switch" / "frr"
SCOPE = Scope(frozenset({"lo", "swp1", "swp2", "swp3"}), (ip_network("10.0.0.0/16"), ip_network("10.255.0.0/16")))

CONF = """\
frr defaults datacenter
hostname leaf01
!
router bgp 65101
 bgp router-id 10.255.0.3
 no bgp default ipv4-unicast
 bgp bestpath as-path multipath-relax
 neighbor swp1 interface remote-as external
 neighbor swp2 interface remote-as external
 !
 address-family ipv4 unicast
  network 10.255.0.3/32
  neighbor swp1 activate
  neighbor swp2 activate
  maximum-paths 64
 exit-address-family
exit
"""

RUNNINGS = [path.name for path in sorted(CAPTURES.glob("running-config*.txt"))]


def own(name: str) -> str:
    return parse_running((CAPTURES / name).read_text()).text()


def ours(text: str) -> dict[str, BgpRow]:
    return dict(Bgp(bgp_rows(parse_config(text))).within(SCOPE).rows)


def evpn(text: str) -> tuple[str, ...]:
    router = parse_config(text).router
    return router.lines("l2vpn evpn") if router else ()


def foreign(text: str) -> dict[str, BgpRow]:
    rows = bgp_rows(parse_config(text))
    return {key: row for key, row in rows.items() if not Bgp.owned(key, SCOPE)}


@pytest.mark.parametrize("name", RUNNINGS)
def test_the_target_means_what_was_rendered_and_keeps_what_is_foreign(name: str) -> None:
    text = target(own(name), CONF, SCOPE)
    assert ours(text) == ours(CONF)
    assert foreign(text) == foreign(own(name))
    assert "ip route 198.51.100.0/24 Null0" in text


@pytest.mark.parametrize("name", RUNNINGS)
def test_a_target_of_a_target_is_the_same(name: str) -> None:
    text = target(own(name), CONF, SCOPE)
    assert target(text, CONF, SCOPE) == text


@pytest.mark.parametrize("name", RUNNINGS)
def test_what_was_recorded_leads_back(name: str) -> None:
    now = own(name)
    back = target(target(now, CONF, SCOPE), recorded(now, SCOPE), SCOPE)
    assert bgp_rows(parse_config(back)) == bgp_rows(parse_config(now))
    assert sorted(set(back.split("\n")) - {" !"}) == sorted(set(now.split("\n")) - {" !"})


def test_a_text_that_says_nothing_becomes_the_rendered_one() -> None:
    assert target("", CONF, SCOPE) == CONF
    assert target("!\n\n", CONF, SCOPE) == CONF


def test_a_file_by_hand_keeps_its_comments_and_other_blocks() -> None:
    text = target(
        "! kept by the site team\nlog syslog\n!\nrouter bgp 65101\n! transit\nneighbor 192.0.2.2 remote-as 64999\n"
        "!\naddress-family ipv4 unicast\nneighbor 192.0.2.2 activate\nexit-address-family\n# and one more\n"
        "bgp as-path access-list X permit ^65000\n!\nroute-map X permit 10\n match interface lo\nexit\n",
        CONF,
        SCOPE,
    )
    assert text.startswith("! kept by the site team\nlog syslog\n!\nrouter bgp 65101\n")
    assert "exit\n# and one more\nbgp as-path access-list X permit ^65000\n!\nroute-map X permit 10\n match int" in text
    assert " ! transit\n" in text
    assert set(foreign(text)) == {"neighbor 192.0.2.2"}


def test_the_router_of_another_vrf_and_a_listen_range_stay() -> None:
    text = target(
        "frr defaults datacenter\nrouter bgp 65101\n neighbor PG peer-group\n"
        " bgp listen range 192.0.2.0/24 peer-group PG\nexit\n!\n"
        "router bgp 65101 vrf BLUE\n neighbor swp1 interface remote-as external\nexit\n",
        CONF,
        SCOPE,
    )
    assert "router bgp 65101 vrf BLUE\n neighbor swp1 interface remote-as external\nexit\n" in text
    assert text.index("neighbor PG peer-group") < text.index("bgp listen range")


def test_activation_is_said_only_where_it_is_not_the_default() -> None:
    default_on = target("frr defaults datacenter\nrouter bgp 65101\nexit\n", CONF, SCOPE)
    assert "activate" not in default_on
    assert ours(default_on) == ours(CONF)
    silent = CONF.replace("  neighbor swp2 activate\n", "")
    assert "  no neighbor swp2 activate\n" in target("frr defaults datacenter\nrouter bgp 65101\nexit\n", silent, SCOPE)


def test_the_need_of_a_policy_is_worded_for_the_profile_of_the_node() -> None:
    plain = "frr defaults {}\nrouter bgp 65101\nexit\n"
    assert " no bgp ebgp-requires-policy\n" in target(plain.format("traditional"), CONF, SCOPE)
    assert "ebgp-requires-policy" not in target(plain.format("datacenter"), CONF, SCOPE)
    strict = CONF.replace(" no bgp default", " bgp ebgp-requires-policy\n no bgp default")
    assert " bgp ebgp-requires-policy\n" in target(plain.format("datacenter"), strict, SCOPE)
    assert "ebgp-requires-policy" not in target(plain.format("traditional"), strict, SCOPE)


def test_the_width_that_frr_does_not_show_is_left_out() -> None:
    now = own("running-config.txt")
    assert "maximum-paths" not in target(now, CONF, SCOPE, width=64)
    assert "maximum-paths 64" in target(now, CONF, SCOPE, width=256)
    assert "maximum-paths" not in target(
        "frr defaults datacenter\nrouter bgp 1\nexit\n", "router bgp 1\n", SCOPE, width=8
    )


def test_another_as_number_takes_foreign_neighbours_along() -> None:
    text = target(own("running-config.txt"), CONF.replace("65101", "65102"), SCOPE)
    assert "router bgp 65102\n" in text
    assert "router bgp 65101" not in text
    assert foreign(text) == foreign(own("running-config.txt"))


def test_a_router_that_nobody_wants_goes_unless_something_foreign_is_in_it() -> None:
    assert "router bgp" not in target(CONF, "frr defaults datacenter\n", SCOPE)
    kept = target(own("running-config.txt"), "frr defaults datacenter\n", SCOPE)
    assert foreign(kept) == foreign(own("running-config.txt"))
    assert set(ours(kept)) == {"router"}
    assert (
        target("ip route 192.0.2.0/24 Null0\n", "frr defaults datacenter\n", SCOPE) == "ip route 192.0.2.0/24 Null0\n"
    )
    assert "router bgp" not in recorded("frr defaults datacenter\n", SCOPE)


def test_other_families_of_a_neighbour_stay_with_it_and_go_with_it() -> None:
    now = CONF.replace(
        "exit\n",
        " !\n address-family l2vpn evpn\n  neighbor swp1 activate\n  neighbor swp3 activate\n"
        " exit-address-family\nexit\n",
    ).replace(" neighbor swp2", " neighbor swp3 interface remote-as external\n neighbor swp2")
    text = target(now, CONF, SCOPE)
    assert evpn(text) == ("neighbor swp1 activate",)
    back = target(text, recorded(now, SCOPE), SCOPE)
    assert evpn(back) == (
        "neighbor swp1 activate",
        "neighbor swp3 activate",
    )


def test_a_neighbour_that_goes_is_bared_first_and_others_are_not() -> None:
    said = (
        " neighbor swp3 interface remote-as external\n neighbor swp3 description old\n neighbor swp1 timers 1 3\n !\n"
    )
    now, then = parse_config(CONF.replace(" !\n", said, 1)), parse_config(CONF)
    text = bared(now, then, SCOPE).text()
    assert "neighbor swp3 interface remote-as external" in text
    assert "description old" not in text
    assert "neighbor swp1 timers 1 3" in text
    assert bared(then, now, SCOPE) == then
    assert bared(now, parse_config(CONF.replace("65101", "65102")), SCOPE) == now


def test_two_routers_in_one_text_are_an_error() -> None:
    with pytest.raises(PlatformError, match="two blocks 'router bgp'"):
        parse_config(CONF + "!\n" + CONF, "leaf01")
