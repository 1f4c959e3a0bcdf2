"""What FRR 8.4.4 printed, read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fabric.changes.command import Output
from fabric.errors import PlatformError
from fabric.platforms.parts import frr
from fabric.platforms.parts.frr_read import startup_text
from fabric.settings.bgp import Announced, Bgp, Neighbor, Router
from fabric.settings.facet import ABSENT
from fabric.settings.facts import Facts
from fabric.settings.persistence import Persistence
from fabric.settings.scope import Scope
from fabric.settings.state.paths import Path as Way
from fabric.settings.state.paths import Paths
from fabric.settings.state.sessions import Session, Sessions

CAPTURES = Path(__file__).parents[1] / "captures" / "switch" / "frr"
FACTS = Facts("frr", features={"frr.multipath": "256"})
(BGP,) = frr.readers()
SESSIONS, PATHS = frr.state_readers(FACTS)


def captured(name: str) -> str:
    return (CAPTURES / name).read_text()


def out(text: str, code: int = 0, error: str = "") -> Output:
    return Output("vtysh -c '...'", text, error, code)


def unnumbered(remote_as: str, *, activated: bool = True, extra: tuple[str, ...] = ()) -> Neighbor:
    return Neighbor(remote_as, interface=True, activated=activated, activated6=False, bfd=False, extra=extra)


def bgp_of(running: str, daemons: str = "daemons.txt", facts: Facts = FACTS) -> object:
    return BGP.parse(facts, (out(captured(daemons)), out(running)))


def test_router_neighbours_and_networks_are_rows() -> None:
    assert bgp_of(captured("running-config.txt")) == Bgp(
        {
            "router": Router(65101, "10.255.0.3", 64, multipath_relax=True, requires_policy=False, max_paths6=256),
            "neighbor swp1": unnumbered("external"),
            "neighbor swp2": unnumbered("external"),
            "neighbor 192.0.2.2": replace(unnumbered("64999", extra=("description transit",)), interface=False),
            "network 10.255.0.3/32": Announced(),
        }
    )


def test_members_inherit_from_their_peer_group_which_is_no_row() -> None:
    bgp = bgp_of(captured("running-config-peer-group.txt"))
    assert isinstance(bgp, Bgp)
    assert bgp.rows["neighbor swp1"] == unnumbered("external", extra=("timers 1 3",))
    assert "neighbor PG" not in bgp.rows


def test_what_a_hand_changed_shows() -> None:
    before, after = bgp_of(captured("running-config.txt")), bgp_of(captured("running-config-drifted.txt"))
    assert isinstance(before, Bgp)
    assert isinstance(after, Bgp)
    differing = {key for key in before.rows.keys() | after.rows.keys() if before.rows.get(key) != after.rows.get(key)}
    assert differing == {"router", "neighbor swp1", "neighbor swp2", "network 10.255.9.9/32"}
    assert after.rows["neighbor swp2"] == unnumbered("external", extra=("shutdown",))


@pytest.mark.parametrize(
    ("said", "row"),
    [
        ("neighbor swp1 interface v6only remote-as 65000", unnumbered("65000", extra=("interface v6only",))),
        ("neighbor swp1 interface\n neighbor swp1 remote-as external", unnumbered("external")),
        ("neighbor swp1 interface", unnumbered("")),
        (
            "neighbor swp1 interface remote-as external\n neighbor swp1 capability extended-nexthop",
            unnumbered("external"),
        ),
        (
            "neighbor swp1 interface remote-as external\n no neighbor swp1 send-community",
            unnumbered("external", extra=("no send-community",)),
        ),
        (
            "neighbor swp1 interface remote-as external\n address-family ipv4 unicast\n  no neighbor swp1 activate",
            unnumbered("external", activated=False),
        ),
        (
            "no bgp default ipv4-unicast\n neighbor swp1 interface remote-as external",
            unnumbered("external", activated=False),
        ),
        (
            "neighbor swp1 interface remote-as external\n address-family ipv4 unicast\n  neighbor swp1 route-map X in",
            unnumbered("external", extra=("ipv4 unicast: route-map X in",)),
        ),
    ],
    ids=["v6only", "two-lines", "no-as", "capability-that-is-default", "a-no", "deactivated", "no-default", "policy"],
)
def test_a_neighbour_in_all_its_words(said: str, row: Neighbor) -> None:
    bgp = bgp_of(f"Current configuration:\n!\nfrr defaults datacenter\n!\nrouter bgp 1\n {said}\nexit\n!\nend\n")
    assert isinstance(bgp, Bgp)
    assert bgp.rows["neighbor swp1"] == row


def test_what_is_not_said_is_the_default_of_profile_and_build() -> None:
    running = "Current configuration:\n!\nfrr defaults {}\n!\nrouter bgp 1\nexit\nend\n"
    datacenter, traditional = (bgp_of(running.format(p)) for p in ("datacenter", "traditional"))
    assert datacenter == Bgp(
        {"router": Router(1, "auto", 256, multipath_relax=False, requires_policy=False, max_paths6=256)}
    )
    assert traditional == Bgp(
        {"router": Router(1, "auto", 256, multipath_relax=False, requires_policy=True, max_paths6=256)}
    )
    unknown = bgp_of(running.format("datacenter"), facts=Facts("frr"))
    assert unknown == Bgp({"router": Router(1, "auto", ABSENT, multipath_relax=False, requires_policy=False)})


def test_a_network_with_a_policy_shows_it() -> None:
    bgp = bgp_of(captured("running-config.txt").replace("10.255.0.3/32", "10.255.0.3/32 route-map X"))
    assert isinstance(bgp, Bgp)
    assert bgp.rows["network 10.255.0.3/32"] == Announced(extra=("route-map X",))


def test_no_router_is_an_empty_facet_and_no_bgpd_an_absent_one() -> None:
    bare = captured("running-config-without-bgpd.txt")
    assert bgp_of(bare) == Bgp({})
    assert bgp_of(bare, "daemons-without-bgpd.txt") is ABSENT


def test_another_vrf_is_not_ours_to_read() -> None:
    running = captured("running-config.txt")
    assert bgp_of(
        running.replace("!\nend", "!\nrouter bgp 65101 vrf BLUE\n neighbor swp7 interface\nexit\n!\nend")
    ) == (bgp_of(running))


@pytest.mark.parametrize("text", ["", "% Unknown command", "Current configuration:\n!\nend\n"])
def test_a_running_configuration_that_is_none_is_an_error(text: str) -> None:
    with pytest.raises(PlatformError, match="show running-config") as caught:
        bgp_of(text)
    assert "vtysh" in caught.value.hint


def test_daemons_that_are_no_names_are_an_error() -> None:
    with pytest.raises(PlatformError, match="failed to connect to any daemons"):
        BGP.parse(FACTS, (out(captured("version-without-daemons.txt"), 1), out(captured("running-config.txt"))))


def test_sessions_come_by_port_and_address() -> None:
    assert SESSIONS.parse(FACTS, (out(captured("bgp-summary.json")),)) == Sessions(
        {
            "192.0.2.2": Session("Active", 0, 0),
            "swp1": Session("Established", 2, 0),
            "swp2": Session("Established", 2, 0),
        }
    )


def test_without_bgpd_there_are_no_sessions() -> None:
    assert SESSIONS.parse(FACTS, (out(captured("bgp-summary-without-bgpd.txt"), 1),)) == Sessions({})
    assert SESSIONS.parse(FACTS, (out("", 1, "bgpd is not running\n"),)) == Sessions({})
    assert SESSIONS.parse(FACTS, (out("{}\n"),)) == Sessions({})


def test_paths_are_the_ports_in_the_forwarding_table() -> None:
    assert PATHS.parse(FACTS, (out(captured("ip-route-bgp.json")),)) == Paths(
        {"10.64.0.0/24": Way(("swp1", "swp2")), "10.255.0.1/32": Way(("swp1",)), "10.255.0.2/32": Way(("swp2",))}
    )


def test_a_route_that_is_not_selected_or_not_in_the_kernel_is_no_path() -> None:
    text = captured("ip-route-bgp.json")
    assert PATHS.parse(FACTS, (out(text.replace('"selected":true', '"selected":false')),)) == Paths({})
    assert PATHS.parse(FACTS, (out(text.replace('"fib":true', '"fib":false')),)) == Paths({})


@pytest.mark.parametrize(
    "text", ["", "Exiting: failed to connect to any daemons.", "[]", '{"ipv4Unicast": {"peers": 3}}']
)
def test_state_that_is_not_the_json_of_frr_is_an_error(text: str) -> None:
    with pytest.raises(PlatformError, match="instead of the JSON"):
        SESSIONS.parse(FACTS, (out(text, 1),))
    with pytest.raises(PlatformError, match="instead of the JSON"):
        PATHS.parse(FACTS, (out(text, 1),))


def test_facts_are_version_width_daemons_and_profile() -> None:
    outputs = tuple(out(captured(name)) for name in ("version.txt", "daemons.txt", "running-config.txt"))
    assert frr.features(outputs) == {
        "frr.version": "8.4.4",
        "frr.multipath": "256",
        "frr.daemons": "bgpd staticd zebra",
        "frr.defaults": "datacenter",
    }
    silent = out(captured("version.txt").replace("--enable-multipath=256", ""))
    assert "frr.multipath" not in frr.features((silent, *outputs[1:]))


def test_no_frr_that_answers_is_an_error_that_says_what_to_do() -> None:
    dead = out(captured("version-without-daemons.txt"), 1)
    with pytest.raises(PlatformError, match="failed to connect to any daemons") as caught:
        frr.features((dead, dead, dead))
    assert "installed and running" in caught.value.hint


def test_the_startup_file_is_saved_row_by_row() -> None:
    rows = frr.saved(out(captured("running-config.txt")))
    assert set(rows) == {
        "frr.conf router",
        "frr.conf neighbor swp1",
        "frr.conf neighbor swp2",
        "frr.conf neighbor 192.0.2.2",
        "frr.conf network 10.255.0.3/32",
    }
    scope = Scope(frozenset({"swp1"}))
    assert set(Persistence(rows).within(scope).rows) == {"frr.conf router", "frr.conf neighbor swp1"}


def test_what_ipv6_adds_is_saved_in_rows_of_its_own() -> None:
    with_six, without = (
        frr.saved(out(captured("dual-stack-running.txt").replace(*words)))
        for words in (
            ("", ""),
            ("  neighbor swp1 activate\n  maximum-paths 64\n exit-address-family\nexit", " exit-address-family\nexit"),
        )
    )
    assert set(with_six) - set(without) == {"frr.conf ipv6 router", "frr.conf ipv6 neighbor swp1"}
    assert {key: row for key, row in with_six.items() if key in without} == without


def test_saved_forwarding_switches_are_rows_of_sysctl() -> None:
    rows = Persistence(frr.saved(out("no ip forwarding\n!\n")))
    assert set(rows.rows) == {"frr.conf sysctl net.ipv4.ip_forward"}
    assert rows.within(Scope(frozenset({"swp1"}))).rows == {}
    managed = Scope(frozenset({"swp1"}), names=frozenset({"sysctl net.ipv4.ip_forward"}))
    assert rows.within(managed) == rows


def test_no_startup_file_is_empty_and_an_unreadable_one_an_error() -> None:
    missing = Output("cat /etc/frr/frr.conf", "", "cat: /etc/frr/frr.conf: No such file or directory", 1)
    assert frr.saved(missing) == {}
    with pytest.raises(PlatformError, match="Permission denied"):
        startup_text(Output("cat /etc/frr/frr.conf", "", "cat: /etc/frr/frr.conf: Permission denied", 1))


def test_ipv6_networks_activations_widths_and_bfd_are_rows() -> None:
    rows = {
        "router": Router(65001, "10.255.0.1", 64, multipath_relax=True, requires_policy=False, max_paths6=64),
        "neighbor swp1": Neighbor("external", interface=True, activated=True, activated6=True, bfd=True),
        "network 10.255.0.1/32": Announced(),
        "network 2001:db8:255::1/128": Announced(),
    }
    assert bgp_of(captured("dual-stack-running.txt"), "daemons-with-bfdd.txt") == Bgp(rows)


def test_bfd_that_is_said_without_its_daemon_is_absent() -> None:
    bgp = bgp_of(captured("dual-stack-running.txt"), "daemons.txt")
    assert isinstance(bgp, Bgp)
    row = bgp.rows["neighbor swp1"]
    assert isinstance(row, Neighbor)
    assert row.bfd is ABSENT


@pytest.mark.parametrize(
    ("said", "bfd", "extra"),
    [
        ("neighbor swp1 bfd", True, ()),
        ("no neighbor swp1 bfd", False, ()),
        ("neighbor swp1 bfd profile fast", False, ("bfd profile fast",)),
        ("neighbor swp1 bfd\n neighbor swp1 bfd profile fast", True, ("bfd profile fast",)),
    ],
    ids=["plain", "a-no", "profile-alone", "profile"],
)
def test_bfd_in_all_its_words(said: str, bfd: bool, extra: tuple[str, ...]) -> None:
    text = f"frr defaults datacenter\n!\nrouter bgp 1\n neighbor swp1 interface remote-as external\n {said}\nexit\n"
    running = f"Current configuration:\n!\n{text}!\nend\n"
    bgp = bgp_of(running, "daemons-with-bfdd.txt")
    assert isinstance(bgp, Bgp)
    assert bgp.rows["neighbor swp1"] == replace(unnumbered("external", extra=extra), bfd=bfd)


def test_what_ipv6_says_beyond_activation_shows_in_no_row() -> None:
    text = captured("dual-stack-running.txt")
    more = text.replace("  neighbor swp1 activate\n", "  neighbor swp1 activate\n  neighbor swp1 route-map X in\n")
    only_six = text.partition("address-family ipv6")[0] + more[more.index("address-family ipv6") :]
    assert bgp_of(only_six, "daemons-with-bfdd.txt") == bgp_of(text, "daemons-with-bfdd.txt")


def test_a_session_of_both_families_is_one_with_the_prefixes_of_both() -> None:
    found = SESSIONS.parse(FACTS, (out(captured("bgp-summary-ipv6.json")),))
    assert found == Sessions({"swp1": Session("Established", 2, 0)})


def test_paths_of_ipv6_are_read_only_where_bgp_speaks_of_it() -> None:
    assert len(PATHS.commands) == 1
    outputs = tuple(out(captured(n)) for n in ("version.txt", "daemons-with-bfdd.txt", "dual-stack-running.txt"))
    features = frr.features(outputs)
    assert features["frr.families"] == "ipv6 unicast"
    _, paths = frr.state_readers(Facts("frr", features=features))
    assert [command.text for command in paths.commands] == [
        "vtysh -c 'show ip route bgp json'",
        "vtysh -c 'show ipv6 route bgp json'",
    ]
    found = paths.parse(FACTS, (out(captured("ip-route-bgp.json")), out(captured("ipv6-route-bgp.json"))))
    assert isinstance(found, Paths)
    assert found.rows["2001:db8:255::2/128"] == Way(("swp1",))
    assert found.rows["10.255.0.1/32"] == Way(("swp1",))
