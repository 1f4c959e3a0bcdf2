"""What `fabric show` prints, and where it prints it."""

import json

import pytest

from fabric.results import ExitCode


def test_a_fabric_of_more_than_a_thousand_nodes_fits_on_a_screen(fabric, inventory):
    ended = fabric("show", "-f", inventory("ai1024"))
    lines = ended.out.splitlines()
    assert (ended.code, ended.err) == (0, "")
    assert lines[0] == "fabric ai1024: 1,344 nodes, 16,384 links, 8 pods, IP MTU 9000"
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 120
    for said in (
        "p1-leaf01 .. p8-leaf16 (128)",
        "4200000000 .. 4200000463 (128)",
        "16,384 links",
        "parameters: class parameters",
    ):
        assert said in ended.out


def test_all_nodes_and_cables_are_listed_only_when_asked_for(fabric, inventory):
    short, whole = (fabric("show", *more, "-f", inventory("lab")).out for more in ((), ("--all",)))
    assert "leaf03:swp33" not in short
    assert "leaf03:swp33  spine01:swp3" in whole
    assert "leaf03" in whole


def test_csv_writes_two_files_and_says_where(fabric, inventory, tmp_path):
    ended = fabric("show", "-f", inventory("lab"), "--csv", tmp_path / "lists")
    assert ended.out == f"written: {tmp_path}/lists/nodes.csv\nwritten: {tmp_path}/lists/cables.csv\n"
    assert "nodes: {file: nodes.csv}" in ended.err
    assert len((tmp_path / "lists" / "nodes.csv").read_text().splitlines()) == 11
    assert len((tmp_path / "lists" / "cables.csv").read_text().splitlines()) == 17


@pytest.mark.parametrize("more", [("--all",), ("--csv", "lists")], ids=" ".join)
def test_what_is_for_the_whole_design_does_not_go_with_a_node(fabric, inventory, monkeypatch, tmp_path, more):
    monkeypatch.chdir(tmp_path)
    ended = fabric("show", "leaf01", "-f", inventory("lab"), *more)
    assert ended.code == ExitCode.USAGE
    assert "hint: fabric show leaf01" in ended.err
    assert list(tmp_path.iterdir()) == []


def test_documents_hold_everything_with_and_without_all(fabric, inventory):
    short, whole = (
        json.loads(fabric("show", *more, "-f", inventory("lab"), "--format", "json").out) for more in ((), ("--all",))
    )
    assert short == whole
    assert len(short["links"]) == 16


def test_a_design_is_no_verdict_for_junit(fabric, inventory):
    ended = fabric("show", "-f", inventory("lab"), "--format", "junit")
    assert ended.code == ExitCode.USAGE
    assert "junit cannot say a design" in ended.err
    assert fabric("validate", inventory("lab"), "--format", "junit").out.startswith("<?xml")


def test_explain_without_a_name_lists_everything_by_kind(fabric):
    ended = fabric("explain")
    assert ended.code == 0
    for line in ("terms", "rules", "checks", "facets", "keys", "errors", "exit codes"):
        assert line in ended.out.splitlines()


def test_a_class_shows_where_it_marks_and_why(fabric, inventory):
    short, whole = (fabric("show", "--class", "rdma", *more, "-f", inventory("pod16")) for more in ((), ("--why",)))
    assert (short.code, whole.code, short.err) == (0, 0, "")
    assert "as9736-64d  sonic   400G   192    197,358 B  789,940 B  5%" in short.out
    assert "1/2 BDP" not in short.out
    assert "Kmin 197358 B = 1/2 BDP" in whole.out


@pytest.mark.parametrize(("name", "hint"), [("rdam", "did you mean rdma?"), ("x", "classes: rdma, cnp, default")])
def test_an_unknown_class_is_refused_with_the_nearest(fabric, inventory, name, hint):
    ended = fabric("show", "--class", name, "-f", inventory("pod16"))
    assert (ended.code, ended.out) == (ExitCode.USAGE, "")
    assert f"no class {name} in fabric pod16" in ended.err
    assert hint in ended.err


@pytest.mark.parametrize("more", [("leaf01",), ("--all",), ("--csv", "lists")], ids=" ".join)
def test_a_class_goes_with_nothing_else(fabric, inventory, monkeypatch, tmp_path, more):
    monkeypatch.chdir(tmp_path)
    ended = fabric("show", *more, "--class", "rdma", "-f", inventory("pod16"))
    assert ended.code == ExitCode.USAGE
    assert "hint: fabric show --class rdma" in ended.err
