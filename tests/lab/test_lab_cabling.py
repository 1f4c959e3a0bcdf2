import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.lab import cabling
from fabric.lab.plan import LabPlan, NodePlan
from fabric.settings.network import End

A1, A2, B1, B2 = End("a", "x1"), End("a", "x2"), End("b", "y1"), End("b", "y2")
LAB = LabPlan(
    "f",
    "172.31.0.1/16",
    (
        NodePlan("a", "switch", ("x1", "x2"), "eth0", "172.31.0.2/16"),
        NodePlan("b", "host", ("y1", "y2"), "eth0", "172.31.0.3/16"),
    ),
    ((A1, B1), (A2, B2)),
)


def test_swapping_exchanges_where_two_ports_lead():
    now = cabling.swap(cabling.designed(LAB), A1, A2)
    assert now.far == {A1: B2, B2: A1, A2: B1, B1: A2}


def test_swapping_twice_is_as_before():
    now = cabling.designed(LAB)
    assert cabling.swap(cabling.swap(now, A1, A2), A1, A2) == now


def test_a_cut_takes_both_ends_down_and_moves_no_filter():
    now = cabling.designed(LAB)
    filters, (down, up) = cabling.change(LAB, now, cabling.cut(now, B1))
    assert (filters, up) == ("", "")
    assert down.splitlines() == ["link set dev p1 down", "link set dev p3 down"]


def test_mending_a_cut_takes_both_ends_up():
    now = cabling.designed(LAB)
    assert cabling.change(LAB, cabling.cut(now, A1), now) == ("", ("", "link set dev p1 up\nlink set dev p3 up\n"))


def test_recabling_replaces_filters_between_losing_and_regaining_carrier():
    now = cabling.designed(LAB)
    filters, (down, up) = cabling.change(LAB, now, cabling.swap(now, A1, A2))
    assert [line.split()[:4] for line in filters.splitlines()[:4]] == [
        ["filter", "del", "dev", f"p{n}"] for n in range(1, 5)
    ]
    assert "filter add dev p1 ingress protocol all u32 match u32 0 0 action mirred egress redirect dev p4\n" in filters
    assert len(down.splitlines()) == len(up.splitlines()) == 4


def test_nothing_to_change_makes_empty_batches():
    now = cabling.designed(LAB)
    assert cabling.change(LAB, now, now) == ("", ("", ""))


def test_a_new_panel_has_a_queue_and_a_filter_per_port():
    filters, up = cabling.plug_all(LAB)
    assert filters.count("clsact") == filters.count("redirect") == len(up.splitlines()) == 4
    assert "filter del" not in filters


def test_node_ports_land_in_the_namespace_of_their_node():
    lines = cabling.node_ports(LAB, {"a": 7, "b": 9}).splitlines()
    assert lines[3] == "link add name p4 mtu 65535 type veth peer name y2 mtu 1500 netns 9"


def test_nodes_bring_all_their_ports_up_without_addresses_but_that_of_management():
    lines = cabling.inside(LAB.nodes[0]).splitlines()
    assert lines[0] == "address add 172.31.0.2/16 dev eth0"
    assert lines[1:] == [f"link set dev {port} up" for port in ("lo", "eth0", "x1", "x2")]


@pytest.mark.parametrize("one", [A1, B1])
@pytest.mark.parametrize("other", [A2, B2])
def test_every_cable_has_two_ends_after_a_swap(one, other):
    far = cabling.swap(cabling.designed(LAB), one, other).far
    assert all(far[far[end]] == end for end in far)


@given(st.lists(st.tuples(st.sampled_from([A1, A2, B1, B2]), st.sampled_from([A1, A2, B1, B2])), max_size=6))
def test_any_swaps_leave_whole_cables(swaps):
    now = cabling.designed(LAB)
    for one, other in swaps:
        now = cabling.swap(now, one, other)
    assert all(now.far[now.far[end]] == end and now.far[end] != end for end in now.far)
