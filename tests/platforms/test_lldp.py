"""lldp: who lldpd says is at the other end."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.changes.command import Output
from fabric.errors import PlatformError
from fabric.platforms.parts.lldp import parse_neighbours
from fabric.settings.facet import ABSENT
from fabric.settings.state.neighbours import Neighbour, Neighbours

CAPTURES = Path(__file__).parent.parent / "captures" / "host" / "linux"


def answer(text: str, code: int = 0) -> Output:
    return Output("lldpcli -f json0 show neighbors", text, "", code)


def test_the_port_id_is_taken_when_it_is_a_name() -> None:
    found = parse_neighbours(answer((CAPTURES / "lldp-ifname.json").read_text()))
    assert found == Neighbours({"eth1": Neighbour("leaf01", "swp1")})


def test_the_port_description_is_taken_when_the_id_is_a_mac_address() -> None:
    found = parse_neighbours(answer((CAPTURES / "lldp-mac.json").read_text()))
    assert found is not ABSENT
    assert found.rows["swp1"] == Neighbour("gpu01", "eth1")


def test_no_neighbours_are_none_and_not_unknown() -> None:
    assert parse_neighbours(answer('{"lldp": [{}]}')) == Neighbours({})


def test_the_first_neighbour_of_a_port_counts() -> None:
    one, two = (f'{{"name": "swp1", "chassis": [{{"name": [{{"value": "{name}"}}]}}]}}' for name in ("a", "b"))
    assert parse_neighbours(answer(f'{{"lldp": [{{"interface": [{one}, {two}]}}]}}')) == Neighbours(
        {"swp1": Neighbour("a", "")}
    )


def test_a_node_without_lldpd_does_not_know() -> None:
    assert parse_neighbours(answer("", 1)) is ABSENT


def test_garbage_is_refused() -> None:
    with pytest.raises(PlatformError, match="lldpcli"):
        parse_neighbours(answer("hello"))
