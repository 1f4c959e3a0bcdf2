"""The models alone: frozen, strict, and with the forms that the rest of the program gives them."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network

import pytest
from pydantic import ValidationError

from fabric.intent.sections.addressing import Addressing
from fabric.intent.sections.classes import ClassIntent
from fabric.intent.sections.topology import HostRole


def test_models_cannot_be_changed() -> None:
    found = ClassIntent.model_validate({"priority": 3})
    with pytest.raises(ValidationError):
        found.priority = 4


def test_pools_are_one_network_of_each_family_ipv4_first() -> None:
    written = {"loopbacks": "10.0.0.0/8", "links": "unnumbered", "hosts": ["2001:db8::/32", "10.0.0.0/8"], "mtu": 9000}
    found = Addressing.model_validate(written)
    assert (found.loopbacks, found.links) == ((IPv4Network("10.0.0.0/8"),), "unnumbered")
    assert found.hosts == (IPv4Network("10.0.0.0/8"), IPv6Network("2001:db8::/32"))


@pytest.mark.parametrize(
    ("written", "dscps"),
    [(26, (26,)), ("26", (26,)), ([34, 26, 26], (26, 34)), ("0-3", (0, 1, 2, 3)), (["8 - 9", 0], (0, 8, 9))],
)
def test_dscps_are_sorted_and_each_there_once(written: object, dscps: tuple[int, ...]) -> None:
    assert ClassIntent.model_validate({"priority": 3, "dscp": written}).dscp == dscps


def test_what_is_left_out_has_its_default() -> None:
    role = HostRole.model_validate({"count": 1, "nic": "soft-roce", "attach": "leaf"})
    assert (role.nics, role.system, role.per_group, role.interfaces) == (1, "linux", None, None)


def test_a_class_may_have_a_limit() -> None:
    assert ClassIntent.model_validate({"priority": 3, "limit": "2.5G"}).limit == 2_500_000_000
