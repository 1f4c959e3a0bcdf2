"""Reports of more than a thousand nodes stay readable: equals stand together, and nothing different is hidden."""

import pytest

from fabric.changes.change import Change, Steps
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.plan import Plan
from fabric.changes.run import NodeRun, NodeState, Run, RunState
from fabric.design.model import Design, Rail
from fabric.errors import Problem
from fabric.report.style import report
from fabric.results import CheckResult, Status, Verification
from fabric.settings.addresses import Address, Addresses
from fabric.settings.bgp import Bgp, Router
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Port
from fabric.settings.network import End, Link, Network, Node

PODS, LEAVES, SPINES, HOSTS = 8, 16, 4, 4


def switch(name, where, asn, loopback, **more):
    role, tier, pod = where
    facets = Addresses({f"lo {loopback}/32": Address()}), Bgp({"router": Router(asn)})
    return Node(name, role, "switch", tier, "frr", "linux", Facts("frr"), Settings(*facets), pod, **more)


def design():
    nodes, links, rails = {}, [], []
    for pod in range(1, PODS + 1):
        for n in range(1, SPINES + 1):
            name = f"p{pod}-spine{n:02}"
            nodes[name] = switch(name, ("spine", 2, pod), 65000 + pod, f"10.255.{pod}.{n}", plane=n)
        for n in range(1, LEAVES + 1):
            name = f"p{pod}-leaf{n:02}"
            state = "planned" if (pod, n) == (8, 16) else "active"
            nodes[name] = switch(name, ("leaf", 1, pod), 65100 + 64 * pod + n, f"10.254.{pod}.{n}", state=state)
            up = [End(f"p{pod}-spine{s:02}", f"swp{n}") for s in range(1, SPINES + 1)]
            links += [Link(End(name, f"swp{60 + s}"), end, 400 * 10**9, 30, "dr4", "rs") for s, end in enumerate(up)]
            for h in range(1, HOSTS + 1):
                host = f"p{pod}-gpu{(n - 1) * HOSTS + h:02}"
                nodes[host] = Node(host, "gpu", "host", 0, "linux", "connectx-7", Facts("linux"), Settings(), pod)
                links.append(Link(End(host, "eth1"), End(name, f"swp{h}"), 200 * 10**9, 5))
                rails.append(Rail(host, "eth1", 1, f"10.{pod}.{n}.{2 * h + 1}/31", f"10.{pod}.{n}.{2 * h}", name))
    return Design("big", Network(nodes, tuple(links)), (), 9000, tuple(rails), {})


DESIGN = design()
LEAF_NAMES = [name for name, node in DESIGN.network.nodes.items() if node.role == "leaf"]


@pytest.fixture
def table():
    return report("table", color=False)


def test_a_design_of_many_nodes_fits_on_a_screen(table):
    lines = table.design(DESIGN).splitlines()
    assert len(lines) < 25
    assert lines[0] == "fabric big: 672 nodes, 1,024 links, 8 pods, IP MTU 9000"
    cells = [" | ".join(cell.strip() for cell in line.split("  ") if cell.strip()) for line in lines]
    leaves = "p1-leaf01 .. p7-leaf16 (112), p8-leaf01 .. p8-leaf15 (15)"
    assert cells[1:6] == [
        "nodes | role | pod | plane | state | system | model | links | down:up",
        "p1-spine01 .. p8-spine04 (32) | spine | 1-8 | 1-4 | frr | linux | 16",
        f"{leaves} | leaf | 1-8 | frr | linux | 8 | 0.5:1",
        "p1-gpu01 .. p8-gpu64 (512) | gpu | 1-8 | linux | connectx-7 | 1",
        "p8-leaf16 | leaf | 8 | planned | frr | linux | 8 | 0.5:1",
    ]
    assert f"{leaves} | 65165 .. 65627 (127) | 10.254.1.1 .. 10.254.8.15 (127)" in cells
    assert "p1-spine01 .. p8-spine04 (32) | 65001 .. 65008 | 10.255.1.1 .. 10.255.8.4 (32)" in cells
    assert "leaf | spine | 512 | 1 | 400G | 30 m | dr4 | rs" in cells
    assert "gpu | leaf | 512 | 1 | 200G | 5 m" in cells


def test_the_listing_names_every_node_and_every_cable(table):
    listed = table.listing(DESIGN).splitlines()
    first_words = {line.partition(" ")[0] for line in listed}
    assert DESIGN.network.nodes.keys() <= first_words
    assert len(listed) > len(DESIGN.network.nodes) + len(DESIGN.network.links)


def changes(mtu=lambda _: 9000):
    for number, name in enumerate(LEAF_NAMES):
        rows = (
            RowDelta("links", "swp1", Port(1500), Port(mtu(name)), ("mtu",)),
            RowDelta("bgp", "router", None, Router(65101 + number, f"10.254.0.{number + 1}")),
            *(RowDelta("addresses", f"swp{n} 10.9.{number}.{n}/31", None, Address()) for n in range(1, 12)),
        )
        yield name, Change(name, Delta(name, rows), Steps())


def plan(made, **more):
    return Plan("big", "abc", (("p1-leaf01",), tuple(LEAF_NAMES[1:])), made, **more)


def test_like_changes_are_told_once_with_the_span_of_their_addresses(table):
    said = table.plan(DESIGN, plan(dict(changes())), "/x", frozenset())
    assert len(said.splitlines()) == 9
    assert "p1-leaf01 .. p8-leaf16 (128)  13 differences each, impact hitless" in said
    assert "+ asn 65101 .. 65228, router_id 10.254.0.1 .. 10.254.0.128" in said
    assert "swp1 10.9.0.1/31 .. 10.9.127.1/31 (128), swp2" in said
    assert " and 8 more  +\n" in said
    assert "wave 2: p1-leaf02 .. p1-leaf16 (15), p2-leaf01 .. p8-leaf16 (112)" in said


def test_a_change_that_differs_in_anything_else_stands_by_itself(table):
    made = dict(changes(lambda name: 9100 if name == "p3-leaf07" else 9000))
    said = table.plan(DESIGN, plan(made), "/x", frozenset())
    heads = [line for line in said.splitlines() if "differences" in line]
    assert len(heads) == 2
    assert heads[1] == "p3-leaf07  13 differences, impact hitless"
    assert "mtu 1500 -> 9100" in said


def test_nodes_that_are_not_reached_for_one_reason_are_one_line(table):
    lost = {name: Problem(f"{name}: no connection to 10.0.0.{n}") for n, name in enumerate(LEAF_NAMES[:16], 1)}
    said = table.plan(DESIGN, plan({}, unreached=lost | {"x": Problem("not let in")}), "/x", frozenset()).splitlines()
    assert "not reached: p1-leaf01 .. p1-leaf16 (16): <node>: no connection to 10.0.0.1 .. 10.0.0.16" in said
    assert "not reached: x: not let in" in said


def test_equal_failures_are_one_line_per_check(table):
    down = [CheckResult("links.up", f"{name}:swp1", Status.FAIL, "down", "up", "down") for name in LEAF_NAMES]
    other = CheckResult("links.up", "p1-leaf01:swp2", Status.FAIL, "down", "up", "dormant")
    skips = [CheckResult("cabling.lldp", name, Status.SKIP, "no LLDP") for name in LEAF_NAMES]
    lines = table.verification(DESIGN, Verification("big", (*down, other, *skips))).splitlines()
    assert lines[3:6] == [
        "fail links.up p1-leaf01:swp1 .. p8-leaf16:swp1 (128): down (expected up, found down)",
        "fail links.up p1-leaf01:swp2: down (expected up, found dormant)",
        "skip cabling.lldp p1-leaf01 .. p8-leaf16 (128): no LLDP",
    ]


def test_a_node_that_names_itself_says_the_same_as_others(table):
    skips = [CheckResult("links.up", f"{name}:swp1", Status.SKIP, f"{name} is planned") for name in LEAF_NAMES]
    alone = CheckResult("links.up", "p1-spine01:swp1", Status.FAIL, "p1-spine01 is down")
    lines = table.verification(DESIGN, Verification("big", (*skips, alone))).splitlines()
    assert lines[2:4] == [
        "skip links.up p1-leaf01:swp1 .. p8-leaf16:swp1 (128): <node> is planned",
        "fail links.up p1-spine01:swp1: p1-spine01 is down",
    ]


def test_nodes_of_a_run_stand_together_by_wave_state_and_message(table):
    nodes = [NodeRun(name, 2, NodeState.DONE) for name in LEAF_NAMES]
    nodes[20] = NodeRun(LEAF_NAMES[20], 2, NodeState.REFUSED, "no")
    run = Run("r", "apply", "big", "/x", "abc", RunState.STOPPED, "t0", "t1", "me", alive=False, nodes=tuple(nodes))
    rows = table.run(run).splitlines()[2:]
    assert len(rows) == 2
    assert "p2-leaf05" in rows[1]
    assert "refused" in rows[1]


def test_what_could_not_be_looked_at_is_one_line_for_each_reason(table):
    skips = [
        CheckResult(
            "links.up", str(link.a), Status.SKIP, f"the link {link.a} - {link.b}: {link.b.node} was not reached"
        )
        for link in DESIGN.network.links
    ]
    told = [CheckResult("management.reachable", name, Status.PASS, "answers") for name in DESIGN.network.nodes]
    other = CheckResult("links.up", "p1-leaf01:swp9", Status.SKIP, "the port is of no interest")
    said = table.verification(DESIGN, Verification("big", (*told, *skips, other)))
    lines = [line for line in said.splitlines() if line.startswith("skip links.up")]
    assert len(lines) == 2
    assert lines[0].endswith(": the link <node>:<port> - <node>:<port>: <node> was not reached")
    assert lines[1] == "skip links.up p1-leaf01:swp9: the port is of no interest"


def test_failures_name_the_nodes_that_they_are_about(table):
    links = DESIGN.network.links[:3]
    failed = [CheckResult("links.up", str(link.a), Status.FAIL, f"{link.b} is down") for link in links]
    said = table.verification(DESIGN, Verification("big", tuple(failed)))
    assert all(f"fail links.up {link.a}: {link.b} is down" in said for link in links)
