from __future__ import annotations

from pathlib import Path

import pytest

from fabric.design.build import design
from fabric.design.model import Design
from fabric.design.select import select
from fabric.errors import UsageError
from fabric.intent.loader import load


@pytest.fixture(scope="module")
def lab() -> Design:
    return design(load(Path(__file__).parents[2] / "inventories" / "lab"))


@pytest.mark.parametrize(
    ("limit", "names"),
    [
        ("leaf02", ("leaf02",)),
        ("leaf*", ("leaf01", "leaf02", "leaf03", "leaf04")),
        ("leaf0[13]", ("leaf01", "leaf03")),
        ("gpu01,spine01", ("spine01", "gpu01")),
        ("leaf01, leaf01 ,leaf*1", ("leaf01",)),
        ("role:gpu", ("gpu01", "gpu02", "gpu03", "gpu04")),
        ("role:s*", ("spine01", "spine02")),
        ("rail:2", ("leaf02", "leaf04")),
        ("rail:1,gpu03", ("leaf01", "leaf03", "gpu03")),
    ],
)
def test_a_limit_selects_nodes_in_design_order(lab: Design, limit: str, names: tuple[str, ...]) -> None:
    assert select(lab, limit) == names


def test_without_a_limit_all_nodes_are_selected(lab: Design) -> None:
    assert select(lab, None) == tuple(lab.network.nodes)


@pytest.mark.parametrize(
    ("limit", "message", "hint"),
    [
        (
            "leaf01,leef02",
            "--limit 'leef02' selects no node of lab",
            "did you mean leaf02 or leaf04? roles: spine, leaf, gpu",
        ),
        ("role:gpus", "--limit 'role:gpus' selects no node of lab", "did you mean gpu? roles: spine, leaf, gpu"),
        ("rail:3", "--limit 'rail:3' selects no node of lab", "rails: 1 to 2"),
        ("xyz*", "--limit 'xyz*' selects no node of lab", "roles: spine, leaf, gpu"),
        ("leaf01,", "--limit '' selects no node of lab", "roles: spine, leaf, gpu"),
        ("pod:1", "--limit 'pod:1': unknown kind 'pod'", "write a name, a glob, role:NAME or rail:N"),
    ],
)
def test_an_entry_that_selects_nothing_is_refused(lab: Design, limit: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        select(lab, limit)
    assert (caught.value.message, caught.value.hint) == (message, hint)
