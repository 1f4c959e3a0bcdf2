"""lookup: systems are found by their folders."""

from __future__ import annotations

import pytest

from fabric.errors import PlatformError
from fabric.platforms.lookup import has_system, system, systems


def test_a_folder_is_a_system() -> None:
    assert "frr" in systems("switch")
    assert "linux" in systems("host")
    assert system("switch", "frr").name == "frr"
    assert has_system("host", "linux")


@pytest.mark.parametrize("name", ["sonic9", "../parts", ""])
def test_a_system_without_a_folder_is_refused_with_those_that_have_one(name: str) -> None:
    assert not has_system("switch", name)
    with pytest.raises(PlatformError, match="no platform yet") as caught:
        system("switch", name)
    assert "frr" in caught.value.problems[0].hint
