from __future__ import annotations

import pytest

from fabric.errors import DesignError
from fabric.hardware.lookup import naming, nic, nics, switch, switches
from fabric.hardware.models import Pcie
from fabric.hardware.ports import PortNames


@pytest.mark.parametrize(
    ("model", "system", "first", "second", "last"),
    [
        ("linux", "frr", "swp1", "swp2", "swp64"),
        ("as9736-64d", "sonic", "Ethernet0", "Ethernet8", "Ethernet504"),
        ("7060x6-64pe", "eos", "Ethernet1/1", "Ethernet2/1", "Ethernet64/1"),
        ("7060x6-64pe", "sonic", "Ethernet0", "Ethernet8", "Ethernet504"),
        ("generic-8", "frr", "swp1", "swp2", "swp8"),
        ("generic-128", "eos", "Ethernet1/1", "Ethernet2/1", "Ethernet128/1"),
    ],
)
def test_ports_have_the_names_of_the_system(model: str, system: str, first: str, second: str, last: str) -> None:
    names = switch(model).port_names(system)
    assert (names[0], names[1], names[-1]) == (first, second, last)
    assert len(names) == switch(model).ports
    assert frozenset(switch(model).port_names(system)) == frozenset(names)


def test_speeds_and_mtu_are_those_of_the_data_files() -> None:
    assert switch("as9736-64d").speeds[-1] == 400_000_000_000
    assert switch("7060x6-64pe").speeds[-1] == 800_000_000_000
    assert switch("7060x6-64pe").max_mtu("eos") == 9214
    assert switch("as9736-64d").max_mtu("sonic") == 9216
    assert switch("linux").max_mtu("frr") == 65535
    assert nic("connectx-7").speeds[-1] == 400_000_000_000


def test_a_system_that_is_not_listed_has_no_ports_of_its_own_and_no_limits() -> None:
    found = switch("as9736-64d")
    assert "frr" not in found.systems
    assert found.port_names("frr") == ()
    assert found.max_mtu("frr") is None
    assert switch("as9736-64d").port_names("frr") == ()


def test_a_system_that_is_not_listed_is_named_as_on_a_generic_switch() -> None:
    assert naming("as9736-64d", "frr").name(3) == "swp3"


def test_a_system_that_nobody_knows_cannot_be_named() -> None:
    with pytest.raises(DesignError) as caught:
        naming("linux", "vxworks")
    assert caught.value.message == "no port names are known for switch model 'linux' under system 'vxworks'"
    assert caught.value.hint == (
        "systems of this model: frr; others with known port names: cumulus, eos, junos, nxos, sonic, srlinux"
    )


@pytest.mark.parametrize("name", ["swp65", "swp0", "swp-1", "swp01", "swp", "swp1.5", "eth1", "swp²"])
def test_a_port_that_the_model_does_not_have_is_not_found(name: str) -> None:
    assert name not in switch("linux").port_names("frr")


def test_a_port_that_the_model_has_is_found() -> None:
    assert "swp64" in switch("linux").port_names("frr")
    assert "Ethernet64/1" in switch("7060x6-64pe").port_names("eos")
    assert "Ethernet64/5" not in switch("7060x6-64pe").port_names("eos")
    assert "Ethernet4" not in switch("as9736-64d").port_names("sonic")


@pytest.mark.parametrize("names", [PortNames("swp", 1, 1), PortNames("Ethernet", 0, 8), PortNames("Eth", 1, 1, "/1")])
def test_numbers_and_names_are_each_others_inverse_also_beyond_the_model(names: PortNames) -> None:
    assert [names.number(names.name(number)) for number in (1, 2, 64, 65, 1000)] == [1, 2, 64, 65, 1000]


def test_drivers_and_device_names_of_nics() -> None:
    connectx, soft = nic("connectx-7"), nic("soft-roce")
    assert (connectx.driver, connectx.names) == ("mlx5", None)
    assert soft.driver == "soft_roce"
    assert soft.names is not None
    assert [soft.names.name(number) for number in (1, 2)] == ["eth1", "eth2"]


def test_an_unknown_model_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(DesignError) as caught:
        switch("as9736")
    assert caught.value.message == "unknown switch model 'as9736'"
    assert caught.value.hint.startswith("did you mean as9736-64d")
    known = caught.value.hint.rpartition("known: ")[2].split(", ")
    assert {"7060x6-64pe", "as9736-64d", "linux", "generic-N"} <= set(known)
    assert "generic" not in known


def test_an_unknown_nic_without_a_near_name_is_refused_with_all_names() -> None:
    with pytest.raises(DesignError) as caught:
        nic("xyz")
    assert caught.value.message == "unknown NIC 'xyz'"
    assert caught.value.hint == f"known: {', '.join(nics())}"


@pytest.mark.parametrize(
    "model", ["generic", "generic-", "generic-08", "generic-1e1", "generic-99999", "../nics/soft-roce"]
)
def test_a_name_that_only_looks_like_a_model_is_refused(model: str) -> None:
    with pytest.raises(DesignError, match="unknown switch model"):
        switch(model)


@pytest.mark.parametrize("model", ["generic-7", "generic-1025"])
def test_a_generic_switch_has_bounds(model: str) -> None:
    with pytest.raises(DesignError) as caught:
        switch(model)
    assert caught.value.message == f"switch model {model!r}: a generic switch has 8 to 1024 ports"
    assert caught.value.hint == "write generic-8 to generic-1024"


@pytest.mark.parametrize("name", [name for name in switches() if name != "generic"])
def test_each_switch_file_is_complete_and_names_its_sources(name: str) -> None:
    found = switch(name)
    assert found.name == name
    assert found.systems
    assert found.source
    assert list(found.speeds) == sorted(set(found.speeds))
    for system in found.systems:
        assert len(set(switch(name).port_names(system))) == found.ports


@pytest.mark.parametrize("name", nics())
def test_each_nic_file_is_complete_and_names_its_sources(name: str) -> None:
    found = nic(name)
    assert found.name == name
    assert found.source
    assert found.max_mtu >= 9000


def test_a_lookup_is_done_once() -> None:
    assert switch("linux") is switch("linux")
    assert nic("soft-roce") is nic("soft-roce")


@pytest.mark.parametrize(
    ("name", "driver", "fastest", "mtu"),
    [
        ("connectx-4-lx", "mlx5", 50, 9978),
        ("connectx-5", "mlx5", 100, 9978),
        ("connectx-6-dx", "mlx5", 200, 9978),
        ("connectx-8", "mlx5", 400, 9978),
        ("bluefield-3", "mlx5", 400, 9978),
        ("thor", "bnxt", 200, 9500),
        ("thor2", "bnxt", 400, 9500),
        ("pollara-400", "ionic", 400, 9194),
        ("e810", "ice", 100, 9702),
    ],
)
def test_nics_of_the_field_are_there(name: str, driver: str, fastest: int, mtu: int) -> None:
    found = nic(name)
    assert (found.driver, found.speeds[-1], found.max_mtu) == (driver, fastest * 10**9, mtu)


@pytest.mark.parametrize(
    ("generation", "gigabytes"),
    [(3, 15.754), (4, 31.508), (5, 63.015), (6, 121.0)],
)
def test_sixteen_lanes_carry_what_is_published(generation: int, gigabytes: float) -> None:
    # GB/s in each direction, as in public tables of PCI Express generations (cited from memory).
    assert Pcie(generation, 16).bandwidth / 8e9 == pytest.approx(gigabytes, abs=5e-4)


@pytest.mark.parametrize("name", [name for name in nics() if name != "soft-roce"])
def test_the_interface_of_a_nic_carries_its_fastest_port(name: str) -> None:
    found = nic(name)
    assert found.pcie is not None
    assert found.pcie.bandwidth >= found.speeds[-1]
