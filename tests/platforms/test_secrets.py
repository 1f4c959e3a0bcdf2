import pytest

from fabric.platforms.parts.frr_bgp import bgp_rows
from fabric.platforms.parts.frr_text import parse_config
from fabric.platforms.parts.secrets import masked


@pytest.mark.parametrize(
    "line",
    [
        "password hunter2",
        "enable password 8 hunter2",
        "neighbor swp1 password hunter2",
        " ip ospf message-digest-key 1 md5 hunter2",
        "  key-string hunter2",
    ],
)
def test_secrets_are_masked_and_masking_twice_changes_nothing(line):
    once = masked(line)
    assert "hunter2" not in once
    assert "<masked " in once
    assert masked(once) == once


def test_equal_secrets_have_equal_marks_and_other_ones_other_marks():
    assert masked("password a") == masked("password a")
    assert masked("password a") != masked("password b")


def test_what_is_no_secret_stays():
    text = "router bgp 65101\n neighbor swp1 interface remote-as external\nservice password-encryption\n"
    assert masked(text) == text


def test_a_neighbours_password_shows_as_a_difference_without_its_text():
    text = "router bgp 65101\n neighbor swp1 interface remote-as external\n neighbor swp1 password hunter2\n"
    row = bgp_rows(parse_config(text))["neighbor swp1"]
    assert row.extra == (masked("password hunter2"),)
