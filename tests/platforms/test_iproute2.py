"""links, addresses, routes, policy: what ``ip`` prints, and the lines that change it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.changes.change import Steps
from fabric.changes.command import Output
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.reading import Reading
from fabric.changes.steps import Impact, Run, Step
from fabric.errors import PlatformError
from fabric.platforms.parts import addresses, links, policy, routes
from fabric.platforms.parts.iproute2 import batch, joined, named
from fabric.settings.addresses import Address, Addresses
from fabric.settings.facet import ABSENT, Facet, Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Links, Port
from fabric.settings.policy import Lookup, Policy
from fabric.settings.routes import NextHop, Route, Routes
from fabric.settings.state.ports import PortState

CAPTURES = Path(__file__).parent.parent / "captures"


def shown(name: str) -> Output:
    return Output(name, (CAPTURES / name).read_text())


def reading(*facets: Facet, outputs: dict[str, Output] | None = None) -> Reading:
    return Reading("leaf01", Facts("frr"), Settings(*facets), outputs=outputs or {})


def delta(facet: type[Facet], *rows: tuple[str, object, object]) -> Delta:
    return Delta("leaf01", tuple(RowDelta(facet.name, key, now, wanted) for key, now, wanted in rows))


def said(steps: tuple[Step, ...]) -> list[str]:
    """Return the lines that steps give to a process, or else their commands."""
    lines: list[str] = []
    for step in steps:
        assert isinstance(step, Run)
        lines += step.command.stdin.splitlines() or [step.command.text]
    return lines


class TestLinks:
    def test_ports_are_read_without_the_loopback(self) -> None:
        found = links.parse_links(shown("switch/frr/link-show.json"), {"swp1": 10**10}).rows
        assert found["swp1"] == Port(9000, enabled=True, speed=10**10)
        assert found["swp2"] == Port(1500, enabled=True)
        assert found["swp2"].speed is ABSENT
        assert "lo" not in found

    def test_all_port_names_are_facts(self) -> None:
        assert {"lo", "swp1", "swp9"} <= links.port_names(shown("switch/frr/link-show.json"))

    def test_a_port_is_up_when_it_has_a_partner(self) -> None:
        two = '[{"ifname": "a", "flags": ["UP", "LOWER_UP"], "operstate": "UP"}, {"ifname": "b", "flags": ["UP"]}, {}]'
        found = links.parse_ports(Output("ip", two)).rows
        assert found == {"a": PortState(up=True), "b": PortState(up=False)}

    def test_mtu_and_state_are_set_and_set_back(self) -> None:
        change = delta(
            Links, ("swp1", Port(1500, enabled=False), Port(9000, enabled=True)), ("swp2", Port(1500), Port(ABSENT))
        )
        steps = links.raised(reading(), change)
        assert said(steps.do) == ["link set dev swp1 mtu 9000", "link set dev swp1 up"]
        assert said(steps.undo) == ["link set dev swp1 down", "link set dev swp1 mtu 1500"]
        assert [step.impact for step in (*steps.do, *steps.undo)] == [0, 0, Impact.FLAP, 0]
        assert links.lowered(reading(), change) == Steps()

    def test_taking_a_port_down_is_undone_with_the_addresses_that_it_loses(self) -> None:
        there = Addresses(dict.fromkeys(("swp1 10.0.0.1/31", "swp1 fd00::1/64", "swp2 fd01::1/64"), Address()))
        steps = links.lowered(reading(there), delta(Links, ("swp1", Port(enabled=True), Port(enabled=False))))
        assert said(steps.do) == ["link set dev swp1 down"]
        assert said(steps.undo) == ["link set dev swp1 up", "address replace fd00::1/64 dev swp1"]

    def test_a_port_that_does_not_exist_is_refused(self) -> None:
        with pytest.raises(PlatformError, match="swp7 does not exist"):
            links.raised(reading(), delta(Links, ("swp7", None, Port(9000))))

    def test_a_port_cannot_be_removed(self) -> None:
        with pytest.raises(PlatformError, match="cannot be removed"):
            links.raised(reading(), delta(Links, ("swp7", Port(9000), None)))


class TestAddresses:
    def test_only_global_addresses_are_read(self) -> None:
        found = addresses.parse_addresses(shown("switch/frr/address-show.json")).rows
        assert {"lo 10.255.0.1/32", "swp1 10.64.0.0/31", "swp2 10.64.1.9/24", "swp2 fd00::1/64"} <= found.keys()
        assert not any("127.0.0.1" in key or "fe80" in key or "::1/128" in key for key in found)

    def test_addresses_of_router_advertisements_are_not_settings(self) -> None:
        info = '{"local": "fd00::7", "prefixlen": 64, "scope": "global", "mngtmpaddr": true}'
        text = f'[{{"ifname": "a", "addr_info": [{info}]}}]'
        assert addresses.parse_addresses(Output("ip", text)).rows == {}

    def test_the_new_one_is_there_before_the_old_one_goes(self) -> None:
        now = reading(Addresses({"swp1 10.0.0.0/31": Address()}))
        change = delta(Addresses, ("swp1 10.0.0.0/31", Address(), None), ("swp1 10.0.1.0/31", None, Address()))
        steps = joined((addresses.added(now, change), addresses.removed(now, change)))
        assert said(steps.do) == ["address replace 10.0.1.0/31 dev swp1", "address del 10.0.0.0/31 dev swp1"]
        assert said(steps.undo) == ["address replace 10.0.0.0/31 dev swp1", "address del 10.0.1.0/31 dev swp1"]

    def test_a_first_address_goes_without_the_others_of_its_subnet(self) -> None:
        now = reading(Addresses(dict.fromkeys(("swp1 10.0.0.1/24", "swp1 10.0.0.2/24"), Address())))
        (line,) = said(addresses.removed(now, delta(Addresses, ("swp1 10.0.0.1/24", Address(), None))).do)
        assert "echo 1 >/proc/sys/net/ipv4/conf/swp1/promote_secondaries; ip address del 10.0.0.1/24 dev swp1" in line


class TestRoutes:
    @pytest.fixture
    def found(self) -> dict[str, Route]:
        outputs = (shown("host/linux/route-show-4.json"), shown("host/linux/route-show-6.json"))
        return dict(routes.parse_routes(outputs).rows)

    def test_routes_with_gateways_are_read_from_all_tables(self, found: dict[str, Route]) -> None:
        assert found["101 default"] == Route((NextHop("10.64.0.1", "swp1"),))
        assert found["101 ::/0"] == Route((NextHop("fd00::2", "swp2"),))
        assert found["main fd01::/64"] == Route((NextHop("fd00::2", "swp2"),))

    def test_an_unequal_next_hop_stands_as_often_as_it_weighs(self, found: dict[str, Route]) -> None:
        light, heavy = NextHop("10.64.1.254", "swp2"), NextHop("10.64.2.254", "swp3")
        assert found["main 10.80.0.0/12"] == Route((light, heavy, heavy))

    def test_connected_local_and_weighted_routes_are_none_of_ours(self, found: dict[str, Route]) -> None:
        assert not {"main 10.64.1.0/24", "main 10.96.0.0/16", "255 127.0.0.0/8"} & found.keys()

    def test_routes_are_set_and_removed_and_both_undone(self) -> None:
        hops = NextHop("10.0.0.1", "swp1"), NextHop("10.0.1.1", "swp2")
        one, two = Route(hops[:1]), Route(hops)
        rows = (("main 10.1.0.0/16", None, two), ("101 default", one, None), ("main 10.2.0.0/16", one, two))
        change = delta(Routes, *rows)
        steps = joined((routes.added(change), routes.removed(change)))
        both = "nexthop via 10.0.0.1 dev swp1 nexthop via 10.0.1.1 dev swp2"
        assert said(steps.do) == [
            f"route replace 10.1.0.0/16 table main {both}",
            f"route replace 10.2.0.0/16 table main {both}",
            "route del default table 101 via 10.0.0.1 dev swp1",
        ]
        assert said(steps.undo) == [
            "route replace default table 101 via 10.0.0.1 dev swp1",
            "route replace 10.2.0.0/16 table main via 10.0.0.1 dev swp1",
            f"route del 10.1.0.0/16 table main {both}",
        ]


class TestPolicy:
    SHOWN = "host/linux/rule-show-4.json", "host/linux/rule-show-6.json"

    def test_the_first_rule_of_a_single_source_counts(self) -> None:
        found = policy.parse_policy(tuple(map(shown, self.SHOWN))).rows
        assert found == {"from 192.0.2.1": Lookup(300, 77), "from 10.64.0.0": Lookup(101, 1001)}

    def test_tables_with_names_are_known_by_number(self) -> None:
        text = '[{"priority": 5, "src": "10.0.0.1", "table": "main"}]'
        assert policy.parse_policy((Output("ip", text),)).rows == {"from 10.0.0.1": Lookup(254, 5)}

    def test_a_rule_is_replaced_and_back(self) -> None:
        change = delta(Policy, ("from 10.64.0.0", Lookup(101, 1001), Lookup(103, 1001)))
        steps = joined((policy.added(reading(), change), policy.removed(change)))
        assert said(steps.do) == [
            "rule add from 10.64.0.0 lookup 103 pref 1001",
            "rule del from 10.64.0.0 lookup 101 pref 1001",
        ]
        assert said(steps.undo) == [
            "rule add from 10.64.0.0 lookup 101 pref 1001",
            "rule del from 10.64.0.0 lookup 103 pref 1001",
        ]

    def test_rules_of_each_family_go_to_ip_with_that_family(self) -> None:
        both = [("from 10.64.0.1", None, Lookup(101, 1001)), ("from 2001:db8::1", None, Lookup(101, 1001))]
        steps = policy.added(reading(), delta(Policy, *both))
        assert [(step.command.text, step.command.stdin) for step in steps.do if isinstance(step, Run)] == [
            ("ip -force -batch -", "rule add from 10.64.0.1 lookup 101 pref 1001\n"),
            ("ip -6 -force -batch -", "rule add from 2001:db8::1 lookup 101 pref 1001\n"),
        ]

    def test_an_undo_leaves_a_rule_that_stood_behind_another(self) -> None:
        outputs = {command.text: shown(name) for command, name in zip(policy.RULE_SHOW, self.SHOWN, strict=True)}
        change = delta(Policy, ("from 10.64.0.0", Lookup(101, 1001), Lookup(102, 1005)))
        assert policy.added(reading(outputs=outputs), change).undo == ()


class TestAnswers:
    def test_nothing_printed_means_none(self) -> None:
        assert links.parse_links(Output("ip", "\n"), {}).rows == {}

    @pytest.mark.parametrize(
        "output",
        [Output("ip -j link", "", "command not found", 127), Output("ip -j link", "", "", 1)],
        ids=["words", "none"],
    )
    def test_a_command_that_fails_is_told_with_its_words(self, output: Output) -> None:
        with pytest.raises(PlatformError, match=r"'ip -j link': (command not found|exit code 1)"):
            links.parse_links(output, {})

    @pytest.mark.parametrize("text", ["hello", '[{"mtu": "big"}]'])
    def test_garbage_is_refused_with_the_place(self, text: str) -> None:
        with pytest.raises(PlatformError, match="cannot read the answer"):
            links.parse_links(Output("ip -j link", text), {})

    def test_no_lines_make_no_step(self) -> None:
        assert batch((), "nothing") == ()

    def test_many_names_are_counted(self) -> None:
        assert named(("a", "b", "b")) == "a, b"
        assert named("abcdef") == "a, b, c, d and 2 more"
