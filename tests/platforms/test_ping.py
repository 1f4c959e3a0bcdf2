"""ping: the command that is sent, and what its answers mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.changes.command import Effect, Output
from fabric.errors import PlatformError
from fabric.platforms.contract import Ping, Pong
from fabric.platforms.parts.ping import NO_REPLY, TOO_LONG, UNREACHABLE, ping, pong

CAPTURES = Path(__file__).parent.parent / "captures" / "host" / "linux"
ASKED = Ping("leaf01", "10.64.0.0", "10.64.0.1", 9000, 2, 26, 0.5)


def test_the_size_is_that_of_the_ip_packet_and_nothing_may_be_cut() -> None:
    command = ping(ASKED)
    assert (
        command.text.partition("; ")[2] == "ping -4 -n -M do -s 8972 -c 2 -i 0.01 -W 0.5 -I 10.64.0.0 -Q 104 10.64.0.1"
    )
    assert command.effect is Effect.TRAFFIC


def test_ipv6_headers_are_longer() -> None:
    assert " -6 -n -M do -s 8952 " in ping(Ping("leaf01", "fd00::1", "fd00::2", 9000)).text


def test_a_size_below_the_headers_sends_no_payload() -> None:
    assert " -s 0 " in ping(Ping("leaf01", "10.64.0.0", "10.64.0.1", 20)).text


@pytest.mark.parametrize(
    ("capture", "sent", "received", "reason"),
    [
        ("answered", 2, 2, ""),
        ("too-long", 2, 0, TOO_LONG),
        ("too-long-out", 2, 0, TOO_LONG),
        ("dropped", 2, 0, NO_REPLY),
        ("no-reply", 2, 0, NO_REPLY),
        ("host-unreachable", 1, 0, UNREACHABLE),
        ("no-route", 1, 0, NO_REPLY),
        ("no-source", 2, 0, UNREACHABLE),
    ],
)
def test_the_reason_is_said_when_nothing_comes_back(capture: str, sent: int, received: int, reason: str) -> None:
    output = Output("ping", (CAPTURES / f"ping-{capture}.txt").read_text(), code=0 if received else 1)
    assert pong(ASKED, output) == Pong(ASKED, sent, received, reason)


def test_a_node_without_ping_is_an_error_that_names_the_package() -> None:
    with pytest.raises(PlatformError, match="not found") as caught:
        pong(ASKED, Output("ping", "", "sh: 1: ping: not found", 127))
    assert "iputils-ping" in caught.value.problems[0].hint


def test_silence_is_said_to_be_silence() -> None:
    with pytest.raises(PlatformError, match="it said nothing"):
        pong(ASKED, Output("ping", "", "", 1))
