"""Progress is a line on a real terminal, and nothing at all anywhere else."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Work on three nodes, one of which takes long enough to be named.
PROGRAM = """
import time
from fabric.cli import progress
from fabric.cli.talk import tell
from fabric.transport.runner import run
progress._SILENT, progress._SLOW = 0.1, 0.4

def task(node):
    time.sleep(1.2 if node == "leaf03" else 0.1)
    if node == "leaf02":
        tell("wave 1 of 2")
    return node

def ask(question):
    return question

with progress.watching(ask) as asking:
    print(sorted(run(task, ("leaf01", "leaf02", "leaf03"), 3)), asking("pin?"))
"""


def on_a_terminal(argv, env=None):
    """Run a program on a pseudo-terminal of its own; return how it ended, and all that it wrote."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(env or {})
        os.execv(argv[0], argv)  # noqa: S606  # the child becomes the program
    written = b""
    while True:
        try:
            read = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not read:
            break
        written += read
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), written.decode()


# Forking is safe here: the child only becomes another program.
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize(
    ("env", "shown"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "FABRIC_DEBUG": "1"}, False)],
    ids=["a-terminal", "a-dumb-one", "with-debug"],
)
def test_a_terminal_shows_how_many_nodes_are_done_and_which_are_slow(env, shown):
    code, written = on_a_terminal([sys.executable, "-c", PROGRAM], env)
    assert code == 0, written
    assert "['leaf01', 'leaf02', 'leaf03'] pin?" in written
    assert "wave 1 of 2" in written
    seen = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written)
    assert ("2/3 nodes" in seen) is shown
    assert ("waiting for leaf03" in seen) is shown
    assert ("\x1b[2K" in written) is shown, "the line is taken away when all is done"


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_command_leaves_only_its_answer_on_a_terminal():
    lab = ROOT / "inventories" / "lab"
    recording = str(lab / "recordings" / "applied")
    argv = [sys.executable, "-m", "fabric", "plan", str(lab), "--against", recording, "--no-color"]
    code, written = on_a_terminal(argv, {"TERM": "xterm"})
    assert code == 0
    assert "lab: no changes" in written


def test_a_pipe_never_gets_a_line():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stderr == "wave 1 of 2\n"
    assert done.stdout == "['leaf01', 'leaf02', 'leaf03'] pin?\n"
