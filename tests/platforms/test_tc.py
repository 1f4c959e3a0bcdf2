"""tc: trees as ``tc`` prints them, what they mean, and how one is turned into another."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fabric.changes.change import Steps
from fabric.changes.command import Output
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.changes.steps import Impact, Run, Step
from fabric.errors import PlatformError
from fabric.platforms.parts import tc, tcmake
from fabric.platforms.parts.tctree import TREE_SHOW, again, parse_counts, parse_trees, rate
from fabric.settings.facet import ABSENT, Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Links, Port
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.queues import Queue, Queues, Scheduler
from fabric.settings.state.counters import QueueCount

CAPTURES = Path(__file__).parent.parent / "captures" / "switch" / "frr"
TREES = (CAPTURES / "trees.txt").read_text()

# What the node was set to when the captures were taken.
MAP = ClassMap(tuple({26: 3, 48: 6, 10: 1}.get(dscp, 0) for dscp in range(64)), (0, 1, 0, 3, 4, 0, 6, 0))
SCHEDULER = Scheduler(
    (
        Queue(0, 20, limit=None),
        Queue(1, 20, limit=2 * 10**9),
        Queue(3, 60, limit=None),
        Queue(4, 0, limit=None),
        Queue(6, 0, strict=True, limit=None),
    )
)


def output(text: str = TREES) -> Output:
    return Output(TREE_SHOW.text, text)


def changed(old: str, new: str) -> Output:
    assert old in TREES
    return output(TREES.replace(old, new, 1))


class TestReading:
    def test_what_was_set_is_read(self) -> None:
        assert tc.parse_queues(output()).rows["swp1"] == SCHEDULER
        assert tc.parse_maps(output()).rows == {"swp1": MAP}
        assert tc.parse_speeds(output()) == {"swp1": 10**10, "swp2": 25 * 10**9}

    def test_ports_with_the_kernels_own_queue_have_no_row(self) -> None:
        assert tc.parse_queues(output()).rows.keys() == {"swp1", "swp2", "swp3", "swp9"}

    def test_blank_lines_say_nothing(self) -> None:
        assert parse_trees(changed("port swp2", "\nport swp2")) == parse_trees(output())

    def test_trees_of_another_shape_are_without_queues(self) -> None:
        found = tc.parse_queues(output()).rows
        assert found["swp3"] == found["swp9"] == Scheduler(())

    def test_queue_disciplines_for_what_comes_in_are_not_looked_at(self) -> None:
        more = "qdisc ingress ffff: dev swp1 parent ffff:fff1 ---------------- \n"
        assert tc.parse_queues(output(more + TREES)) == tc.parse_queues(output())

    @pytest.mark.parametrize(
        ("old", "new", "share"),
        [("rate 6Gbit", "rate 5Gbit", 50), ("rate 6Gbit", "rate 5555Mbit", -1), ("rate 8Kbit", "rate 1Gbit", 10)],
        ids=["another", "no-whole-percent", "smallest"],
    )
    def test_a_rate_that_was_changed_by_hand_shows(self, old: str, new: str, share: int) -> None:
        queues = tc.parse_queues(changed(old, new)).rows["swp1"].queues
        assert share in {queue.share for queue in queues}
        assert Scheduler(queues) != SCHEDULER

    def test_a_dscp_that_ipv6_does_not_know_is_not_classified(self) -> None:
        gone = re.sub(r"filter parent 1: protocol ipv6 pref 203 .*\n(  match 06800000/0fc00000 at 0\n)?", "", TREES)
        assert tc.parse_maps(output(gone)).rows["swp1"].dscp_to_priority[26] == -1

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("  match 00280000/00fc0000 at 0", "  match 00280000/00ff0000 at 0"),
            ("  match 00280000/00fc0000 at 0", "  match 00280000/00fc0000 at 0\n  match 00000011/000000ff at 8"),
            ("*flowid 1:11 not_in_hw", "*flowid 1:99 not_in_hw"),
            ("protocol ip pref 101 u32 chain 0 fh 800::800", "protocol ip pref 199 u32 chain 0 fh 800::800"),
            ("protocol all pref 300 u32 chain 0 fh 807::800", "protocol arp pref 3 u32 chain 0 fh 807::800"),
        ],
        ids=["another-mask", "two-matches", "a-class-of-theirs", "another-preference", "no-filter-for-the-rest"],
    )
    def test_a_filter_that_is_not_of_our_kind_spoils_the_map_and_no_more(self, old: str, new: str) -> None:
        found = changed(old, new)
        assert set(tc.parse_maps(found).rows["swp1"].dscp_to_priority) == {-1}
        assert tc.parse_queues(found).rows["swp1"] == SCHEDULER

    def test_a_default_class_that_is_not_the_plain_queue_shows(self) -> None:
        assert tc.parse_maps(changed("default 0x10", "default 0x13")).rows["swp1"].priority_to_queue[0] == -1

    def test_packets_are_counted_per_queue(self) -> None:
        text = (CAPTURES / "counts.txt").read_text()
        found = tc.parse_counters(Output("tc", text)).rows
        assert found["swp1 3"] == QueueCount(packets=3, octets=294, dropped=0)
        assert {key.split()[0] for key in found} == {"swp1", "swp2"}
        assert {count.port for count in parse_counts(Output("tc", text))} == {"swp1", "swp2", "swp9"}

    def test_a_class_of_an_unknown_kind_makes_the_tree_a_foreign_one(self) -> None:
        found = changed("rate 2Gbit ceil 2Gbit", "rate 2Gbit overhead 24 ceil 2Gbit")
        assert "overhead 24" in parse_trees(found)["swp1"].odd
        assert tc.parse_queues(found).rows["swp1"] == Scheduler(())

    @pytest.mark.parametrize("parse", [parse_trees, parse_counts])
    def test_a_node_without_tc_is_not_one_without_queues(self, parse: Callable[[Output], object]) -> None:
        with pytest.raises(PlatformError, match="tc: not found"):
            parse(Output("tc", "", "sh: 1: tc: not found", 127))

    def test_rates_are_bits(self) -> None:
        assert [rate(text) for text in ("8bit", "8Kbit", "3300Mbit", "x")] == [8, 8000, 33 * 10**8, 0]


class TestMaking:
    def test_the_lines_for_what_was_read_make_what_was_designed(self) -> None:
        made = tcmake.tree("swp1", 10**10, SCHEDULER, MAP)
        read = parse_trees(output())["swp1"]
        assert sorted(again(made)) == sorted(again(read))
        assert again(made)[:3] == again(read)[:3]

    def test_parents_are_made_before_their_children(self) -> None:
        deep = "".join(
            f"class htb 1:{name} {parent} rate 1Gbit ceil 1Gbit burst 1b/1 mpu 0b cburst 1b/1 mpu 0b level 0 \n"
            for name, parent in (("2", "parent 1:9"), ("9", "root"), ("3", "parent 1:7"))
        )
        tree = parse_trees(output(f"qdisc htb 1: dev a root refcnt 2 default 0x2\nport a\n{deep}"))["a"]
        assert [one.id for one in tree.classes] == ["1:9", "1:2", "1:3"]

    def test_without_a_map_everything_goes_to_the_first_queue(self) -> None:
        made = tcmake.tree("swp1", 10**10, SCHEDULER, None)
        assert (made.default, made.filters) == (0x10, ())

    def test_ports_without_speed_or_queues_in_our_words_have_no_lines(self) -> None:
        strange = Scheduler((Queue(0, -1),))
        spoilt = ClassMap((-1,) * 64, (0,) * 8)
        settings = Settings(
            Links({"a": Port(speed=10**9), "b": Port(speed=10**9), "c": Port(), "e": Port(speed=10**9)}),
            Queues({"a": SCHEDULER, "b": strange, "c": SCHEDULER, "d": SCHEDULER, "e": SCHEDULER}),
            Maps({"e": spoilt}),
        )
        assert tcmake.lines(settings).keys() == {"a"}


def reading(text: str = TREES) -> Reading:
    return Reading("leaf01", Facts("frr"), Settings(), outputs={TREE_SHOW.text: output(text)})


def script(**trees: tuple[int, Scheduler, ClassMap | None]) -> Rendered:
    lines = [line for port, wanted in trees.items() for line in (f"# port {port}", *again(tcmake.tree(port, *wanted)))]
    return Rendered("leaf01", {"network.sh": "\n".join(("#!/bin/sh", "tc -batch - <<'END'", *lines, "END", ""))})


def delta(*rows: tuple[str, str, object, object]) -> Delta:
    return Delta("leaf01", tuple(RowDelta(*row) for row in rows))


def said(steps: tuple[Step, ...]) -> list[tuple[Impact, str]]:
    assert all(isinstance(step, Run) for step in steps)
    return [(step.impact, line) for step in steps if isinstance(step, Run) for line in step.command.stdin.splitlines()]


class TestSteps:
    OTHER = Scheduler((Queue(0, 40, limit=None), *SCHEDULER.queues[1:]))

    def test_a_share_is_changed_in_place(self) -> None:
        change = delta(("queues", "swp1", SCHEDULER, self.OTHER))
        steps = tc.steps(reading(), script(swp1=(10**10, self.OTHER, MAP)), change)
        assert {(impact, line.split()[1]) for impact, line in said(steps.do)} == {(Impact.HITLESS, "change")}
        assert "classid 1:10 htb prio 1 quantum 90000 rate 4000000000bit" in said(steps.do)[1][1]
        assert "classid 1:10 htb prio 1 quantum 50000 rate 2000000000bit" in said(steps.undo)[1][1]

    def test_another_speed_changes_all_rates_in_place(self) -> None:
        change = delta(
            ("links", "swp1", Port(9000, enabled=True, speed=10**10), Port(9000, enabled=True, speed=25 * 10**9))
        )
        steps = tc.steps(reading(), script(swp1=(25 * 10**9, SCHEDULER, MAP)), change)
        assert said(steps.do)[0] == (
            Impact.HITLESS,
            (
                "class change dev swp1 parent 1: classid 1:1 htb rate 25000000000bit ceil 25000000000bit "
                "burst 3125000b cburst 3125000b"
            ),
        )

    def test_links_that_differ_in_other_fields_leave_the_queues_alone(self) -> None:
        change = delta(
            ("links", "swp1", Port(1500, enabled=True, speed=10**10), Port(9000, enabled=True, speed=10**10)),
            ("links", "x", None, Port()),
        )
        assert tc.steps(reading(), script(), change) == Steps()

    def test_another_map_makes_the_tree_anew_and_the_undo_makes_the_old_one(self) -> None:
        other = ClassMap((0,) * 64, MAP.priority_to_queue)
        steps = tc.steps(reading(), script(swp1=(10**10, SCHEDULER, other)), delta(("maps", "swp1", MAP, other)))
        assert [line for _, line in said(steps.do)] == list(again(tcmake.tree("swp1", 10**10, SCHEDULER, other)))
        assert [line for _, line in said(steps.undo)] == list(again(parse_trees(output())["swp1"]))
        assert {impact for impact, _ in said((*steps.do, *steps.undo))} == {Impact.PFC_GAP}

    def test_a_first_tree_is_taken_away_by_the_undo(self) -> None:
        change = delta(("maps", "swp7", None, MAP), ("queues", "swp7", None, SCHEDULER))
        steps = tc.steps(reading(), script(swp7=(10**10, SCHEDULER, MAP)), change)
        assert said(steps.undo) == [(Impact.PFC_GAP, "qdisc del dev swp7 root")]

    def test_a_tree_that_is_not_wanted_goes_and_comes_back_as_it_was(self) -> None:
        change = delta(("queues", "swp1", SCHEDULER, None), ("maps", "swp1", MAP, None))
        steps = tc.steps(reading(), script(), change)
        assert said(steps.do) == [(Impact.PFC_GAP, "qdisc del dev swp1 root")]
        assert [line for _, line in said(steps.undo)] == list(again(parse_trees(output())["swp1"]))

    @pytest.mark.parametrize(
        ("text", "what"),
        [
            (TREES, "port swp3 has a queue discipline tbf"),
            (TREES.replace("qdisc tbf 808", "qdisc mystery 808"), "mystery"),
            ("qdisc pfifo 10: dev swp3 parent 1:10 limit 5p\nqdisc htb 1: dev swp3 root default 0\n", "a pfifo below"),
            ("qdisc htb 1: dev swp3 root default 0\nport swp3\nfilter protocol ip pref 1 bpf chain 0 \n", "a filter"),
        ],
        ids=["tbf", "unknown", "leaf", "filter"],
    )
    def test_what_could_not_be_put_back_is_refused_with_the_command_that_removes_it(self, text: str, what: str) -> None:
        change = delta(("queues", "swp3", Scheduler(()), SCHEDULER))
        with pytest.raises(PlatformError, match=what) as caught:
            tc.steps(reading(text), script(swp3=(10**10, SCHEDULER, MAP)), change)
        assert "tc qdisc del dev swp3 root" in caught.value.problems[0].hint

    def test_queues_without_a_speed_are_refused(self) -> None:
        with pytest.raises(PlatformError, match="queues of port swp7 cannot be made"):
            tc.steps(reading(), script(), delta(("queues", "swp7", None, SCHEDULER)))

    def test_recorded_trees_are_those_of_our_ports_that_can_be_made_again(self) -> None:
        text = tc.recorded(reading(), frozenset({"swp1", "swp3", "swp7"}))
        assert tc.sections(text) == {"swp1": again(parse_trees(output())["swp1"])}

    def test_a_reading_without_trees_has_none_to_record(self) -> None:
        assert tc.recorded(Reading("leaf01", Facts("frr"), Settings()), frozenset({"swp1"})) == ""

    def test_a_queue_without_an_opinion_on_its_limit_has_none(self) -> None:
        one = Scheduler((Queue(0, 100, limit=ABSENT),))
        assert tcmake.tree("a", 10**9, one, None).classes[1].ceil == 10**9
