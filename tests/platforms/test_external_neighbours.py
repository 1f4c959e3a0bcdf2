"""A neighbour that the intent calls external survives in FRR's own text, though its place would make it ours."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from fabric.platforms.parts.frr_bgp import bgp_rows
from fabric.platforms.parts.frr_guard import permitted
from fabric.platforms.parts.frr_target import recorded, target
from fabric.platforms.parts.frr_text import parse_config
from fabric.settings.bgp import Bgp
from fabric.settings.scope import Scope

PORTS = frozenset({"lo", "swp1", "swp9"})
POOLS = (ip_network("10.0.0.0/16"), ip_network("10.255.0.0/16"))

RUNNING = """\
router bgp 65101
 bgp router-id 10.255.0.3
 no bgp default ipv4-unicast
 neighbor swp1 interface remote-as external
 neighbor swp9 interface remote-as external
 neighbor swp9 description border
 neighbor 10.0.0.1 remote-as 65009
 neighbor 10.0.0.1 description transit
 neighbor 10.0.0.3 remote-as 65010
 !
 address-family ipv4 unicast
  network 10.255.0.3/32
  neighbor swp1 activate
  neighbor swp9 activate
  neighbor 10.0.0.1 activate
  neighbor 10.0.0.1 route-map TRANSIT in
  neighbor 10.0.0.3 activate
 exit-address-family
exit
"""
WANTED = """\
router bgp 65101
 bgp router-id 10.255.0.3
 no bgp default ipv4-unicast
 neighbor swp1 interface remote-as external
 !
 address-family ipv4 unicast
  network 10.255.0.3/32
  neighbor swp1 activate
 exit-address-family
exit
"""


def scope(*foreign: str) -> Scope:
    return Scope(PORTS, POOLS, foreign=frozenset(foreign))


def lines_about(text: str, peer: str) -> list[str]:
    return [line for line in text.splitlines() if f"neighbor {peer} " in line]


@pytest.mark.parametrize("peer", ["10.0.0.1", "swp9"])
def test_only_the_external_neighbour_is_kept_whole(peer: str) -> None:
    text = target(RUNNING, WANTED, scope(peer))
    assert lines_about(text, peer) == lines_about(RUNNING, peer)
    others = {"10.0.0.1", "10.0.0.3", "swp9"} - {peer}
    assert [line for other in others for line in lines_about(text, other)] == []


def test_without_the_word_external_all_of_them_go() -> None:
    text = target(RUNNING, WANTED, scope())
    assert [line for peer in ("10.0.0.1", "10.0.0.3", "swp9") for line in lines_about(text, peer)] == []


def test_an_external_neighbour_is_neither_deleted_by_the_device_nor_part_of_an_undo() -> None:
    kept = scope("10.0.0.1", "swp9")
    text = target(RUNNING, WANTED, kept)
    deletions = permitted(parse_config(RUNNING), parse_config(text), kept)
    assert any("10.0.0.3" in line for line in deletions)
    assert [line for line in deletions if "10.0.0.1" in line or "swp9" in line] == []
    assert lines_about(recorded(RUNNING, kept), "10.0.0.1") == []


def test_what_is_compared_leaves_external_neighbours_out() -> None:
    rows = Bgp(bgp_rows(parse_config(RUNNING))).within(scope("10.0.0.1", "swp9")).rows
    assert {key for key in rows if key.startswith("neighbor ")} == {"neighbor swp1", "neighbor 10.0.0.3"}
