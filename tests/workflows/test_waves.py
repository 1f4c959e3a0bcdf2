import pytest

from fabric.changes.change import Change, Steps
from fabric.changes.delta import Delta, RowDelta
from fabric.design.build import design
from fabric.intent.loader import load
from fabric.settings.links import Port
from fabric.workflows.waves import waves


@pytest.fixture(scope="module")
def network():
    return design(load("inventories/lab")).network


def changes(names, now=1500, wanted=9000):
    row = RowDelta("links", "swp1", Port(now), Port(wanted), ("mtu",))
    return {name: Change(name, Delta(name, (row,)), Steps()) for name in names}


def test_a_new_fabric_changes_from_the_top_down_with_a_canary(network):
    assert waves(network, changes(network.nodes)) == (
        ("spine01",),
        ("spine02",),
        ("leaf01", "leaf03"),
        ("leaf02", "leaf04"),
        ("gpu01", "gpu02", "gpu03", "gpu04"),
    )


def test_lower_mtus_change_hosts_first(network):
    names = [name for name in network.nodes if name not in ("gpu02", "spine02")]
    assert waves(network, changes(names, 9000, 1500)) == (
        ("gpu01",),
        ("gpu03", "gpu04"),
        ("leaf01", "leaf03"),
        ("leaf02", "leaf04"),
        ("spine01",),
    )


def test_one_canary_goes_before_the_others_of_its_wave(network):
    assert waves(network, changes(["leaf01", "leaf03"])) == (("leaf01",), ("leaf03",))


def test_two_leaves_of_one_host_never_change_together(network):
    for wave in waves(network, changes(network.nodes)):
        for host in ("gpu01", "gpu03"):
            leaves = {far.node for _, _, far in network.links_of[host]}
            assert len(leaves & set(wave)) < 2


def test_nothing_to_change_makes_no_waves(network):
    assert waves(network, {}) == ()


def test_rows_without_an_mtu_say_nothing_about_the_order(network):
    rows = (RowDelta("links", "swp1", None, Port(9000)), RowDelta("links", "swp2", Port(), Port(9000), ("mtu",)))
    made = {name: Change(name, Delta(name, rows), Steps()) for name in ("leaf01", "gpu01")}
    assert waves(network, made) == (("leaf01",), ("gpu01",))


@pytest.mark.parametrize("file", ["inventories/ai1024", "inventories/pod16", "tests/language/planes"])
def test_no_switch_loses_more_than_half_of_what_is_above_it_in_one_wave(file):
    network = design(load(file)).network
    tier = {name: node.tier for name, node in network.nodes.items()}
    above = {
        name: {far.node for _, _, far in network.links_of[name] if tier[far.node] > tier[name]}
        for name, node in network.nodes.items()
        if node.kind == "switch"
    }
    found = waves(network, changes(network.nodes))
    assert sorted(name for wave in found for name in wave) == sorted(network.nodes)
    assert [
        (name, wave)
        for wave in found
        for name, upper in above.items()
        if len(upper & set(wave)) > max(1, len(upper) // 2)
    ] == []


def test_no_host_loses_all_its_planes_in_one_wave():
    # Two pods of two planes, with one spine for each plane of a pod: what goes together is of one plane.
    network = design(load("tests/acceptance/hall.yaml")).network
    spines = [wave for wave in waves(network, changes(network.nodes)) if "spine" in wave[0]]
    assert spines == [("p1-spine01", "p2-spine01"), ("p1-spine02", "p2-spine02")]
