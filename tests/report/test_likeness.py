"""Texts are alike when only addresses and AS numbers differ, and nothing else is ever hidden."""

import pytest

from fabric.report.likeness import anonymous, nameless, settled, shape, together


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lo 10.0.0.1/32", "lo 10.0.0.2/32"),
        ("asn 65101, router_id 10.0.0.1", "asn 65102, router_id 10.0.0.2"),
        ("neighbor fd00::1: remote_as 65001", "neighbor fd00::2: remote_as 4200000000"),
    ],
)
def test_what_a_node_has_of_its_own_makes_no_difference(one, other):
    assert shape(one) == shape(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mtu 1500 -> 9000", "mtu 1500 -> 1600"),
        ("swp1", "swp2"),
        ("priorities 3", "priorities 4"),
        ("max_paths 1 -> 64", "max_paths 2 -> 64"),
        ("release 4.33.1", "release 4.33.2"),
        ("+ asn 65101", "- asn 65101"),
        ("speed 10:30", "speed 10:31"),
    ],
)
def test_every_other_difference_is_one(one, other):
    assert shape(one) != shape(other)


def test_one_text_says_from_where_to_where_values_go():
    assert together(["a 10.0.0.1/32 b", "a 10.0.0.1/32 b"]) == "a 10.0.0.1/32 b"
    assert together(["asn 1, 10.0.0.1", "asn 2, 10.0.0.2", "asn 3, 10.0.0.3"]) == "asn 1 .. 3, 10.0.0.1 .. 10.0.0.3"
    assert together(["x 1.2.3.999", "x 1.2.3.4"]) == "x 1.2.3.4 | 1.2.3.999"
    assert together(["from fd00::1", "from fd00::9"]) == "from fd00::1, fd00::9"


def test_lists_stand_in_an_order_that_addresses_do_not_change():
    one = "+ next_hops (gateway 10.0.0.2, port eth1) (gateway 10.0.0.130, port eth2)"
    other = "+ next_hops (gateway 10.0.1.130, port eth2) (gateway 10.0.1.2, port eth1)"
    assert shape(settled(one)) == shape(settled(other))
    assert settled(one) == one


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("leaf1 is down", "<node> is down"),
        ("leaf1: leaf1:swp1 hears spine1", "<node>: <node>:swp1 hears spine1"),
        ("leaf10 is down, p1-leaf1 too", "leaf10 is down, p1-leaf1 too"),
        ("leaf1.example.net, leaf1.", "leaf1.example.net, <node>."),
    ],
)
def test_only_the_name_of_the_node_itself_is_left_out(text, said):
    assert nameless(text, "leaf1") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "the link leaf1:swp1/1 - spine1:Ethernet4.10: spine1 is gone",
            "the link <node>:<port> - <node>:<port>: <node> is gone",
        ),
        ("leaf10:swp1, p1-leaf1, leaf1.example.net", "leaf10:swp1, p1-leaf1, leaf1.example.net"),
        ("at 12:30 leaf1: gone", "at 12:30 <node>: gone"),
    ],
)
def test_nodes_and_ports_of_theirs_are_left_out_by_their_whole_names(text, said):
    assert anonymous(text, {"leaf1", "spine1"}) == said
