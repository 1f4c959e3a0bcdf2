"""Secrets stand in the file only as references: a literal one is refused, and never repeated."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fabric.errors import Problem

Problems = Callable[[object], tuple[Problem, ...]]


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


def test_a_literal_secret_of_a_jump_host_is_refused(problems: Problems, valid: dict) -> None:
    valid["access"] = {"jump": {"bastion": {"host": "b.example.net", "password": "hunter2"}}}
    (problem,) = problems(valid)
    assert problem.message == "access.jump.bastion.password: a secret stands here"


def test_a_jump_host_may_be_called_key(problems: Problems, valid: dict) -> None:
    valid["access"] = {"jump": {"key": {"host": "b.example.net"}}, "hosts": {"jump": "key"}}
    assert problems(valid) == ()
