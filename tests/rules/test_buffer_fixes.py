"""What the rules on buffers say is to be written is enough, and nothing less is."""

from __future__ import annotations

import re

import pytest

from fabric.rules.buffers import beyond_chip, little_shared, oversubscribed
from fabric.rules.runner import rule_of, run_rules

# A leaf of Tomahawk 5 with 64 ports and two lossless priorities: 128 times the headroom, and 2405888 bytes reserved.
LEAF64 = {
    "topology": {
        "switches": {"spine": {"count": 1}, "leaf": {"count": 1}},
        "hosts": {"gpu": {"count": 32, "nics": 1, "attach": "rail", "per_group": 32, "interfaces": ["ens1np0"]}},
        "cables": [
            {"from": "leaf", "to": "spine", "per_pair": 32, "speed": "400G", "length_m": 40},
            {"from": "gpu", "to": "leaf", "speed": "400G", "length_m": 40},
        ],
    },
    "classes": {
        "bulk": None,
        "storage": {"rdma": True, "dscp": 34, "priority": 4, "lossless": True, "share": "20%"},
    },
}


def said_of(subjects_of, module, headroom, ratio=None, **case):
    """What a rule says of leaf01 with so much headroom, over-subscribed by a ratio."""
    buffers = {"headroom": f"{headroom}B", "oversubscribe": ratio}
    made = subjects_of({"base": "base_400g", "intent": LEAF64 | {"buffers": buffers}, **case})
    return [found for found in run_rules([rule_of(module)], made) if found.path.startswith("leaf01")]


@pytest.mark.parametrize(
    ("module", "headroom", "ratio"),
    [
        # 70 % of 173224755, less 9022899 that are reserved, are 112234429.5: a fifth of 128 x 4384157 is 112234419.2.
        (little_shared, 4384157, 5),
        (little_shared, 4384158, 6),
        # 166607744 less 2405888 are 164201856: a quarter of 128 x 5131308.
        (beyond_chip, 5131308, 4),
        (beyond_chip, 5131309, 5),
    ],
)
def test_the_ratio_of_a_fix_is_the_smallest_that_is_enough(subjects_of, module, headroom, ratio):
    (found,) = said_of(subjects_of, module, headroom, ratio - 1)
    assert re.search(r"oversubscribe: (\d+)", found.fix)[1] == str(ratio)
    assert said_of(subjects_of, module, headroom, ratio) == []


def test_headroom_that_is_over_subscribed_by_the_file_is_mended_there(subjects_of):
    (found,) = said_of(subjects_of, oversubscribed, 434000, 3)
    assert "write buffers.oversubscribe: 2," in found.fix
    assert said_of(subjects_of, oversubscribed, 434000, 2) == []


def test_headroom_that_is_over_subscribed_by_a_pool_is_mended_there(subjects_of):
    def settings(xoff):
        return {"settings": {"leaf01": {"pools": {"ingress_lossless_pool": {"size": 160000000, "xoff": xoff}}}}}

    (found,) = said_of(subjects_of, oversubscribed, 434001, **settings(22000000))
    wanted = int(re.search(r"set aside (\d+) bytes", found.fix)[1])
    assert said_of(subjects_of, oversubscribed, 434001, **settings(wanted)) == []
    assert said_of(subjects_of, oversubscribed, 434001, **settings(wanted - 1)) != []


def test_what_a_pool_leaves_too_little_of_is_mended_in_the_pool_and_found_there(subjects_of):
    pools = {"ingress_lossless_pool": {"size": "107MB", "xoff": "60MB"}}  # within the size, as both do not fit
    buffers = {"headroom": "434KB", "oversubscribe": 2, "override": pools}
    made = subjects_of({"base": "base_400g", "intent": LEAF64 | {"buffers": buffers}})
    (found,) = {found.fix: found for found in run_rules([rule_of(little_shared)], made)}.values()
    assert found.fix.startswith("make the pools larger, or set aside less headroom in them")
    assert found.place == made.document.place("buffers.override")


def test_where_no_ratio_is_enough_none_is_named(subjects_of):
    pools = {"ingress_lossy_pool": {"size": "160MB"}, "ingress_lossless_pool": {"size": "1MB"}}
    buffers = {"headroom": "434KB", "override": pools}
    made = subjects_of({"base": "base_400g", "intent": LEAF64 | {"buffers": buffers}})
    fixes = {found.fix for found in run_rules([rule_of(beyond_chip)], made)}
    assert fixes == {"have fewer lossless classes on these ports, or shorter cables"}
