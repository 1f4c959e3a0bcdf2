"""What counts as a difference, what as unverified, and what is none of our business."""

from __future__ import annotations

import pytest

from fabric.changes.delta import RowDelta
from fabric.diff.compare import compare, natural
from fabric.settings.addresses import Address, Addresses
from fabric.settings.bgp import Announced, Bgp, Neighbor, Router
from fabric.settings.facet import Settings
from fabric.settings.links import Links, Port
from fabric.settings.pfc import Pause, Pfc
from fabric.settings.queues import Queue, Queues, Scheduler
from fabric.settings.scope import Scope

SCOPE = Scope(ports=frozenset({"swp1", "swp2", "swp10"}))
PAUSE = Pause(frozenset({3}))


def ports(**mtus):
    return Settings(Links({name: Port(mtu=mtu) for name, mtu in mtus.items()}))


def test_equal_settings_have_no_delta():
    delta = compare("leaf01", ports(swp1=9000), ports(swp1=9000), SCOPE, {})
    assert not delta
    assert delta.unverified == ()
    assert delta.node == "leaf01"


def test_a_field_that_differs_is_named():
    delta = compare("leaf01", ports(swp1=1500), ports(swp1=9000), SCOPE, {})
    assert delta.rows == (RowDelta("links", "swp1", Port(mtu=1500), Port(mtu=9000), ("mtu",)),)


def test_rows_are_added_and_removed_in_natural_order():
    now, wanted = (Settings(Pfc(dict.fromkeys(keys, PAUSE))) for keys in (("swp10", "swp1"), ("swp2", "swp1")))
    delta = compare("leaf01", now, wanted, SCOPE, {})
    assert [(row.key, row.now is None, row.wanted is None, row.fields) for row in delta.rows] == [
        ("swp2", True, False, ()),
        ("swp10", False, True, ()),
    ]


def test_a_port_that_nobody_designed_is_there_all_the_same():
    assert not compare("leaf01", ports(swp1=9000, swp2=1500), ports(swp1=9000), SCOPE, {})


def test_rows_outside_the_scope_are_left_alone_on_both_sides():
    delta = compare("leaf01", ports(eth0=1500), ports(eth1=9000), SCOPE, {})
    assert not delta
    assert delta.unverified == ()


def test_a_facet_that_nobody_designed_is_unmanaged():
    now = Settings(Links({}), Addresses({"swp1 10.0.0.1/31": Address()}))
    assert not compare("leaf01", now, Settings(Links({})), SCOPE, {})


def test_an_empty_designed_facet_removes_what_is_there():
    now = Settings(Addresses({"swp1 10.0.0.1/31": Address()}))
    delta = compare("leaf01", now, Settings(Addresses({})), SCOPE, {})
    assert delta.rows == (RowDelta("addresses", "swp1 10.0.0.1/31", Address(), None),)


def test_a_designed_facet_that_was_not_read_is_unverified_row_by_row():
    delta = compare("leaf01", Settings(), ports(swp10=1, swp2=1), SCOPE, {})
    assert not delta
    assert delta.unverified == ("links swp2", "links swp10")


def test_a_facet_that_can_never_be_read_is_not_counted_as_unverified():
    assert compare("leaf01", Settings(), ports(swp1=1), SCOPE, {"links": "digest of network.sh"}).unverified == ()


def test_a_wanted_field_without_opinion_equals_everything():
    assert not compare("leaf01", ports(swp1=1500), Settings(Links({"swp1": Port()})), SCOPE, {})


def test_a_field_that_was_not_read_is_unverified_by_name():
    wanted = Settings(Links({"swp1": Port(mtu=9000, speed=10**10)}))
    delta = compare("leaf01", ports(swp1=9000), wanted, SCOPE, {})
    assert not delta
    assert delta.unverified == ("links swp1 speed",)


def test_a_field_that_can_never_be_read_is_left_to_its_stand_in():
    wanted = Settings(Links({"swp1": Port(mtu=9000, speed=10**10)}))
    assert compare("leaf01", ports(swp1=9000), wanted, SCOPE, {"links.speed": "the digest"}).unverified == ()


def test_a_row_can_differ_in_one_field_and_be_unverified_in_another():
    wanted = Settings(Links({"swp1": Port(mtu=9000, speed=10**10)}))
    delta = compare("leaf01", ports(swp1=1500), wanted, SCOPE, {})
    assert delta.rows[0].fields == ("mtu",)
    assert delta.unverified == ("links swp1 speed",)


def scheduler(*queues):
    return Settings(Queues({"swp1": Scheduler(queues)}))


@pytest.mark.parametrize(
    ("now", "wanted", "differs", "unverified"),
    [
        pytest.param(Queue(3, 60, limit=None), Queue(3, 60), False, (), id="no opinion inside a row"),
        pytest.param(
            Queue(3, 60), Queue(3, 60, limit=None), False, ("queues swp1 queues.0.limit",), id="none is a value"
        ),
        pytest.param(Queue(3, 60, limit=10**9), Queue(3, 60, limit=None), True, (), id="none differs from a limit"),
        pytest.param(Queue(3, 50), Queue(3, 60), True, (), id="share differs"),
    ],
)
def test_rows_made_of_rows_are_compared_field_by_field(now, wanted, differs, unverified):
    delta = compare("leaf01", scheduler(now), scheduler(wanted), SCOPE, {})
    assert [row.fields for row in delta.rows] == ([("queues",)] if differs else [])
    assert delta.unverified == unverified


def test_a_nested_field_that_can_never_be_read_is_named_by_its_own_name():
    delta = compare("leaf01", scheduler(Queue(3, 60)), scheduler(Queue(3, 60, limit=1)), SCOPE, {"queues.limit": "x"})
    assert delta.unverified == ()


def test_a_different_number_of_queues_is_a_difference():
    delta = compare("leaf01", scheduler(Queue(3, 100)), scheduler(Queue(0, 40), Queue(3, 60)), SCOPE, {})
    assert delta.rows[0].fields == ("queues",)


def test_a_row_of_another_kind_is_a_difference_of_the_whole_row():
    now, wanted = Bgp({"neighbor swp1": Announced()}), Bgp({"neighbor swp1": Neighbor("external", interface=True)})
    delta = compare("leaf01", Settings(now), Settings(wanted), SCOPE, {})
    assert delta.rows[0].fields == ("row",)


def test_facets_come_in_order_of_their_names():
    now = Settings(Links({}), Bgp({}))
    wanted = Settings(Links({"swp1": Port()}), Bgp({"router": Router(65001)}))
    assert [row.facet for row in compare("leaf01", now, wanted, SCOPE, {}).rows] == ["bgp", "links"]


def test_numbers_in_keys_count_as_numbers():
    assert sorted(["swp10", "swp2", "lo", "swp2 10.0.0.10/31", "swp2 10.0.0.2/31", "1"], key=natural) == [
        "lo", "swp2", "swp2 10.0.0.2/31", "swp2 10.0.0.10/31", "swp10", "1",
    ]  # fmt: skip
