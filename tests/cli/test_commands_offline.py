import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from fabric.cli import main
from fabric.cli.story import shipped
from fabric.errors import UsageError
from fabric.results import ExitCode
from fabric.workflows import prepare


def test_the_lab_inventory_is_sound_without_a_warning(fabric, inventory):
    ended = fabric("validate", inventory("lab"))
    assert ended.code == 0
    assert "lab: 0 errors, 0 warnings" in ended.out


def test_pod16_validates_and_shows_its_design(fabric, inventory):
    assert fabric("validate", inventory("pod16")).code == 0
    shown = fabric("show", "-f", inventory("pod16"))
    assert shown.code == 0
    assert "fabric pod16: 22 nodes, 128 links, IP MTU 9000" in shown.out
    assert "leaf01 .. leaf04 (4)" in shown.out
    assert "Ethernet" in fabric("show", "--all", "-f", inventory("pod16")).out


def test_pod16_is_not_renderable_yet(fabric, inventory, tmp_path):
    ended = fabric("render", inventory("pod16"), "-o", tmp_path / "out")
    assert ended.code == ExitCode.INTENT
    assert "not renderable yet: switch system sonic (spine01 ...)" in ended.err
    assert not (tmp_path / "out").exists()


def test_pod16_cannot_be_planned_yet_and_says_so_before_any_connection(fabric, inventory):
    ended = fabric("plan", inventory("pod16"))
    assert ended.code == ExitCode.INTENT
    assert "system sonic cannot be read or changed yet" in ended.err


def test_ai1024_validates_without_an_error(fabric, inventory):
    ended = fabric("validate", inventory("ai1024"))
    assert (ended.code, ended.err) == (0, "")
    assert "ai1024: 0 errors" in ended.out


def test_a_missing_file_is_an_intent_error(fabric, tmp_path):
    ended = fabric("validate", tmp_path / "none.yaml")
    assert ended.code == ExitCode.INTENT
    assert "none.yaml" in ended.err
    assert ended.out == ""


@pytest.mark.parametrize("text", ["{", "\t", "- a\nb: 1", "\x00"], ids=["brace", "tab", "mixed", "nul"])
def test_what_is_not_yaml_is_an_intent_error(fabric, tmp_path, text):
    path = tmp_path / "fabric.yaml"
    path.write_text(text)
    ended = fabric("validate", path)
    assert ended.code == ExitCode.INTENT
    assert str(path) in ended.err
    assert "Traceback" not in ended.err


def test_an_unknown_key_is_named_with_its_place_and_the_nearest_spelling(fabric, intent):
    path = intent("  mtu: 9000", "  mtuu: 9000")
    ended = fabric("validate", path)
    assert ended.code == ExitCode.INTENT
    assert f"{path}:" in ended.err
    assert "addressing.mtuu" in ended.err
    assert "mtu" in ended.err.partition("hint:")[2]


def test_two_errors_are_told_at_once(fabric, intent, tmp_path):
    text = intent("dscp: 26", "dscp: 99").read_text().replace("share: 20%}\n  cnp", "share: twenty}\n  cnp")
    (tmp_path / "fabric.yaml").write_text(text)
    ended = fabric("validate", tmp_path)
    assert ended.code == ExitCode.INTENT
    assert "classes.rdma.dscp" in ended.err
    assert "classes.bulk.share" in ended.err


def test_error_findings_stop_render_and_no_rules_lets_it_pass(fabric, intent, tmp_path):
    path = intent("links: unnumbered", "links: 10.64.0.0/16")
    validated = fabric("validate", path)
    assert validated.code == ExitCode.INTENT
    assert "error[addressing.pool-overlap]" in validated.out
    assert fabric("render", path, "-o", tmp_path / "out").code == ExitCode.INTENT
    assert fabric("render", path, "-o", tmp_path / "out", "--no-rules").code == 0


def test_render_writes_each_node_and_check_finds_every_difference(fabric, inventory, tmp_path):
    out = tmp_path / "out"
    assert fabric("render", inventory("lab"), "-o", out).code == 0
    same = fabric("render", inventory("lab"), "--check", out)
    assert (same.code, same.out) == (0, f"{out}: 16 files as rendered\n")
    (out / "leaf01" / "frr.conf").write_text("other")
    (out / "leaf02" / "frr.conf").unlink()
    (out / "stray").write_text("")
    different = fabric("render", inventory("lab"), "--check", out)
    assert different.code == ExitCode.PENDING
    assert different.out.splitlines() == ["missing: leaf02/frr.conf", "not rendered: stray", "differs: leaf01/frr.conf"]


def test_render_is_byte_equal_every_time(fabric, inventory, tmp_path):
    fabric("render", inventory("lab"), "-o", tmp_path / "a")
    assert fabric("render", inventory("lab"), "--check", tmp_path / "a").code == 0


def test_render_takes_the_users_templates_first(fabric, inventory, tmp_path):
    own = tmp_path / "own" / "switch" / "frr"
    own.mkdir(parents=True)
    (own / "frr.conf.j2").write_text("mine {{ name }}\n")
    fabric("render", inventory("lab"), "-o", tmp_path / "out", "--limit", "leaf01", "--templates", tmp_path / "own")
    assert (tmp_path / "out" / "leaf01" / "frr.conf").read_text() == "mine leaf01\n"


def test_render_wants_one_of_two_options(fabric, inventory):
    ended = fabric("render", inventory("lab"))
    assert ended.code == ExitCode.USAGE
    assert "either -o DIR or --check DIR" in ended.err


@pytest.mark.parametrize("option", ["--check", "--templates"])
def test_render_wants_folders_that_are_there(fabric, inventory, tmp_path, option):
    given = ("--check", "nowhere") if option == "--check" else ("-o", tmp_path / "out", "--templates", "nowhere")
    ended = fabric("render", inventory("lab"), *given)
    assert ended.code == ExitCode.USAGE
    assert "no folder nowhere" in ended.err


def test_show_why_gives_formula_and_place(fabric, inventory):
    ended = fabric("show", "leaf01", "-f", inventory("lab"), "--why")
    assert ended.code == 0
    lines = ended.out.splitlines()
    at = next(number for number, line in enumerate(lines) if "lo 10.255.16.1/32" in line)
    reason = lines[at + 1]
    assert reason.startswith("              lo 10.255.16.1/32: ")
    assert "10.255.0.0/16" in reason
    assert "fabric.yaml:" in reason
    assert "swp33  spine01:swp1  10G    5 m" in lines
    assert any(line.startswith("links       swp1, swp2, swp33, swp34: mtu 9000") for line in lines)
    assert fabric("show", "--why", "-f", inventory("lab")).code == ExitCode.USAGE


def test_show_of_a_design_with_errors_says_that_there_are_some(fabric, intent):
    ended = fabric("show", "-f", intent("links: unnumbered", "links: 10.64.0.0/16"))
    assert ended.code == 0
    assert "1 rule is not met" in ended.err


def test_show_of_an_unknown_node_names_the_nearest(fabric, inventory):
    ended = fabric("show", "leaf1", "-f", inventory("lab"))
    assert ended.code == ExitCode.USAGE
    assert "did you mean" in ended.err
    assert "leaf01" in ended.err
    assert "nodes: spine01" in fabric("show", "zzzzz", "-f", inventory("lab")).err


def test_show_of_a_place_says_how_its_node_is_called(fabric, intent):
    path = intent()
    path.write_text(path.read_text() + "\nnodes: {leaf01: {name: tor-a1}}\n")
    ended = fabric("show", "leaf01", "-f", path)
    assert ended.code == ExitCode.USAGE
    assert "the one at that place is tor-a1" in ended.err


@pytest.mark.parametrize(
    ("args", "kind"),
    [(("validate",), "findings"), (("show", "-f"), "design"), (("show", "leaf01", "--why", "-f"), "node")],
)
def test_json_documents_carry_their_kind_and_version(fabric, inventory, args, kind):
    ended = fabric(*args, inventory("lab"), "--format", "json")
    found = json.loads(ended.out)
    assert (found["kind"], found["format_version"], found["fabric"]) == (kind, 1, "lab")


def test_the_schema_accepts_the_inventories(fabric, inventory, tmp_path):
    fabric("schema", "-o", tmp_path / "schema.json")
    schema = json.loads((tmp_path / "schema.json").read_text())
    for name in ("lab", "pod16"):
        jsonschema.validate(YAML(typ="safe").load(inventory(name) / "fabric.yaml"), schema)
    assert json.loads(fabric("schema").out) == schema


@pytest.mark.parametrize("name", ["cabling.lldp", "addressing.duplicate-address", "HostKeyMismatch", "exit-codes"])
def test_explain_knows_checks_rules_errors_and_exit_codes(fabric, name):
    ended = fabric("explain", name)
    assert ended.code == 0
    assert len(ended.out.splitlines()) > 2


def test_explain_finds_keys_by_the_end_of_their_path(fabric):
    assert "key topology.cables.spread\n" in fabric("explain", "spread").out
    assert "key classes.NAME.ecn.min\n" in fabric("explain", "ecn.min").out
    several = fabric("explain", "per")
    assert several.code == ExitCode.USAGE
    assert "topology.switches.NAME.per, topology.switches.NAME.asn.per" in several.err


def test_explain_names_the_nearest(fabric):
    assert "did you mean cabling.lldp" in fabric("explain", "cabling.ldp").err
    assert "there are: " in fabric("explain", "qqq").err


def test_the_file_comes_from_the_environment_then_from_the_folder(fabric, inventory, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert fabric("validate").code == ExitCode.INTENT
    monkeypatch.setenv("FABRIC_FILE", str(inventory("lab")))
    assert fabric("validate").code == 0
    monkeypatch.delenv("FABRIC_FILE")
    monkeypatch.chdir(inventory("lab"))
    assert fabric("validate").code == 0


def test_without_a_lab_and_without_access_no_device_can_be_reached(fabric, inventory):
    for command in ("plan", "verify"):
        ended = fabric(command, inventory("lab"))
        assert ended.code == ExitCode.DEVICE
        assert "its lab is not up" in ended.err
        assert "fabric lab up" in ended.err


def test_a_lab_that_is_not_up_has_no_status(fabric, inventory):
    ended = fabric("lab", "status", inventory("lab"))
    assert ended.code == ExitCode.DEVICE
    assert "not up" in ended.err
    assert fabric("lab", "down", inventory("lab")).out == "lab lab was not up\n"
    for args in (("shell", "leaf01"), ("fault", "drift", "leaf01")):
        ended = fabric("lab", *args, "-f", inventory("lab"))
        assert ended.code == ExitCode.DEVICE
        assert "is not up" in ended.err


@pytest.mark.parametrize(
    "args",
    [
        ("frobnicate",),
        ("lab",),
        ("validate", "a", "b"),
        ("validate", "--format", "yaml"),
        ("plan", "--only", "frob"),
        ("plan", "--limit", "nothing*"),
        ("plan", "--jobs", "0"),
        ("plan", "--against", "none"),
        ("apply", "none.json"),
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_64_and_a_hint(fabric, inventory, monkeypatch, args):
    monkeypatch.chdir(inventory("lab"))
    ended = fabric(*args)
    assert ended.code == ExitCode.USAGE
    assert "error: " in ended.err
    assert "hint: " in ended.err


def test_runs_of_an_empty_journal(fabric):
    assert fabric("runs").code == 0
    assert "nothing was applied from this machine yet" in fabric("runs").err
    ended = fabric("runs", "20260101-000000-0000")
    assert ended.code == ExitCode.USAGE
    assert "no run 20260101-000000-0000" in ended.err


def test_a_file_that_is_no_plan_is_refused(fabric, tmp_path):
    path = tmp_path / "plan.json"
    for text in ("{", "[]", '{"format_version": 1}', '{"format_version": 9, "kind": "plan"}'):
        path.write_text(text)
        ended = fabric("apply", path)
        assert ended.code == ExitCode.USAGE
        assert "plan" in ended.err


def test_a_folder_that_cannot_be_written_is_told_with_its_name(fabric, inventory, tmp_path):
    (tmp_path / "file").write_text("")
    ended = fabric("render", inventory("lab"), "-o", tmp_path / "file" / "out")
    assert ended.code == ExitCode.USAGE
    assert str(tmp_path / "file") in ended.err


def test_a_bug_is_told_in_one_line(fabric, inventory, monkeypatch):
    def broken(_):
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(prepare, "load", broken)
    ended = fabric("validate", inventory("lab"))
    assert ended.code == ExitCode.BUG
    assert "bug in fabric" in ended.err
    assert "planted" in ended.err
    assert "Traceback" not in ended.err
    monkeypatch.setenv("FABRIC_DEBUG", "1")
    assert "Traceback" in fabric("validate", inventory("lab")).err


def test_interruption_ends_with_130(fabric, inventory, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(prepare, "load", interrupted)
    assert fabric("validate", inventory("lab")).code == ExitCode.INTERRUPTED


@pytest.mark.parametrize(("links", "code"), [("unnumbered", 0), ("10.64.0.0/16", 3)], ids=["sound", "unsound"])
def test_a_reader_that_went_away_changes_nothing(intent, links, code):
    argv = [sys.executable, "-m", "fabric", "validate", str(intent("links: unnumbered", f"links: {links}"))]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.wait(timeout=60) == code
        assert process.stderr.read() == b""


def test_without_arguments_the_commands_are_listed_each_in_one_whole_line(fabric):
    ended = fabric()
    assert ended.code == 0
    assert "Usage: fabric [OPTIONS] COMMAND" in ended.out
    assert "Describe a RoCEv2 fabric in one YAML file" in ended.out
    commands = ended.out.partition("Commands:\n")[2].splitlines()
    assert "verify" in [line.split()[0] for line in commands]
    assert [line for line in commands if not line.endswith(".") or line.endswith("...")] == []
    assert fabric("--version").out.startswith("fabric 0.")


def test_files_of_another_distribution_are_refused_at_the_start(fabric, monkeypatch):
    monkeypatch.setattr(main, "foreign_files", lambda: ("connection.py",))
    ended = fabric("--version")
    assert ended.code == ExitCode.USAGE
    assert "connection.py" in ended.err


def test_the_shipped_inventory_is_found():
    assert (shipped("lab") / "fabric.yaml").is_file()
    with pytest.raises(UsageError, match="not part of this installation"):
        shipped("nowhere")


def test_output_goes_to_a_file_whole(fabric, inventory, tmp_path):
    path = tmp_path / "deep" / "findings.txt"
    assert fabric("validate", inventory("lab"), "-o", path).out == ""
    assert "0 errors" in path.read_text()
    assert [p.name for p in Path(path.parent).iterdir()] == ["findings.txt"]
