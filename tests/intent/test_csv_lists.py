"""Lists of cables and nodes in CSV files beside the intent file: what they give, and how they are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

import pytest

from fabric.errors import IntentError, Problem
from fabric.intent.listed import ListedCable
from fabric.intent.loader import load
from fabric.places import Place

Problems = Callable[[object], tuple[Problem, ...]]
Listed = Callable[[str, str | bytes], tuple[Problem, ...]]

HEAD = "from_node,from_port,to_node,to_port,speed"
WHOLE = f"{HEAD},length_m,media,fec,from_address,to_address"


@pytest.fixture
def listed(problems: Problems, valid: dict, tmp_path: Path) -> Listed:
    """Return what is wrong when a list of cables or nodes holds a text."""

    def found(name: str, text: str | bytes) -> tuple[Problem, ...]:
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        if name == "cables.csv":
            valid["topology"]["cables"].append({"file": name})
        else:
            valid["nodes"] = {"file": name}
        return problems(valid)

    return found


def said(found: tuple[Problem, ...]) -> list[str]:
    """Return problems as ``file:line:column message``."""
    return [f"{Path(problem.where).name} {problem.message}" for problem in found]


def test_a_list_gives_its_cables_with_their_places(valid: dict, write: Callable[[str], Path], tmp_path: Path) -> None:
    valid["topology"]["cables"].append({"file": "cables.csv"})
    lines = [
        "leaf01,swp9,spine01,swp9,400G,120.5,dr4,rs,2001:db8:: 10.0.0.0,10.0.0.1 2001:db8::1",
        "leaf02, swp9 ,spine01,swp10,1T,,,,,",
    ]
    (tmp_path / "cables.csv").write_text("\n".join([WHOLE, *lines]))
    first, second = load(write(json.dumps(valid))).cables
    file = str(tmp_path / "cables.csv")
    assert first == ListedCable(
        from_node="leaf01",
        from_port="swp9",
        to_node="spine01",
        to_port="swp9",
        speed=400 * 10**9,
        entry=2,
        place=Place(file, 2, 1),
        length_m=120.5,
        media="dr4",
        fec="rs",
        from_address=(IPv4Address("10.0.0.0"), IPv6Address("2001:db8::")),
        to_address=(IPv4Address("10.0.0.1"), IPv6Address("2001:db8::1")),
    )
    assert (second.from_port, second.speed, second.length_m, second.place.line) == ("swp9", 10**12, None, 3)


def test_cables_may_be_nothing_but_a_list(valid: dict, write: Callable[[str], Path], tmp_path: Path) -> None:
    valid["topology"]["cables"] = {"file": "cables.csv"}
    (tmp_path / "cables.csv").write_text(f"{HEAD}\r\nleaf01,swp1,spine01,swp1,10G\r\n")
    document = load(write(json.dumps(valid)))
    assert [cable.entry for cable in document.cables] == [0]
    assert document.places["topology.cables.0.file"].column > document.places["topology.cables"].column


def test_listed_nodes_stand_beside_written_ones(valid: dict, write: Callable[[str], Path], tmp_path: Path) -> None:
    valid["nodes"] = {"file": "nodes.csv", "leaf01": {"state": "planned"}, "leaf*": {"release": "x"}}
    lines = ['leaf01,"tor-a1",65123,10.255.0.9 2001:db8::9,', "gpu01,,,,eth1 eth2", ",,,,"]
    (tmp_path / "nodes.csv").write_text("\n".join(["node,name,asn,loopback,interfaces", *lines]))
    document = load(write(json.dumps(valid)))
    leaf, host = document.intent.nodes["leaf01"], document.intent.nodes["gpu01"]
    assert (leaf.name, leaf.state, leaf.asn) == ("tor-a1", "planned", 65123)
    assert [str(address) for address in leaf.loopback or ()] == ["10.255.0.9", "2001:db8::9"]
    assert host.interfaces == ("eth1", "eth2")
    assert set(document.intent.nodes) == {"leaf01", "leaf*", "gpu01"}
    assert document.places["nodes.leaf01.asn"] == Place(str(tmp_path / "nodes.csv"), 2, 17)


def test_the_digest_covers_every_file(valid: dict, write: Callable[[str], Path], tmp_path: Path) -> None:
    valid["nodes"] = {"file": "nodes.csv"}
    found = set()
    for text in ("node,asn\nleaf01,65001\n", "node,asn\nleaf01,65002\n"):
        (tmp_path / "nodes.csv").write_text(text)
        found.add(load(write(json.dumps(valid))).digest)
    assert len(found | {sha256(json.dumps(valid).encode()).hexdigest()}) == 3


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("", ["cables.csv:1:1 the file is empty"]),
        ("\n\n", ["cables.csv:1:1 the file is empty"]),
        (f"{HEAD},lenght_m\n", ["cables.csv:1:43 unknown column 'lenght_m'"]),
        (f"{HEAD},speed\n", ["cables.csv:1:43 the column 'speed' is there twice"]),
        (HEAD.removesuffix(",speed"), ["cables.csv:1:1 the column speed is missing"]),
        (f"{HEAD}\nleaf01,swp1\n", ["cables.csv:2:1 the line has 2 values for 5 columns"]),
        (f"{HEAD}\na,swp1,b,swp1,10G,\n", ["cables.csv:2:1 the line has 6 values for 5 columns"]),
        (f'{HEAD}\na,"swp1,b,swp1,10G\n', ["cables.csv:2:1 the quotes of this line do not match"]),
        (f"{HEAD}\na\tb,swp1,b,swp1,10G\n", ["cables.csv:2:2 the line holds the character U+0009"]),
        (
            f"{HEAD}\n,swp1,b,swp1,10\n",
            [
                "cables.csv:2:1 from_node has no value",
                "cables.csv:2:14 speed: found '10'; a quantity with its unit is wanted, such as 400G",
            ],
        ),
        (f"{HEAD}\na,swp1,a,swp2,10G\n", ["cables.csv:2:8 the cable leads from a to itself"]),
        (
            f"{HEAD}\na,swp1,b,swp1,10G\nb,swp1,c,swp1,10G\n",
            ["cables.csv:3:1 b:swp1 has a cable already"],
        ),
        (
            f"{WHOLE}\na,swp1,b,swp1,10G,-3,DAC,r,10.0.0.300,10.0.0.1\n",
            [
                "cables.csv:2:19 length_m: found '-3'",
                (
                    "cables.csv:2:22 media: found 'DAC'; a name of at most 31 lower-case letters, digits and hyphens, "
                    "a letter first, is wanted"
                ),
                "cables.csv:2:26 fec: found 'r'",
                (
                    "cables.csv:2:28 from_address: found '10.0.0.300'; an address is wanted, "
                    "such as 10.255.0.1 or 2001:db8::1"
                ),
            ],
        ),
        (f"{WHOLE}\na,swp1,b,swp1,10G,,,,10.0.0.1,\n", ["cables.csv:2:31 to_address has no value"]),
        (f"{HEAD}\na,swp1,b,swp1,10G{' ' * 10_000}\n", ["cables.csv:2:1 the line has more than 10000 characters"]),
        (b"\xff\xfea\0", ["cables.csv:1:1 the file is UTF-16"]),
        (b"a,b\xff\n", ["cables.csv:1:4 the file is not text in UTF-8: byte 0xff"]),
        ("a\0b", ["cables.csv:1:2 the file holds the invisible character U+0000"]),
    ],
)
def test_a_wrong_list_of_cables_is_placed(listed: Listed, text: str | bytes, messages: list[str]) -> None:
    found = listed("cables.csv", text)
    assert said(found) == messages
    assert all(problem.hint for problem in found)


@pytest.mark.parametrize(("sign", "name"), [(";", "semicolons"), ("\t", "tabs")])
def test_other_separators_are_called_by_name_once(listed: Listed, sign: str, name: str) -> None:
    found = listed("cables.csv", f"{HEAD}\na,swp1,b,swp1,10G\n".replace(",", sign))
    assert said(found) == [f"cables.csv:1:10 columns are separated by {name}, commas are wanted"]
    assert "CSV" in found[0].hint


def test_a_semicolon_within_a_head_of_commas_is_an_unknown_column(listed: Listed) -> None:
    (problem,) = listed("cables.csv", f"{HEAD},length_m;media\n")
    assert problem.message == "unknown column 'length_m;media'"
    assert problem.hint.startswith("the columns of a file are separated by commas; ")


@pytest.mark.parametrize("text", [HEAD, f"{HEAD}\n", f"{HEAD}\n,,,,\n"])
def test_a_list_with_a_head_only_names_no_cable(listed: Listed, text: str) -> None:
    (problem,) = listed("cables.csv", text)
    assert said((problem,)) == ["cables.csv:1:1 the list names no cable"]
    assert problem.hint == "add one line per cable, or take the entry out of topology.cables"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way(valid: dict, write: Callable[[str], Path], tmp_path: Path, end: str) -> None:
    valid["topology"]["cables"].append({"file": "cables.csv"})
    lines = [HEAD, "leaf01,swp9,spine01,swp9,10G", '"leaf02",swp9,spine01,swp10,10G', ""]
    (tmp_path / "cables.csv").write_bytes(end.join(lines).encode())
    found = load(write(json.dumps(valid))).cables
    assert [(cable.from_node, cable.place.line) for cable in found] == [("leaf01", 2), ("leaf02", 3)]


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("10.3.0.1/31", "an address is wanted without its length: 10.3.0.1"),
        ("10.3.0.1/24 2001:db8::1/127", "an address is wanted without its length: 10.3.0.1"),
        ("2001:db8::1/127", "an address is wanted without its length: 2001:db8::1"),
        ("10.3.0.300/31", "an address is wanted, such as 10.255.0.1 or 2001:db8::1"),
        ("10.3.0.1/", "an address is wanted, such as 10.255.0.1 or 2001:db8::1"),
        ("/31", "an address is wanted, such as 10.255.0.1 or 2001:db8::1"),
    ],
)
def test_an_address_stands_without_its_length(listed: Listed, cell: str, told: str) -> None:
    (problem,) = listed("cables.csv", f"{HEAD},from_address,to_address\na,swp1,b,swp1,10G,{cell},10.3.0.0\n")
    assert problem.message == f"from_address: found {cell!r}; {told}"
    assert problem.where.endswith("cables.csv:2:19")


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("node,ports\nleaf01,x\n", ["nodes.csv:1:6 unknown column 'ports'"]),
        ("asn\n1\n", ["nodes.csv:1:1 the column node is missing"]),
        ("node,asn\n,1\n", ["nodes.csv:2:1 node has no value"]),
        ("node,asn\nleaf01,1\nleaf01,2\n", ["nodes.csv:3:1 the node 'leaf01' is listed twice"]),
        ("node,asn\nleaf01,x\n", ["nodes.csv:2:8 nodes.leaf01.asn: found 'x'"]),
        ("node,state\nleaf01,broken\n", ["nodes.csv:2:8 nodes.leaf01.state: found 'broken'"]),
        (
            "node,asn\nleaf 01,1\n",
            [
                (
                    "nodes.csv:2:1 nodes.leaf 01: found 'leaf 01'; a node name, or a pattern with * and ?, "
                    "of at most 63 characters, is wanted"
                )
            ],
        ),
        (
            "node,loopback\nleaf01,10.0.0.1 10.0.0.2\n",
            [
                (
                    "nodes.csv:2:8 nodes.leaf01.loopback: found a list; one address is wanted, "
                    "or a list of one IPv4 and one IPv6 address"
                )
            ],
        ),
    ],
)
def test_a_wrong_list_of_nodes_is_placed(listed: Listed, text: str, messages: list[str]) -> None:
    found = listed("nodes.csv", text)
    assert said(found) == messages
    assert all(problem.hint for problem in found)


def test_a_value_in_both_files_names_both(problems: Problems, valid: dict, tmp_path: Path) -> None:
    valid["nodes"] = {"file": "nodes.csv", "leaf01": {"asn": 65000}}
    (tmp_path / "nodes.csv").write_text("node,asn\nleaf01,65001\n")
    (problem,) = problems(valid)
    assert said((problem,)) == ["nodes.csv:2:8 nodes.leaf01.asn is given in both files"]
    assert problem.hint.startswith(f"keep one value; the other is at {tmp_path / 'fabric.yaml'}:1:")


@pytest.mark.parametrize("name", ["../cables.csv", "/etc/passwd", "a/b.csv", "cables.txt", ".csv", "", 3, {}])
def test_only_plain_names_beside_the_file_are_read(problems: Problems, valid: dict, name: object) -> None:
    valid["nodes"] = {"file": name}
    valid["topology"]["cables"].append({"file": name})
    assert [p.message.partition(":")[0] for p in problems(valid)] == ["topology.cables.2.file", "nodes.file"]


def test_a_list_that_is_not_there_is_named_where_it_is_asked_for(problems: Problems, valid: dict) -> None:
    valid["topology"]["cables"].append({"file": "cables.csv"})
    (problem,) = problems(valid)
    assert problem.message == "there is no cables.csv beside the intent file"
    assert ":1:" in problem.where


def test_a_list_is_named_once(problems: Problems, valid: dict, tmp_path: Path) -> None:
    (tmp_path / "cables.csv").write_text(f"{HEAD}\nleaf01,swp9,spine01,swp9,10G\n")
    valid["topology"]["cables"] += [{"file": "cables.csv"}] * 2
    (problem,) = problems(valid)
    assert problem.message == "topology.cables.3.file: cables.csv is listed already by topology.cables.2"


def test_a_link_out_of_the_folder_is_not_followed(problems: Problems, valid: dict, tmp_path: Path) -> None:
    (tmp_path / "cables.csv").symlink_to("/etc/hostname")
    (tmp_path / "nodes.csv").symlink_to(tmp_path / "nodes.csv")
    valid["topology"]["cables"].append({"file": "cables.csv"})
    valid["nodes"] = {"file": "nodes.csv"}
    assert [problem.message for problem in problems(valid)] == [
        "cables.csv is a link that leads elsewhere",
        "nodes.csv is a link that leads elsewhere",
    ]


def test_a_folder_named_like_a_list_cannot_be_read(problems: Problems, valid: dict, tmp_path: Path) -> None:
    (tmp_path / "cables.csv").mkdir()
    valid["topology"]["cables"].append({"file": "cables.csv"})
    assert [problem.message for problem in problems(valid)] == ["the file cannot be read: is a directory"]


def test_problems_of_lists_come_after_those_of_the_file(problems: Problems, valid: dict, tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text("node,asn\nleaf01,x\n")
    valid["nodes"] = {"file": "nodes.csv"}
    valid["addressing"]["mtu"] = 1
    assert [problem.message.partition(":")[0] for problem in problems(valid)] == ["addressing.mtu", "nodes.leaf01.asn"]


def test_a_list_without_end_is_an_error(listed: Listed) -> None:
    found = listed("nodes.csv", "node,asn\n" + "\n" * 60_000)
    assert said(found) == ["nodes.csv:50001:1 the file has more than 50000 lines"]


def test_the_error_itself_is_an_intent_error(valid: dict, write: Callable[[str], Path]) -> None:
    valid["nodes"] = {"file": "nodes.csv"}
    with pytest.raises(IntentError, match=r"there is no nodes\.csv"):
        load(write(json.dumps(valid)))
