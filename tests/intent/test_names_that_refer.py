"""Names that refer to other names exist, and tiers follow from the cables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fabric.errors import Problem
from fabric.intent.tiers import Joint, tiers

Problems = Callable[[object], tuple[Problem, ...]]


def messages(found: tuple[Problem, ...]) -> list[str]:
    return [problem.message for problem in found]


def cable(lower: object, upper: object, **more: object) -> dict:
    return {"from": lower, "to": upper, "speed": "10G", **more}


def test_a_cable_to_an_unknown_role_offers_the_nearest(problems: Problems, valid: dict) -> None:
    valid["topology"]["cables"][1]["to"] = "laef"
    (problem,) = problems(valid)
    assert problem.message == "topology.cables.1.to: 'laef' is no role"
    assert problem.hint == "did you mean leaf? roles: spine, leaf, gpu"


def test_a_cable_from_an_unknown_role_offers_all(problems: Problems, valid: dict) -> None:
    valid["topology"]["cables"][1]["from"] = "zz"
    (problem,) = problems(valid)
    assert (problem.message, problem.hint) == ("topology.cables.1.from: 'zz' is no role", "roles: spine, leaf, gpu")


@pytest.mark.parametrize(("index", "pair"), [(0, ("spine", "leaf")), (1, ("leaf", "gpu"))])
def test_a_cable_may_be_written_from_either_end(
    problems: Problems, valid: dict, index: int, pair: tuple[str, str]
) -> None:
    valid["topology"]["cables"][index] = cable(*pair)
    assert problems(valid) == ()


def test_hosts_are_not_cabled_to_hosts(problems: Problems, valid: dict) -> None:
    valid["topology"]["hosts"]["storage"] = valid["topology"]["hosts"]["gpu"]
    valid["topology"]["cables"].append(cable("gpu", "storage"))
    assert messages(problems(valid)) == ["topology.cables.2: gpu and storage are both hosts"]


@pytest.mark.parametrize("wrong", [3, [], {}, True])
def test_a_role_that_is_no_text_is_said_once(problems: Problems, valid: dict, wrong: object) -> None:
    valid["topology"]["cables"][1]["to"] = wrong
    assert len(problems(valid)) == 1


def test_a_role_cabled_to_itself_is_refused(problems: Problems, valid: dict) -> None:
    valid["topology"]["cables"].append(cable("leaf", "leaf"))
    assert messages(problems(valid)) == ["topology.cables.2: leaf is cabled to itself"]


@pytest.mark.parametrize("pair", [("gpu", "leaf"), ("leaf", "spine")])
def test_a_pair_of_roles_is_cabled_once(problems: Problems, valid: dict, pair: tuple[str, str]) -> None:
    valid["topology"]["cables"].append(cable(*pair))
    (problem,) = problems(valid)
    first = 1 if pair[0] == "gpu" else 0
    assert (
        problem.message == f"topology.cables.2: {pair[0]} and {pair[1]} are cabled already by topology.cables.{first}"
    )
    assert problem.hint == "keep one of the two; several cables between two nodes are per_pair"


def test_a_host_role_is_cabled_to_one_switch_role(problems: Problems, valid: dict) -> None:
    valid["topology"]["switches"]["other"] = valid["topology"]["switches"]["leaf"]
    valid["topology"]["cables"].append(cable("gpu", "other"))
    said = "topology.cables.2: gpu is cabled to switches of another role, leaf, already"
    assert said in messages(problems(valid))


def test_hosts_need_cables(problems: Problems, valid: dict) -> None:
    valid["topology"]["hosts"]["storage"] = valid["topology"]["hosts"]["gpu"]
    (problem,) = problems(valid)
    assert problem.message == "topology.hosts.storage: no cables lead from this role"
    assert problem.hint == "add to topology.cables: {from: storage, to: SWITCH-ROLE, speed: 400G}"


def test_switches_need_cables(problems: Problems, valid: dict) -> None:
    valid["topology"]["switches"]["border"] = valid["topology"]["switches"]["leaf"]
    assert messages(problems(valid)) == ["topology.switches.border: no cables lead from hosts up to this role"]


def test_five_tiers_are_fine_and_a_sixth_is_not(problems: Problems, valid: dict) -> None:
    for number, (lower, upper) in enumerate([("spine", "t3"), ("t3", "t4"), ("t4", "t5"), ("t5", "t6")], 3):
        assert problems(valid) == ()
        valid["topology"]["switches"][upper] = valid["topology"]["switches"]["spine"]
        valid["topology"]["cables"].append(cable(lower, upper))
        assert number <= 6
    (problem,) = problems(valid)
    assert problem.message == "topology.switches.t6: this is tier 6 above the hosts"
    assert problem.hint == "a fabric has at most 5 tiers of switches"


def test_roles_of_one_tier_are_not_cabled_to_each_other(problems: Problems, valid: dict) -> None:
    valid["topology"]["switches"]["other"] = valid["topology"]["switches"]["leaf"]
    valid["topology"]["hosts"]["storage"] = valid["topology"]["hosts"]["gpu"]
    valid["topology"]["cables"] += [cable("storage", "other"), cable("other", "leaf")]
    assert messages(problems(valid)) == ["topology.cables.3: other and leaf are both tier 1"]


def test_a_list_of_cables_may_join_any_role(problems: Problems, valid: dict, tmp_path: Path) -> None:
    valid["topology"]["switches"]["border"] = valid["topology"]["switches"]["leaf"]
    valid["topology"]["cables"].append({"file": "cables.csv"})
    (tmp_path / "cables.csv").write_text("from_node,from_port,to_node,to_port,speed\nborder01,swp1,spine01,swp9,10G\n")
    assert problems(valid) == ()


def test_a_fabric_of_leaves_alone_is_one(problems: Problems, valid: dict) -> None:
    del valid["topology"]["switches"]["spine"]
    del valid["topology"]["cables"][0]
    assert problems(valid) == ()


def test_two_kinds_of_leaves_share_spines(problems: Problems, valid: dict) -> None:
    valid["topology"]["switches"]["other"] = valid["topology"]["switches"]["leaf"]
    valid["topology"]["hosts"]["storage"] = valid["topology"]["hosts"]["gpu"]
    valid["topology"]["cables"] += [cable("storage", "other"), cable("other", "spine")]
    assert problems(valid) == ()


def test_tiers_are_distances_from_the_hosts_and_circles_end() -> None:
    joints = [Joint(0, "gpu", "leaf"), Joint(1, "spine", "leaf"), Joint(2, "spine", "top"), Joint(3, "top", "leaf")]
    assert tiers(["gpu"], [*joints, Joint(4, "lost", "land")]) == {"gpu": 0, "leaf": 1, "spine": 2, "top": 2}


def test_a_name_is_of_switches_or_hosts(problems: Problems, valid: dict) -> None:
    valid["topology"]["hosts"]["leaf"] = valid["topology"]["hosts"]["gpu"]
    assert "topology.hosts.leaf: the name is given to switches as well" in messages(problems(valid))


def test_interfaces_are_as_many_as_nics(problems: Problems, valid: dict) -> None:
    valid["topology"]["hosts"]["gpu"]["interfaces"] = ["ens1np0", "ens2np0", "ens3np0"]
    assert messages(problems(valid)) == ["topology.hosts.gpu.interfaces: found 3, but nics is 2"]
    valid["topology"]["hosts"]["gpu"]["nics"] = 3
    assert problems(valid) == ()


def test_each_nic_has_a_device_of_its_own(problems: Problems, valid: dict) -> None:
    valid["topology"]["hosts"]["gpu"]["interfaces"] = ["ens1np0", "ens1np0"]
    assert messages(problems(valid)) == ["topology.hosts.gpu.interfaces.1: 'ens1np0' is named twice"]


def test_default_names_no_dscp(problems: Problems, valid: dict) -> None:
    valid["classes"]["default"]["dscp"] = 0
    (problem,) = problems(valid)
    assert problem.message == "classes.default.dscp: default is the class of every DSCP that no other class names"


def test_default_is_needed(problems: Problems, valid: dict) -> None:
    del valid["classes"]["default"]
    assert messages(problems(valid)) == ["classes.default is missing"]


def test_other_classes_need_a_dscp(problems: Problems, valid: dict) -> None:
    valid["classes"]["bulk"] = {"priority": 1}
    assert messages(problems(valid)) == ["classes.bulk.dscp is missing"]


def test_several_dscps_need_a_mark(problems: Problems, valid: dict) -> None:
    valid["classes"]["bulk"] = {"priority": 1, "dscp": "8-15"}
    assert messages(problems(valid)) == ["classes.bulk.mark is missing: dscp names 8"]


def test_a_mark_is_one_of_the_dscps(problems: Problems, valid: dict) -> None:
    valid["classes"]["bulk"] = {"priority": 1, "dscp": [8, 10], "mark": 9}
    (problem,) = problems(valid)
    assert (problem.message, problem.hint) == (
        "classes.bulk.mark: found 9, which is not a DSCP of the class",
        "allowed: 8, 10",
    )


def test_jobs_name_a_class(problems: Problems, valid: dict) -> None:
    valid["jobs"]["nccl"]["class"] = "rmda"
    (problem,) = problems(valid)
    assert problem.message == "jobs.nccl.class: there is no class 'rmda'"
    assert problem.hint == "did you mean rdma? classes: rdma, cnp, default"


def test_references_are_said_together_with_wrong_values(problems: Problems, valid: dict) -> None:
    valid["fabric"] = 3
    valid["jobs"]["nccl"]["class"] = "zz"
    valid["topology"]["pods"] = 2
    assert len(problems(valid)) == 3


def test_one_broken_part_does_not_hide_the_rest(problems: Problems, valid: dict) -> None:
    valid["topology"]["hosts"]["gpu"] = "all"
    valid["classes"]["rdma"] = 3
    valid["topology"]["cables"][0] = 3
    assert len(problems(valid)) == 3
