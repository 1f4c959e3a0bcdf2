"""Names of ports that are broken out, and which breakouts models have."""

from __future__ import annotations

import pytest

from fabric.errors import DesignError
from fabric.hardware.lookup import naming, switch, switches
from fabric.hardware.ports import WAYS, ChildNames, PortNames, Spot

GIGA = 10**9


@pytest.mark.parametrize(
    ("model", "system", "number", "ways", "expected"),
    [
        ("as9736-64d", "sonic", 1, 2, ["Ethernet0", "Ethernet4"]),
        ("as9736-64d", "sonic", 2, 4, ["Ethernet8", "Ethernet10", "Ethernet12", "Ethernet14"]),
        ("sn2700", "sonic", 2, 2, ["Ethernet4", "Ethernet6"]),
        ("7060x6-64pe", "eos", 1, 2, ["Ethernet1/1", "Ethernet1/5"]),
        ("7060dx5-64s", "eos", 64, 4, ["Ethernet64/1", "Ethernet64/3", "Ethernet64/5", "Ethernet64/7"]),
        ("7050cx3-32s", "eos", 1, 4, ["Ethernet1/1", "Ethernet1/2", "Ethernet1/3", "Ethernet1/4"]),
        ("sn5600", "cumulus", 1, 2, ["swp1s0", "swp1s1"]),
        ("linux", "frr", 3, 2, ["swp3s0", "swp3s1"]),
        ("n9k-c9332d-gx2b", "nxos", 1, 4, ["Ethernet1/1/1", "Ethernet1/1/2", "Ethernet1/1/3", "Ethernet1/1/4"]),
        ("qfx5240-64od", "junos", 1, 2, ["et-0/0/0:0", "et-0/0/0:1"]),
        ("generic-64", "srlinux", 1, 2, ["ethernet-1/1/1", "ethernet-1/1/2"]),
    ],
)
def test_parts_are_named_as_the_system_names_them(
    model: str, system: str, number: int, ways: int, expected: list[str]
) -> None:
    names = naming(model, system)
    assert [names.name(number, sub, ways) for sub in range(ways)] == expected


@pytest.mark.parametrize("model", [name for name in switches() if name != "generic"])
def test_names_and_spots_are_each_others_inverse_on_every_model(model: str) -> None:
    found = switch(model)
    for system in found.systems:
        names = naming(model, system)
        for ways in (1, *found.breakouts):
            spots = [Spot(number, sub, ways) for number in range(1, found.ports + 1) for sub in range(ways)]
            made = [names.name(*spot) for spot in spots]
            assert len(set(made)) == len(made)
            assert [names.spot(name, ways) for name in made] == spots


@pytest.mark.parametrize("model", [name for name in switches() if name != "generic"])
def test_parts_are_no_faster_than_their_port(model: str) -> None:
    found = switch(model)
    assert set(found.breakouts) <= set(WAYS[1:])
    for speeds in found.breakouts.values():
        assert list(speeds) == sorted(set(speeds))
        assert max(speeds) <= max(found.speeds)


@pytest.mark.parametrize(
    ("name", "spot"),
    [
        ("Ethernet0", Spot(1, 0, 1)),
        ("Ethernet4", Spot(1, 1, 2)),
        ("Ethernet10", Spot(2, 1, 4)),
        ("Ethernet15", Spot(2, 7, 8)),
        ("Ethernet04", None),
        ("Ethernet", None),
        ("Ethernet-8", None),
        ("swp1", None),
    ],
)
def test_without_ways_the_fewest_that_make_a_name_are_meant(name: str, spot: Spot | None) -> None:
    assert naming("as9736-64d", "sonic").spot(name) == spot


@pytest.mark.parametrize(("ways", "spot"), [(1, Spot(1, 0, 1)), (2, Spot(1, 0, 2)), (4, Spot(1, 0, 4)), (3, None)])
def test_a_name_of_several_things_is_told_by_its_ways(ways: int, spot: Spot | None) -> None:
    assert naming("as9736-64d", "sonic").spot("Ethernet0", ways) == spot


@pytest.mark.parametrize(
    "name", ["swp1s2", "swp1s01", "swp1s", "swps1", "swp0s0", "swp1s0s1", "eth1s0", f"swp{'1' * 5000}s0"]
)
def test_what_the_pattern_does_not_make_has_no_spot(name: str) -> None:
    assert naming("linux", "frr").spot(name, 2) is None


def test_a_whole_port_alone_has_a_number() -> None:
    names = naming("linux", "frr")
    assert (names.number("swp3"), names.number("swp3s0")) == (3, None)


@pytest.mark.parametrize(
    ("names", "hint"),
    [
        (PortNames("swp", 1, 1), "ways to break it out: none"),
        (PortNames("Ethernet", 0, 4, children=ChildNames(lanes=4)), "ways to break it out: 2x, 4x"),
    ],
)
def test_parts_that_do_not_exist_are_refused(names: PortNames, hint: str) -> None:
    with pytest.raises(DesignError) as caught:
        names.name(1, 7, 8)
    assert caught.value.message == f"port {names.name(1)} has no part 8 of 8"
    assert caught.value.hint == hint


@pytest.mark.parametrize("spot", [(1, 2, 2), (1, -1, 2), (1, 1, 1)])
def test_a_part_beyond_its_ways_is_refused(spot: tuple[int, int, int]) -> None:
    with pytest.raises(DesignError, match="has no part"):
        naming("linux", "frr").name(*spot)


def test_broken_out_ports_take_the_place_of_the_whole_one() -> None:
    names = switch("sn2700").port_names("sonic", {1: 2})
    assert names[:3] == ("Ethernet0", "Ethernet2", "Ethernet4")
    assert len(names) == 33
    assert "Ethernet2" not in switch("sn2700").port_names("sonic")


def test_speeds_of_ports_and_parts() -> None:
    found = switch("7060x6-64pe")
    assert found.speeds_of(1) == (400 * GIGA, 800 * GIGA)
    assert found.speeds_of(2) == (400 * GIGA,)
    assert found.speeds_of(3) == ()


def test_models_of_the_field_are_there() -> None:
    assert switch("sn5600").breakouts[2][-1] == 400 * GIGA
    assert (switch("sn5600").ports, switch("sn5600").asic) == (64, "Spectrum-4")
    assert (switch("sn2700").ports, switch("sn2700").breakouts[2][-1]) == (32, 50 * GIGA)
    assert switch("qfx5240-64od").max_mtu("junos") == 9170
