"""What a real shell completes: commands, options, and names from the file, from the journal and from the pages."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fabric.workflows.journal import Journal

FABRIC = Path(sys.executable).with_name("fabric")
SHELL = """
source "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
_fabric_completion fabric
printf '%s\\n' "${COMPREPLY[@]}"
"""

installed = pytest.mark.skipif(
    shutil.which("bash") is None or not FABRIC.exists(), reason="needs bash and the installed command"
)


@pytest.fixture
def complete(fabric, inventory, monkeypatch):
    """Ask as bash does what there is for the last of some words, in this process; the folder is the lab's."""

    def ask(*words, cwd=None):
        with monkeypatch.context() as patch:
            patch.chdir(cwd or inventory("lab"))
            patch.setenv("_FABRIC_COMPLETE", "complete_bash")
            patch.setenv("COMP_WORDS", " ".join(("fabric", *words)))
            patch.setenv("COMP_CWORD", str(len(words)))
            ended = fabric()
        assert (ended.code, ended.err) == (0, "")
        return ended.out.split()

    return ask


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """The script that the command hands to bash."""
    path = tmp_path_factory.mktemp("completion") / "fabric.bash"
    env = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run([FABRIC, "--show-completion", "bash"], capture_output=True, text=True, check=True, env=env)
    path.write_text(done.stdout)
    return path


@installed
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("sh",), ["show"]),
        (("plan", "--limit", "leaf01,leaf0"), ["leaf01,leaf02", "leaf01,leaf03", "leaf01,leaf04"]),
    ],
    ids=" ".join,
)
def test_a_shell_completes_words(script, inventory, words, offered):
    argv = ["bash", "-c", SHELL, "bash", script, "fabric", *words]
    env = os.environ | {"PATH": f"{FABRIC.parent}:{os.environ['PATH']}"}
    done = subprocess.run(argv, capture_output=True, text=True, check=True, cwd=inventory("lab"), env=env)
    assert done.stderr == ""
    assert done.stdout.split() == offered


WAIVERS = ["links.mtu,waivers.*,waivers.unknown-rule", "links.mtu,waivers.*,waivers.unused"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("lab", "sh"), ["shell"]),
        (("plan", "--lim"), ["--limit"]),
        (("show", "le"), ["leaf01", "leaf02", "leaf03", "leaf04"]),
        (("lab", "shell", "spi"), ["spine01", "spine02"]),
        (("plan", "--limit", "gpu01,ro"), ["gpu01,role:spine", "gpu01,role:leaf", "gpu01,role:gpu"]),
        (("plan", "--only", "pfc,ec"), ["pfc,ecn"]),
        (("validate", "--format", "ju"), ["junit"]),
        (("validate", "--format", "s"), ["sarif"]),
        (("validate", "--select", "links.mtu,waivers.*,waivers.un"), WAIVERS),
        (("validate", "--severity", "w"), ["warning"]),
        (("explain", "headr"), ["headroom"]),
        (("explain", "cabling.ll"), ["cabling.lldp"]),
        (("explain", "exit"), ["exit-codes"]),
        (("runs", "2"), []),
    ],
    ids=" ".join,
)
def test_words_come_from_the_file_the_pages_and_the_commands(complete, words, offered):
    assert complete(*words) == offered


def test_nodes_come_from_the_file_that_stands_on_the_line(complete, inventory):
    found = complete("show", "-f", str(inventory("ai1024")), "p1-leaf0")
    assert found == [f"p1-leaf0{number}" for number in range(1, 10)]


def test_a_broken_or_missing_file_offers_nothing_and_says_nothing(complete, tmp_path):
    assert complete("show", "le", cwd=tmp_path) == []
    (tmp_path / "fabric.yaml").write_text("fabric: [\x00")
    assert complete("show", "le", cwd=tmp_path) == []
    assert complete("plan", "--limit", "le", cwd=tmp_path) == []


def test_completing_makes_no_journal(complete):
    complete("rollback", "2")
    assert not (Path(os.environ["FABRIC_STATE"]) / "journal.sqlite").exists()


def test_runs_come_from_the_journal(complete):
    run = Journal().begin("apply", "lab", "/x", "abc", {})
    for command in (("rollback", "2"), ("runs", "2"), ("apply", "--resume", "2")):
        assert complete(*command) == [run]


@installed
@pytest.mark.parametrize(
    ("shell", "line"),
    [
        ("zsh", {"_TYPER_COMPLETE_ARGS": "fabric show lea"}),
        ("fish", {"_TYPER_COMPLETE_ARGS": "fabric show lea", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}),
    ],
)
def test_other_shells_are_answered_in_their_own_way(inventory, shell, line):
    env = os.environ | line | {"_FABRIC_COMPLETE": f"complete_{shell}"}
    done = subprocess.run([FABRIC], capture_output=True, text=True, check=True, cwd=inventory("lab"), env=env)
    assert done.stderr == ""
    assert [name for name in ("leaf01", "leaf02", "leaf03", "leaf04", "spine01") if name in done.stdout] == [
        "leaf01",
        "leaf02",
        "leaf03",
        "leaf04",
    ]
