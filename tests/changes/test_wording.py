import pytest

from fabric.changes.delta import RowDelta
from fabric.changes.wording import grouped, row_words, words
from fabric.settings.ecn import Marking, PortMarking
from fabric.settings.links import Port
from fabric.settings.maps import ClassMap
from fabric.settings.persistence import Saved
from fabric.settings.pfc import Pause
from fabric.settings.queues import Queue, Scheduler
from fabric.settings.routes import NextHop, Route
from fabric.settings.watchdog import Watch

FLAT = ClassMap((0,) * 64, tuple(range(8)))
RDMA = ClassMap((0,) * 26 + (3,) + (0,) * 37, tuple(range(8)))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (RowDelta("links", "swp1", Port(1500), Port(9000), ("mtu",)), "mtu 1500 -> 9000"),
        (RowDelta("links", "swp1", Port(speed=10**10), Port(speed=4 * 10**11), ("speed",)), "speed 10G -> 400G"),
        (RowDelta("links", "swp1", None, Port(9000, enabled=True)), "+ mtu 9000, enabled yes"),
        (RowDelta("links", "swp1", Port(9000), None), "- mtu 9000"),
        (
            RowDelta("watchdog", "swp1", None, Watch(200, 2000, "drop")),
            "+ detect 200ms, restore 2s, action drop",
        ),
        (RowDelta("maps", "swp1", FLAT, RDMA, ("dscp_to_priority",)), "dscp_to_priority 26: 0 -> 3"),
        (RowDelta("pfc", "swp1", Pause(frozenset()), Pause(frozenset({3})), ("priorities",)), "priorities none -> 3"),
        (RowDelta("persistence", "frr.conf", Saved("a"), Saved("b"), ("digest",)), "to be saved"),
        (RowDelta("persistence", "frr.conf", None, Saved("b")), "to be saved"),
        (
            RowDelta("ecn", "swp1", None, PortMarking((Marking(3, 100_000, 400_000, 20.0),))),
            "+ queues (queue 3, kmin 100KB, kmax 400KB, pmax 20%)",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_differing_row_is_said_in_one_line(row, expected):
    assert words(row) == expected


def test_a_table_by_index_is_written_by_its_exceptions():
    assert (
        row_words(ClassMap(RDMA.dscp_to_priority, (0,) * 8))
        == "dscp_to_priority 26: 3, else 0, priority_to_queue all 0"
    )


def test_a_list_that_changes_its_length_is_written_whole():
    now, wanted = Scheduler((Queue(0, 100),)), Scheduler((Queue(0, 40), Queue(3, 60)))
    said = words(RowDelta("queues", "swp1", now, wanted, ("queues",)))
    assert said == (
        "queues (number 0, share 100, strict no) -> (number 0, share 40, strict no) (number 3, share 60, strict no)"
    )


def test_next_hops_are_written_one_after_another():
    assert row_words(Route((NextHop("10.0.0.0", "eth1"),))) == "next_hops (gateway 10.0.0.0, port eth1)"


def test_rows_that_say_the_same_stand_in_one_line():
    rows = [RowDelta("links", f"swp{i}", Port(1500), Port(9000), ("mtu",)) for i in (1, 2)]
    other = RowDelta("links", "swp3", Port(1500), Port(4000), ("mtu",))
    assert list(grouped([*rows, other])) == [
        ("links", "swp1, swp2", "mtu 1500 -> 9000"),
        ("links", "swp3", "mtu 1500 -> 4000"),
    ]


def test_of_what_is_to_be_saved_only_the_file_is_named():
    rows = [RowDelta("persistence", f"frr.conf {what}", None, Saved("a")) for what in ("router", "neighbor swp1")]
    assert list(grouped(rows)) == [("persistence", "frr.conf", "to be saved")]


def test_a_row_that_is_no_value_of_ours_is_written_as_it_is():
    assert row_words("free text") == "free text"
