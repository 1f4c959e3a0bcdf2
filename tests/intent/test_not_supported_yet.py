"""The language has keys that are not built yet: each is refused by name, at its place, and nothing else is said."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fabric.errors import Problem
from fabric.intent.unsupported import KEYS

Problems = Callable[[object], tuple[Problem, ...]]

# The whole language of the intent file beyond what is built, as the design document lists it.
NAMED = """
    topology.pods topology.switches.*.per topology.switches.*.asn.stride topology.hosts.*.per topology.hosts.*.ports
    topology.hosts.*.bond topology.cables.*.media topology.cables.*.fec topology.cables.*.ports
    topology.cables.*.to_ports topology.cables.*.spread topology.cables.*.file topology.cables.*.match
    addressing.router_ids classes.*.edge classes.*.ecn.profile classes.*.ecn.flows buffers.lossy_alpha
    buffers.oversubscribe buffers.override routing nic_settings.bnxt jobs.nccl.communicators hooks nodes access.jump
    access.switches.jump access.switches.password access.switches.key access.hosts.jump access.hosts.password
    access.hosts.key tenants external waivers
"""


def place(data: dict, pattern: str, value: object) -> str:
    """Put a value at a pattern, in the first name where any will do; return the path."""
    here: object = data
    path = []
    *above, last = pattern.split(".")
    for step in above:
        if isinstance(here, list):
            path.append("0")
            here = here[0]
            continue
        assert isinstance(here, dict)
        name = next(iter(here)) if step == "*" else step
        path.append(name)
        here = here.setdefault(name, {})
    assert isinstance(here, dict)
    here[last] = value
    return ".".join([*path, last])


@pytest.mark.parametrize("pattern", KEYS)
def test_a_key_that_is_not_built_yet_is_refused_by_name_alone(problems: Problems, valid: dict, pattern: str) -> None:
    path = place(valid, pattern, {"env": "NAME"})
    found = problems(valid)
    assert [problem.message for problem in found] == [f"{path} is not supported yet"]
    assert found[0].hint == "leave the key out"
    assert found[0].where.count(":") == 2


def test_every_key_of_the_language_is_built_or_listed() -> None:
    assert set(NAMED.split()) - set(KEYS) == set()


@pytest.mark.parametrize(
    ("pattern", "value", "said"),
    [
        ("topology.switches.*.asn.per", "pod", "pod"),
        ("topology.cables", {"file": "cables.csv"}, "a file of cables"),
        ("addressing.hosts", {"prefix": "10.0.0.0/8", "per": "leaf"}, "the form {prefix, per, length, ...}"),
        ("addressing.hosts", "fd00:10::/32", "IPv6"),
        ("addressing.links", "fd00::/64", "IPv6"),
        ("addressing.loopbacks", "::/0", "IPv6"),
        ("addressing.hosts", ["10.0.0.0/8", "fd00::/32"], "a list of pools"),
        ("classes.*.ecn.min", {"100G": "150KB"}, "a threshold per speed"),
        ("classes.*.ecn.max", {"100G": "150KB"}, "a threshold per speed"),
    ],
)
def test_a_form_that_is_not_built_yet_is_refused_by_name_alone(
    problems: Problems, valid: dict, pattern: str, value: object, said: str
) -> None:
    path = place(valid, pattern, value)
    assert [problem.message for problem in problems(valid)] == [f"{path}: {said} is not supported yet"]


def test_cables_listed_beside_generated_ones_say_only_that(problems: Problems, valid: dict) -> None:
    valid["topology"]["cables"].append({"match": "leaf03:swp7", "length_m": 120})
    assert [problem.message for problem in problems(valid)] == ["topology.cables.2.match is not supported yet"]


def test_a_text_with_many_colons_is_judged_quickly(problems: Problems, valid: dict) -> None:
    valid["addressing"]["hosts"] = ":" * 200_000
    assert "an IPv4 prefix is wanted" in problems(valid)[0].message


@pytest.mark.parametrize("group", ["switches", "hosts"])
@pytest.mark.parametrize("key", ["password", "key", "token", "secret", "passphrase", "private_key"])
def test_a_literal_secret_is_refused_and_not_repeated(problems: Problems, valid: dict, group: str, key: str) -> None:
    valid["access"] = {group: {key: "hunter2"}}
    (problem,) = problems(valid)
    assert problem.message == f"access.{group}.{key}: a secret stands here"
    assert problem.hint == "secrets stand in this file only as references, such as {env: NAME}; leave the key out"


@pytest.mark.parametrize(
    "access", [{"password": "hunter2"}, {"switches": "hunter2"}, {"hosts": {"passwd": "hunter2"}}, "hunter2"]
)
def test_what_stands_under_access_is_never_repeated(problems: Problems, valid: dict, access: object) -> None:
    valid["access"] = access
    found = problems(valid)
    assert found
    assert not any("hunter2" in problem.message + problem.hint for problem in found)
