"""sysctl: kernel parameters as /proc/sys shows them, and how they are set."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.changes.change import Steps
from fabric.changes.command import Output
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.reading import Reading
from fabric.changes.steps import Impact, Run
from fabric.errors import PlatformError
from fabric.platforms.parts import sysctl
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.sysctl import Parameter, Sysctl

CAPTURE = Path(__file__).parent.parent / "captures" / "switch" / "frr" / "sysctl.txt"
READING = Reading("leaf01", Facts("frr"), Settings())


def delta(**values: tuple[str | None, str | None]) -> Delta:
    rows = (
        RowDelta(Sysctl.name, key.replace("__", "."), now and Parameter(now), wanted and Parameter(wanted))
        for key, (now, wanted) in values.items()
    )
    return Delta("leaf01", tuple(rows))


def test_parameters_are_read_under_dotted_names() -> None:
    found = sysctl.parse_sysctl(Output("grep", CAPTURE.read_text())).rows
    assert found["net.ipv4.ip_forward"] == Parameter("0")
    assert found["net.ipv4.conf.swp1.rp_filter"] == Parameter("0")
    assert found["net.ipv6.conf.all.forwarding"] == Parameter("0")


def test_several_numbers_have_single_blanks_and_ports_with_dots_are_left_out() -> None:
    text = "ipv4/ip_local_port_range:32768\t60999\nipv4/conf/eth0.7/rp_filter:1\nnoise\n"
    assert sysctl.parse_sysctl(Output("grep", text)).rows == {"net.ipv4.ip_local_port_range": Parameter("32768 60999")}


def test_forwarding_is_set_first_and_values_are_set_back() -> None:
    change = delta(
        net__ipv4__conf__all__rp_filter=("0", "2"),
        net__ipv4__ip_forward=("0", "1"),
        net__ipv4__ip_local_port_range=("1 2", "3 4"),
    )
    steps = sysctl.steps(READING, change)
    forth, back = (step for half in (steps.do, steps.undo) for step in half if isinstance(step, Run))
    assert forth.command.text == (
        "sysctl -q -w net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=2 'net.ipv4.ip_local_port_range=3 4'"
    )
    assert back.command.text == (
        "sysctl -q -w net.ipv4.ip_forward=0 net.ipv4.conf.all.rp_filter=0 'net.ipv4.ip_local_port_range=1 2'"
    )
    assert (forth.impact, back.impact) == (Impact.HITLESS, Impact.DROP)


def test_nothing_to_set_is_no_step() -> None:
    assert sysctl.steps(READING, delta()) == Steps()


def test_a_parameter_that_is_not_read_cannot_be_set() -> None:
    with pytest.raises(PlatformError, match=r"net\.ipv4\.tcp_congestion does not exist") as caught:
        sysctl.steps(READING, delta(net__ipv4__tcp_congestion=(None, "1")))
    assert "/proc/sys/net/ipv4/tcp_congestion" in caught.value.problems[0].hint


@pytest.mark.parametrize(
    "key",
    [
        "net.ipv4.ip_forward",
        "net.ipv4.fib_multipath_hash_policy",
        "net.ipv4.conf.all.rp_filter",
        "net.ipv4.conf.swp1.rp_filter",
        "net.ipv4.conf.all.arp_ignore",
        "net.ipv4.conf.all.arp_announce",
        "net.ipv6.conf.all.forwarding",
    ],
)
def test_what_designs_name_is_read(key: str) -> None:
    assert key in sysctl.parse_sysctl(Output("grep", CAPTURE.read_text())).rows
