"""What is wrong is said with its key, what was found, what is allowed, and the nearest spelling; all at once."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.errors import Problem
from fabric.intent.allowed import language
from fabric.intent.spelling import choices, nearest
from fabric.intent.tree import Tree

Problems = Callable[[object], tuple[Problem, ...]]


def put(data: dict, path: str, value: object) -> dict:
    """Set the value at a dotted path; entries of lists by their index."""
    *above, last = path.split(".")
    here: object = data
    for step in above:
        here = here[int(step)] if isinstance(here, list) else here.setdefault(step, {})
    here[int(last) if isinstance(here, list) else last] = value
    return data


def test_the_valid_intent_of_these_tests_is_valid(problems: Problems, valid: dict) -> None:
    assert problems(valid) == ()


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("topology.swiches", "did you mean switches? allowed here: cables, hosts, pods, switches"),
        (
            "topology.switches.leaf.modle",
            "did you mean model? allowed here: asn, count, model, per, release, stride, system",
        ),
        (
            "addressing.loopback",
            "did you mean loopbacks? allowed here: hosts, links, loopbacks, mtu, router_ids, stride",
        ),
        ("addressing.MTU", "did you mean mtu? allowed here: hosts, links, loopbacks, mtu, router_ids, stride"),
        ("classes.rdma.ecn.kmin", "did you mean min? allowed here: flows, incast, max, min, probability, profile"),
        (
            "nic_settings.rdma-mtu",
            "did you mean rdma_mtu? allowed here: acs, bnxt, mlx5, persist, rdma_mtu, read_request, relaxed_ordering",
        ),
        ("pfc.mtu", "it belongs elsewhere: addressing.mtu, nodes.*.ports.*.mtu; allowed here: watchdog"),
        ("pfc.per_pair", "it belongs elsewhere: topology.cables.*.per_pair; allowed here: watchdog"),
        ("topology.pod", "did you mean pods? allowed here: cables, hosts, pods, switches"),
        ("jobs.nccl.qqqq", "allowed here: class, communicators, retries, timeout"),
    ],
)
def test_an_unknown_key_offers_the_nearest_and_the_allowed(
    problems: Problems, valid: dict, path: str, hint: str
) -> None:
    (problem,) = problems(put(valid, path, 1))
    assert problem.message == f"{path}: unknown key"
    assert problem.hint == hint


@pytest.mark.parametrize(
    ("path", "value", "message", "hint"),
    [
        (
            "topology.switches.leaf.count",
            "two",
            "found 'two'",
            "allowed: a whole number from 1 to 100000 (how many switches; per pod where per: pod)",
        ),
        (
            "topology.switches.leaf.count",
            2.0,
            "found the number 2.0",
            "allowed: a whole number from 1 to 100000 (how many switches; per pod where per: pod)",
        ),
        (
            "topology.switches.leaf.count",
            True,
            "found true",
            "allowed: a whole number from 1 to 100000 (how many switches; per pod where per: pod)",
        ),
        (
            "topology.switches.leaf.count",
            0,
            "found the number 0",
            "allowed: a whole number from 1 to 100000 (how many switches; per pod where per: pod)",
        ),
        (
            "topology.switches.leaf.count",
            10**30,
            f"found the number 1{'0' * 30}",
            "allowed: a whole number from 1 to 100000 (how many switches; per pod where per: pod)",
        ),
        (
            "topology.switches.leaf.release",
            202411,
            "found the number 202411",
            "allowed: a text (the release of the system, in quotes)",
        ),
        (
            "topology.switches.leaf.asn",
            65000,
            "found the number 65000",
            "allowed: a mapping with at least one key (AS numbers of the role)",
        ),
        (
            "topology.switches.leaf.asn.per",
            "teir",
            "found 'teir'",
            (
                "did you mean tier? allowed: tier, pod, device "
                "(one AS number for all, a further one per pod, or a further one per device)"
            ),
        ),
        (
            "topology.switches",
            [],
            "found a list",
            "allowed: a mapping with at least one key (switch roles under their names)",
        ),
        (
            "topology.cables",
            "all",
            "found 'all'",
            (
                "allowed: a list with at least one entry or a mapping with at least one key "
                "(which roles are cabled to each other)"
            ),
        ),
        (
            "topology.cables.1.length_m",
            0,
            "found the number 0",
            "allowed: a number, above 0 and at most 100000 (length in metres; headroom depends on it)",
        ),
        (
            "topology.cables.1.speed",
            10,
            "found the number 10; a quantity with its unit is wanted, such as 400G",
            "speed: speed of each cable, such as 400G",
        ),
        (
            "topology.cables.1.speed",
            "0G",
            "found '0G'; a speed above 0 is wanted, such as 400G",
            "speed: speed of each cable, such as 400G",
        ),
        (
            "addressing.mtu",
            90000,
            "found the number 90000",
            "allowed: a whole number from 1280 to 65535 (IP MTU in bytes; systems add their layer-2 share)",
        ),
        (
            "addressing.hosts",
            "10.0.0.1/8",
            "found '10.0.0.1/8'; the prefix has bits set behind its length; 10.0.0.0/8 is the network",
            "hosts: pool of the /31s (/127s) between hosts and leaves",
        ),
        (
            "addressing.hosts",
            "10.0.0.0/33",
            "found '10.0.0.0/33'; a prefix is wanted, such as 10.64.0.0/12 or 2001:db8::/32",
            "hosts: pool of the /31s (/127s) between hosts and leaves",
        ),
        (
            "addressing.hosts",
            "10.0.0.0",
            "found '10.0.0.0'; a prefix is wanted, such as 10.64.0.0/12 or 2001:db8::/32",
            "hosts: pool of the /31s (/127s) between hosts and leaves",
        ),
        (
            "addressing.links",
            "numbered",
            "found 'numbered'; a prefix is wanted, such as 10.64.0.0/12 or 2001:db8::/32; or: unnumbered",
            "links: unnumbered, or the pool of the /31s (/127s) between switches",
        ),
        (
            "classes.rdma.dscp",
            "7-0",
            "found '7-0'; a DSCP from 0 to 63 is wanted: one, a list, or a range such as 0-7",
            "dscp: the DSCPs of the class: one, a list, or a range such as 0-7",
        ),
        (
            "classes.rdma.share",
            60,
            "found the number 60; a quantity with its unit is wanted, such as 60%",
            "share: share of a congested link, such as 60%",
        ),
        (
            "classes.rdma.share",
            "12.5%",
            "found '12.5%'; a whole percentage is wanted, such as 60%",
            "share: share of a congested link, such as 60%",
        ),
        (
            "classes.rdma.priority",
            8,
            "found the number 8",
            "allowed: a whole number from 0 to 7 (PFC priority, 0 to 7)",
        ),
        ("classes.rdma.rdma", "yes", "found 'yes'", "allowed: true or false (carries RDMA)"),
        (
            "classes.rdma.ecn.min",
            "soon",
            "found 'soon'; a quantity with its unit is wanted, such as 150KB or 2MiB; or: auto",
            "min: queue length from which packets are marked: 150KB, {100G: 150KB, 400G: 600KB}, or auto",
        ),
        ("classes.rdma.traffic", [1], "found the number 1", "allowed: a text"),
        (
            "pfc.watchdog.detect",
            "0ms",
            "found '0ms'; a time above 0 is wanted, such as 200ms",
            "detect: how long a queue may be paused, such as 200ms",
        ),
        (
            "nic_settings.rdma_mtu",
            9000,
            "found the number 9000",
            "allowed: 256, 512, 1024, 2048, 4096 (RDMA MTU in bytes; must fit into the IP MTU)",
        ),
        (
            "nic_settings.mlx5.dcqcn.rate",
            0.5,
            "found the number 0.5",
            "allowed: a whole number from 0 to 4294967295",
        ),
        (
            "buffers.alpha",
            0,
            "found the number 0; a ratio above 0 and at most 1024 is wanted, such as 1/8 or 2",
            "alpha: dynamic threshold of lossless queues, such as 1/8",
        ),
        ("access.switches.port", 0, "found the number 0", "allowed: a whole number from 1 to 65535 (TCP port)"),
        (
            "access.hosts.host",
            "{node}.x",
            "found a text; a host name or address, in which {name} stands for the node, is wanted",
            "host: host name or address; {name} stands for the node",
        ),
    ],
)
def test_a_wrong_value_says_what_was_found_and_what_is_allowed(  # noqa: PLR0917 - the columns of the table
    problems: Problems, valid: dict, path: str, value: object, message: str, hint: str
) -> None:
    found = problems(put(copy.deepcopy(valid), path, value))
    shown = [problem for problem in found if problem.message.startswith(path)]
    assert [(problem.message, problem.hint) for problem in shown][:1] == [
        (f"{path}{'.0' if path.endswith('traffic') else ''}: {message}", hint)
    ]


@pytest.mark.parametrize("path", ["fabric", "topology.hosts.gpu.nic", "topology.cables.1.speed", "addressing.mtu"])
def test_a_missing_key_is_named_and_described(problems: Problems, valid: dict, path: str) -> None:
    *above, last = path.split(".")
    here = valid
    for step in above:
        here = here[int(step)] if isinstance(here, list) else here[step]
    del here[last]
    (problem,) = problems(valid)
    assert problem.message == f"{path} is missing"
    assert problem.hint.startswith(f"add {last}: ")


def test_a_misspelt_key_is_not_called_missing_as_well(problems: Problems, valid: dict) -> None:
    valid["addressing"]["mtus"] = valid["addressing"].pop("mtu")
    (problem,) = problems(valid)
    assert problem.message == "addressing.mtus: unknown key"
    assert problem.hint == "did you mean mtu? allowed here: hosts, links, loopbacks, mtu, router_ids, stride"


@pytest.mark.parametrize("name", ["Leaf", "1leaf", "leaf_a", "leaf.a", "", "x" * 32, "leaf a", "блок"])
def test_a_role_name_that_could_be_no_host_name_is_refused(problems: Problems, valid: dict, name: str) -> None:
    valid["topology"]["switches"][name] = valid["topology"]["switches"]["leaf"]
    assert any("a name of at most 31 lower-case letters" in problem.message for problem in problems(valid))


def test_a_key_written_like_the_mark_of_a_key_is_only_a_key(problems: Problems, valid: dict) -> None:
    valid["[key]"] = 1
    valid["topology"]["[key]"] = 1
    valid["topology"]["switches"]["[key]"] = {"[key]": 1}
    assert {problem.message for problem in problems(valid)} >= {
        "[key]: unknown key",
        "topology.[key]: unknown key",
        "topology.switches.[key].[key]: unknown key",
        "topology.switches.[key].model is missing",
    }


def test_a_long_text_is_cut_and_a_mapping_is_not_repeated(problems: Problems, valid: dict) -> None:
    cut, wanted = "x" * 40, "a text of at most 64 letters, digits, blanks and . _ + / - is wanted"
    valid["topology"]["hosts"]["gpu"] |= {"nic": "x" * 100, "attach": {"rail": 1}}
    assert [problem.message for problem in problems(valid)] == [
        f"topology.hosts.gpu.nic: found {cut!r}...; {wanted}",
        "topology.hosts.gpu.attach: found a mapping",
    ]


def test_a_place_outside_of_the_language_has_no_words() -> None:
    words = language(Tree("fabric.yaml", {}, {}, {}))
    assert (words.keys(("nope", 0)), words.description(("fabric", "x")), words.words(("nope",))) == ((), "", ())
    assert words.wanted(("nope",)) == "another value"


def test_a_dangerous_user_name_is_refused_and_not_repeated(problems: Problems, valid: dict) -> None:
    valid["access"] = {"hosts": {"user": "-oProxyCommand=x"}}
    (problem,) = problems(valid)
    assert problem.message == "access.hosts.user: found a text; a user name is wanted"


def test_problems_come_in_the_order_of_the_file_with_line_and_column(problems: Problems) -> None:
    text = "fabric: Lab\ntopology:\n  swiches: 1\nmtu: 3\npfc:\n  watchdog: {detect: 200}\n"
    places = [problem.where.split(":", 1)[1] for problem in problems(text)]
    assert places == sorted(places, key=lambda place: tuple(map(int, place.split(":"))))
    assert {"1:9", "3:3", "4:1", "6:22"} <= set(places)


def test_no_word_of_the_checking_library_shows(problems: Problems, valid: dict) -> None:
    for path in ("fabric", "topology", "topology.cables", "classes.rdma", "addressing.mtu", "jobs.nccl", "buffers"):
        for value in (3, "x y", [], {}, [[]], True, 0.5):
            for problem in problems(put(copy.deepcopy(valid), path, value)):
                text = problem.message + problem.hint
                assert not any(word in text for word in ("Input", "pydantic", "http", "type=", "Value error", "dict"))
                assert problem.hint
                assert problem.where.count(":") == 2


def test_a_class_takes_one_dscp_a_list_or_a_range(problems: Problems, valid: dict) -> None:
    for given_dscp in (8, "8", [8], "8-15", [8, "10 - 12", 8]):
        mark = {"mark": 8} if given_dscp not in (8, "8", [8]) else {}
        valid["classes"]["bulk"] = {"dscp": given_dscp, "priority": 1, **mark}
        assert problems(valid) == ()


@pytest.mark.parametrize("wrong", [64, -1, "64", "0-64", "5-3", [], [[1]], True, "ef", 1.0, {}, "1,2"])
def test_what_is_no_dscp_is_refused(problems: Problems, valid: dict, wrong: object) -> None:
    valid["classes"]["rdma"]["dscp"] = wrong
    (problem,) = problems(valid)
    assert "a DSCP from 0 to 63 is wanted" in problem.message


def test_nothing_is_offered_where_nothing_is_near() -> None:
    assert nearest("zzz", ["count", "model"]) is None
    assert nearest("x" * 65, ["count"]) is None
    assert choices(None, []) == "nothing is allowed here"


@given(st.text(max_size=80), st.lists(st.text(max_size=10)))
def test_the_nearest_word_is_one_of_the_allowed(found: str, allowed: list[str]) -> None:
    assert nearest(found, allowed) in {None, *allowed}


def test_a_list_whose_entries_are_wrong_is_not_called_empty(problems: Problems, valid: dict) -> None:
    valid["topology"]["cables"][0]["speed"] = "fast"
    (problem,) = problems(valid)
    assert problem.message.startswith("topology.cables.0.speed: found 'fast'")


def test_a_name_that_is_none_is_to_be_renamed(problems: Problems, valid: dict) -> None:
    valid["classes"]["Bulk"] = {"dscp": 10, "priority": 1}
    (problem,) = problems(valid)
    assert problem.message.startswith("classes.Bulk: found 'Bulk'; a name of at most 31 lower-case letters")
    assert problem.hint == "rename it here and wherever it is named"


def test_a_pattern_of_nodes_that_is_none_is_to_be_made_wider(problems: Problems, valid: dict) -> None:
    valid["nodes"] = {"leaf0[1-4]": {"release": "x"}}
    (problem,) = problems(valid)
    assert problem.message.startswith("nodes.leaf0[1-4]: found 'leaf0[1-4]'; a node name, or a pattern with * and ?")
    assert problem.hint == "* stands for any characters and ? for one: write a wider pattern, or one key for each node"


def test_a_number_of_pods_that_is_none_is_said_before_that_no_role_has_them(problems: Problems, valid: dict) -> None:
    valid["topology"]["pods"] = 0
    assert [problem.message for problem in problems(valid)] == [
        "topology.pods: found the number 0",
        "topology.pods: no role has per: pod",
    ]


@pytest.mark.parametrize(
    ("prefix", "purpose"),
    [
        ("0.0.0.0/0", "0.0.0.0/8 (this network)"),
        ("127.0.0.0/16", "127.0.0.0/8 (loopback inside a host)"),
        ("169.254.0.0/16", "169.254.0.0/16 (link-local)"),
        ("224.0.0.0/8", "224.0.0.0/4 (multicast)"),
        ("255.0.0.0/8", "240.0.0.0/4 (reserved)"),
    ],
)
def test_a_pool_of_addresses_that_no_port_can_have(problems: Problems, valid: dict, prefix: str, purpose: str) -> None:
    (problem,) = problems(put(valid, "addressing.hosts", prefix))
    assert problem.message == f"addressing.hosts: found '{prefix}'; no port can have an address of {purpose}"


def test_the_loopback_device_is_no_nic(problems: Problems, valid: dict) -> None:
    nics = valid["topology"]["hosts"]["gpu"]["nics"]
    names = ["lo", *(f"eth{number}" for number in range(nics - 1))]
    (problem,) = problems(put(valid, "topology.hosts.gpu.interfaces", names))
    assert "interfaces.0: found 'lo'; the name of a network device but lo" in problem.message


def test_a_mark_of_the_default_class_is_one_of_its_dscps(problems: Problems, valid: dict) -> None:
    assert problems(put(copy.deepcopy(valid), "classes.default.mark", 63)) == ()
    (problem,) = problems(put(valid, "classes.default.mark", valid["classes"]["rdma"]["dscp"]))
    assert problem.message.endswith("which is not a DSCP of the class")


@pytest.mark.parametrize("limit", ["0.001M", "2.0000005G", "0.1M"])
def test_a_limit_that_systems_would_round_is_refused(problems: Problems, valid: dict, limit: str) -> None:
    assert problems(put(copy.deepcopy(valid), "classes.rdma.limit", "2.5G")) == ()
    (problem,) = problems(put(valid, "classes.rdma.limit", limit))
    assert problem.message == (f"classes.rdma.limit: found '{limit}'; a whole number of Mbit/s is wanted, such as 500M")


def test_a_host_has_no_more_nics_than_routing_tables(problems: Problems, valid: dict) -> None:
    (problem,) = problems(put(valid, "topology.hosts.gpu.nics", 129))
    assert problem.hint == "allowed: a whole number from 1 to 128 (RDMA NICs per host)"
