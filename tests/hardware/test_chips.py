from __future__ import annotations

import pytest

from fabric.hardware.asics import MerchantPause, NvidiaPause
from fabric.hardware.lookup import asic, asics, switch, switches

UNKNOWN = {"none", "Cloud Scale", "Tofino2"}


@pytest.mark.parametrize("file", asics())
def test_each_file_of_a_chip_is_complete_and_names_its_sources(file: str) -> None:
    found = asic(file)
    assert found is not None
    assert found.name.lower() == file
    assert found.source
    assert 64 <= found.cell <= 512
    pause = found.pause
    if isinstance(pause, NvidiaPause):
        assert 0 < pause.small_packets <= 100
        assert list(pause.quanta) == sorted(pause.quanta)
    else:
        assert 1 < pause.waste < 6
        assert pause.margin >= 1


def test_a_chip_is_found_by_the_name_that_models_give_it() -> None:
    four, five = asic(switch("as9736-64d").asic), asic(switch("sn5640").asic)
    assert four is not None
    assert (four.name, four.cell) == ("Tomahawk4", 254)
    assert isinstance(four.pause, MerchantPause)
    assert five is not None
    assert (five.name, five.cell) == ("Spectrum-5", 192)
    assert isinstance(five.pause, NvidiaPause)
    assert five.pause.quanta[400 * 10**9] == 905


@pytest.mark.parametrize("name", ["none", "Cloud Scale", "", "../switches/linux", "Tomahawk"])
def test_a_chip_without_data_is_not_guessed(name: str) -> None:
    assert asic(name) is None


def test_the_chips_of_all_models_are_known_but_for_those_that_have_no_published_constants() -> None:
    used = {switch("generic-64" if name == "generic" else name).asic for name in switches()}
    assert {name for name in used if asic(name) is None} == UNKNOWN
