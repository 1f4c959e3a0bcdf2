"""Which file is read, and what it may hold before it is looked at as YAML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fabric.errors import IntentError, Problem
from fabric.intent.loader import load
from fabric.intent.source import LARGEST_FILE, read_source

Problems = Callable[[object], tuple[Problem, ...]]


def refused(path: str | Path) -> IntentError:
    with pytest.raises(IntentError) as error:
        load(path)
    return error.value


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    error = refused(tmp_path / "none.yaml")
    assert error.message == f"there is no {tmp_path / 'none.yaml'}"
    assert error.hint == "give a fabric.yaml or its folder"


def test_a_path_through_a_file_is_missing(write: Callable[[str], Path]) -> None:
    assert "there is no" in refused(write("x: 1") / "fabric.yaml").message


def test_a_folder_without_intent_says_so(tmp_path: Path) -> None:
    error = refused(tmp_path)
    assert error.message == "the folder has no fabric.yaml"
    assert error.where == str(tmp_path)


def test_a_folder_with_a_file_of_similar_name_offers_it(tmp_path: Path) -> None:
    (tmp_path / "fabric.yml").write_text("fabric: x\n")
    assert refused(tmp_path).hint == "it holds fabric.yml: give that file, or name it fabric.yaml"


def test_a_folder_named_like_the_file_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").mkdir()
    assert refused(tmp_path).message == "the folder has no fabric.yaml"


def test_a_device_is_not_read() -> None:
    assert refused("/dev/zero").message == "this is neither a file nor a folder"


def test_a_circle_of_links_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert refused(tmp_path / "a").message == "the file cannot be read: too many levels of symbolic links"


@pytest.mark.parametrize("path", ["nul\0byte", "x" * 5000], ids=["nul", "long"])
def test_a_path_that_is_none_is_refused(path: str) -> None:
    assert refused(path).message.startswith("the file cannot be read: ")


def test_a_file_that_breaks_while_it_is_read_is_refused() -> None:
    # the memory of this process is a regular file whose first page nobody can read
    assert refused("/proc/self/mem").message.startswith("the file cannot be read: ")


def test_a_huge_file_is_refused(write: Callable[[bytes], Path]) -> None:
    assert refused(write(b"#" * (LARGEST_FILE + 1))).message == "the file is larger than 2 MiB"


def test_a_byte_order_mark_is_no_content(write: Callable[[bytes], Path], inventories: Path) -> None:
    content = (inventories / "lab" / "fabric.yaml").read_bytes()
    assert load(write(b"\xef\xbb\xbf" + content)).places["fabric"].column == 1


def test_carriage_returns_do_not_move_positions(write: Callable[[bytes], Path], inventories: Path) -> None:
    content = (inventories / "lab" / "fabric.yaml").read_bytes().replace(b"\n", b"\r\n")
    place = load(write(content)).places["topology.cables.0.speed"]
    assert (place.line, place.column) == (11, 44)


def test_utf_16_is_named(problems: Problems) -> None:
    (problem,) = problems("fabric: lab\n".encode("utf-16"))
    assert problem.message == "the file is UTF-16"


def test_bytes_that_are_no_utf_8_are_placed(problems: Problems, tmp_path: Path) -> None:
    (problem,) = problems("# ä\r\n# ä".encode() + b"\xff\n")
    assert problem.message == "the file is not text in UTF-8: byte 0xff"
    assert problem.where == f"{tmp_path / 'fabric.yaml'}:2:4"


@pytest.mark.parametrize("code", [0x0, 0x7, 0x1B, 0x7F, 0x85, 0x200B, 0x202E, 0x2028, 0x2066, 0xFEFF, 0xFFFE])
def test_characters_that_deceive_are_refused_even_in_comments(problems: Problems, tmp_path: Path, code: int) -> None:
    (problem,) = problems(f"# one\n# two {chr(code)}\nfabric: lab\n")
    assert problem.message == f"the file holds the invisible character U+{code:04X}"
    assert problem.where == f"{tmp_path / 'fabric.yaml'}:2:7"


def test_many_deceiving_characters_are_not_all_listed(problems: Problems) -> None:
    assert len(problems("\x01" * 1000)) == 20


def test_text_of_any_script_is_fine_in_comments(write: Callable[[str], Path]) -> None:
    assert "\U0001f600" in read_source(write("# größe 大小 \U0001f600\n")).text
