"""Input that is made to cost: an error within bounds of time and memory that the kernel keeps, and nothing else."""

from __future__ import annotations

import os
import random
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from fabric.errors import IntentError
from fabric.intent.loader import load

LAB = (Path(__file__).parents[2] / "inventories" / "lab" / "fabric.yaml").read_text()
SIZE = 2**21 - 200
PART = 2**18  # where time grows with the length, and a part of it shows that
SECONDS, MEMORY = 20, 300 * 2**20
CABLES = "from_node,from_port,to_node,to_port,speed\n"


def bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    return "\n".join([*lines, *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30))])


def noise(seed: int) -> bytes:
    return random.Random(seed).randbytes(2**20)  # noqa: S311 - the same bytes every time


def keys_of(part: str, count: int) -> str:
    return LAB.replace("rdma: {rdma: true", f"rdma: {{{''.join(f'{part}{n}: 1, ' for n in range(count))}rdma: true")


FILES: dict[str, Callable[[], str | bytes]] = {
    "100 MB": lambda: b"#" * 100 * 2**20,
    "binary": lambda: noise(1),
    "NULs": lambda: b"\0" * SIZE,
    "bidi": lambda: "\u202e" * (SIZE // 3),
    "line breaks": lambda: "\n" * PART,
    "a long scalar": lambda: f"fabric: {'x' * PART}",
    "a long number": lambda: f"fabric: {'9' * PART}",
    "a long quoted scalar that never ends": lambda: f'fabric: "{"x " * (PART // 2)}',
    "a scalar of many lines": lambda: "fabric: " + "x\n  " * (PART // 4),
    "a long tag": lambda: f"a: !{'a' * SIZE}",
    "a long tag in brackets": lambda: f"[!<{'a' * SIZE}",
    "a long anchor": lambda: f"a: &{'a' * PART}",
    "a long key": lambda: f"{'a' * PART}: 1",
    "an alias bomb": bomb,
    "many aliases": lambda: f"a: &a x\nb: [{'*a,' * (SIZE // 3)}",
    "deep brackets": lambda: "[" * SIZE,
    "deep keys": lambda: "\n".join(f"{' ' * n}a:" for n in range(2000)),
    "deep lists": lambda: "- " * (SIZE // 2),
    "many documents": lambda: "---\n" * (SIZE // 4),
    "a million keys": lambda: "\n".join(f"k{n}:" for n in range(200_000)),
    "many unknown keys": lambda: "\n".join(f"key{n}: 1" for n in range(5_000)),
    "many keys that are nearly right": lambda: keys_of("prioritx", 5_000),
    "a million nodes": lambda: LAB.replace("count: 4", "count: 1000000"),
    "a million nodes by pods": lambda: LAB.replace("topology:", "topology:\n  pods: 1000").replace(
        "leaf: {count: 4", "leaf: {per: pod, count: 1000"
    ),
    "a list of wrong names": lambda: LAB.replace(
        "rdma: {rdma", f"rdma: {{edge: [{','.join(f'g{n}' for n in range(10_000))}], rdma"
    ),
}
LISTS: dict[str, Callable[[], str | bytes]] = {
    "a million lines": lambda: CABLES + "a,b,c,d,10G\n" * 1_000_000,
    "wrong lines": lambda: CABLES + "a b,b,c,d,10\n" * 50_000,
    "one line": lambda: "a," * (7 * 2**20),
    "an open quote": lambda: f'{CABLES}"' + "a\n" * (7 * 2**20),
    "binary": lambda: noise(2),
    "many columns": lambda: ",".join(f"a{n}" for n in range(1500)),
}
NODES: dict[str, Callable[[], str | bytes]] = {
    "wrong lines": lambda: "node,asn,name\n" + "".join(f"n{n},x,x y\n" for n in range(49_000)),
    "the same line": lambda: "node,asn\n" + "a,1\n" * 49_000,
    "wide cells": lambda: "node,interfaces\n" + "".join(f"n{n},{'a ' * 4000}\n" for n in range(1800)),
}


def within_bounds(folder: Path) -> int:
    """Load in a process of its own with little time and memory; 0 when that ends in an IntentError."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 9
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        load(folder)
        status = 1
    except IntentError as error:
        status = 0 if error.problems and all(each.message and each.where for each in error.problems) else 2
    finally:
        os._exit(status)


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file(tmp_path: Path, name: str) -> None:
    text = FILES[name]()
    (tmp_path / "fabric.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert within_bounds(tmp_path) == 0


@pytest.mark.parametrize(
    ("kind", "name"), [*(("cables", name) for name in LISTS), *(("nodes", name) for name in NODES)]
)
def test_a_hostile_list(tmp_path: Path, kind: str, name: str) -> None:
    text = (LISTS if kind == "cables" else NODES)[name]()
    (tmp_path / f"{kind}.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    entry = (
        "\n    - {file: cables.csv}\n\naddressing:" if kind == "cables" else "\nnodes: {file: nodes.csv}\naddressing:"
    )
    (tmp_path / "fabric.yaml").write_text(LAB.replace("\naddressing:", entry, 1))
    assert within_bounds(tmp_path) == 0
