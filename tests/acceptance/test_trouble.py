"""What goes wrong in the field: each with its message, its exit code, and nothing lost."""

import shutil
import signal
import subprocess
import time

import pytest

from fabric.lab import control, machine
from fabric.platforms.lookup import system
from fabric.results import ExitCode
from fabric.workflows.journal import Journal

pytestmark = pytest.mark.lab


def test_a_node_that_cannot_be_reached_is_named_and_the_others_are_planned(bare):
    bare.fault("stop-daemon", "leaf02", "sshd")
    ended = bare.fabric("plan", bare.file)
    assert ended.code == ExitCode.DEVICE
    assert "not reached: leaf02" in ended.out
    assert "spine01" in ended.out
    assert "5 nodes to change" in ended.out


def test_a_node_that_cannot_be_reached_is_deferred_and_the_next_apply_finishes_it(bare):
    bare.fault("stop-daemon", "gpu02", "sshd")
    ended = bare.fabric("apply", bare.file, "--yes")
    assert ended.code == ExitCode.PARTIAL
    assert "deferred" in ended.out
    bare.fault("heal")
    assert bare.fabric("apply", bare.file, "--yes").code == 0
    assert bare.fabric("plan", bare.file, "--detailed-exitcode").code == 0


def test_a_wrong_key_is_not_let_in(bare, tmp_path):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "other"], check=True)
    ended = bare.fabric("plan", bare.file, "--access", bare.access(key=tmp_path / "other"))
    assert ended.code == ExitCode.DEVICE
    assert "leaf01" in ended.out
    assert "0 nodes to change" in ended.out
    assert "6 not reached" in ended.out


def test_a_changed_host_key_stops_the_connection(bare, tmp_path):
    known = bare.state / "labs" / "tiny" / "known_hosts"
    names = [line.split()[0] for line in known.read_text().splitlines()]
    other = subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "k"], check=True)
    assert other.returncode == 0
    key = " ".join((tmp_path / "k.pub").read_text().split()[:2])
    (tmp_path / "known").write_text("".join(f"{name} {key}\n" for name in names))
    ended = bare.fabric("plan", bare.file, "--access", bare.access(known_hosts=tmp_path / "known"))
    assert ended.code == ExitCode.DEVICE
    assert "host key" in ended.out


def test_a_node_whose_daemon_is_down_is_not_taken_for_one_that_is_set_as_designed(bare):
    bare.fault("stop-daemon", "spine01", "bgpd")
    ended = bare.fabric("plan", bare.file)
    assert ended.code == ExitCode.DEVICE
    assert "spine01: cannot be read: bgp" in ended.out


def test_a_refused_line_is_undone_on_its_device_and_stops_the_run(bare):
    """A bgpd that was started for one path only refuses our ECMP width."""
    bare.fault("stop-daemon", "spine01", "bgpd")
    bare.on("spine01", "/usr/lib/frr/bgpd -d -F datacenter -A 127.0.0.1 -e 1")
    ended = bare.fabric("apply", bare.file, "--yes")
    assert ended.code == ExitCode.DEVICE, ended.out
    assert "spine01: refused" in ended.err
    assert "(undone)" in ended.out
    assert "mtu 1500" in bare.on("spine01", "ip link show swp1")
    assert "pending" in ended.out
    assert bare.on("spine02", "ls /etc/fabric 2>/dev/null || true").strip() == ""


def test_a_node_that_dies_while_it_is_written_is_told_and_the_run_is_partial(bare):
    process = bare.start("apply", bare.file, "--yes")
    name = bare.wait_for("writing")
    # All that the node runs, the shell that says so included.
    subprocess.run([*control.shell("tiny", name)[:-1], "kill -KILL -1"], check=False, capture_output=True)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == ExitCode.PARTIAL, out
    assert f"{name}: lost" in out
    assert bare.runs()[0]["state"] == "stopped"


@pytest.mark.parametrize("links", ["unnumbered"])
def test_ctrl_c_undoes_what_is_being_written_and_the_journal_knows(bare):
    process = bare.start("apply", bare.file, "--yes")
    name = bare.wait_for("writing")
    until = time.monotonic() + 10
    while "router bgp" not in bare.on(name, "vtysh -c 'show running-config'") and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == ExitCode.INTERRUPTED, out
    run = bare.runs()[0]
    assert run["state"] == "interrupted"
    assert next(n["state"] for n in run["nodes"] if n["node"] == name) == "undone"
    assert "mtu 1500" in bare.on(name, "ip link show swp1")
    assert "router bgp" not in bare.on(name, "pgrep -x bgpd && vtysh -c 'show running-config'")
    resumed = bare.fabric("apply", "--resume", run["id"])
    assert resumed.code == 0, resumed.out + resumed.err
    assert bare.fabric("plan", bare.file, "--detailed-exitcode").code == 0


def test_a_killed_apply_is_resumed(bare):
    process = bare.start("apply", bare.file, "--yes")
    bare.wait_for("writing")
    process.kill()
    process.communicate(timeout=60)
    run = bare.runs()[0]
    assert (run["state"], run["alive"]) == ("running", False)
    assert "killed" in bare.fabric("runs").out
    locked = bare.fabric("apply", bare.file, "--yes")
    assert locked.code == ExitCode.DEVICE
    assert run["id"] in locked.err
    resumed = bare.fabric("apply", "--resume", run["id"])
    assert resumed.code == 0, resumed.out + resumed.err
    assert bare.fabric("plan", bare.file, "--detailed-exitcode").code == 0
    nothing = bare.fabric("apply", "--resume", run["id"])
    assert nothing.code == ExitCode.USAGE
    assert "nothing to resume" in nothing.err
    undone = bare.fabric("rollback", run["id"], "--yes")
    assert undone.code == 0, undone.out + undone.err
    assert "6 nodes to change" in bare.fabric("plan", bare.file).out


def test_a_device_whose_operator_is_gone_restores_itself_and_the_run_can_be_resumed(bare):
    process = bare.start("apply", bare.file, "--yes", "--confirm", "3s")
    name = bare.wait_for("writing")
    until = time.monotonic() + 30
    while "mtu 9000" not in bare.on(name, "ip link show swp1") and time.monotonic() < until:
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=60)
    run = bare.runs()[0]["id"]
    verdict = f"cat /var/lib/fabric/runs/{run}/verdict 2>/dev/null || true"
    until = time.monotonic() + 30
    while not bare.on(name, verdict).strip() and time.monotonic() < until:
        time.sleep(0.2)
    assert bare.on(name, verdict).strip() == "expired"
    while "mtu 9000" in bare.on(name, "ip link show swp1") and time.monotonic() < until:
        time.sleep(0.2)
    assert "router bgp" not in bare.on(name, "vtysh -c 'show running-config'")
    resumed = bare.fabric("apply", "--resume", run)
    assert resumed.code == 0, resumed.out + resumed.err
    assert bare.fabric("plan", bare.file, "--detailed-exitcode").code == 0


def test_a_stale_plan_is_refused(bare, tmp_path):
    kept = tmp_path / "plan.json"
    assert bare.fabric("plan", bare.file, "--out", kept).code == 0
    bare.on("leaf01", "ip link set swp1 mtu 4000")
    ended = bare.fabric("apply", kept, "--yes")
    assert ended.code == ExitCode.DEVICE
    assert "leaf01 changed since the plan was made" in ended.err
    assert bare.runs() == []
    bare.file.write_text(bare.file.read_text().replace("mtu: 9000", "mtu: 8000"))
    ended = bare.fabric("apply", kept, "--yes")
    assert ended.code == ExitCode.DEVICE
    assert "the intent has changed" in ended.err


def test_a_second_operator_is_kept_out_on_this_machine_and_on_the_node(bare, monkeypatch):
    going_on = Journal().begin("apply", "tiny", str(bare.file), "", {})
    ended = bare.fabric("apply", bare.file, "--yes")
    assert ended.code == ExitCode.DEVICE
    assert going_on in ended.err
    assert "is changing this fabric" in ended.err

    elsewhere = bare.state / "elsewhere"
    shutil.copytree(bare.state / "labs", elsewhere / "labs")
    bare.on("spine01", system("switch", "frr").guard.lock("20260101-000000-beef").text)
    monkeypatch.setenv("FABRIC_STATE", str(elsewhere))
    ended = bare.fabric("apply", bare.file, "--yes")
    assert ended.code == ExitCode.DEVICE
    assert "spine01" in ended.err
    assert "20260101-000000-beef" in ended.err
    monkeypatch.setenv("FABRIC_STATE", str(bare.state))


def test_the_gate_undoes_a_wave_after_which_something_fails(applied):
    """New link addresses cannot be changed end by end: the canary's sessions end, and the canary is taken back."""
    other = applied.file.with_name("other.yaml")
    other.write_text(applied.file.read_text().replace("links: 10.128.0.0/16", "links: 10.129.0.0/16"))
    ended = applied.fabric("apply", other, "--yes", "--gate", "3")
    assert ended.code == ExitCode.DEVICE, ended.out + ended.err
    assert "worked before the wave and fails now: routing." in ended.err
    states = {node["node"]: node["state"] for node in applied.runs()[0]["nodes"]}
    assert states["spine01"] == "undone"
    assert set(states.values()) == {"undone", "pending"}
    assert applied.fabric("plan", applied.file, "--detailed-exitcode").code == 0


def test_what_fails_already_must_be_accepted(applied):
    applied.fault("swap-cables", "leaf02:swp33", "leaf02:swp34")
    applied.on("leaf01", "ip link set swp1 mtu 4000")
    assert applied.fabric("verify", applied.file).code == ExitCode.FAILED
    refused = applied.fabric("apply", applied.file, "--yes")
    assert refused.code == ExitCode.DEVICE
    assert "fails already: " in refused.err
    assert "--accept-existing" in refused.err
    accepted = applied.fabric("apply", applied.file, "--yes", "--accept-existing", "--gate", "3")
    assert accepted.code == 0, accepted.out + accepted.err


def test_a_canary_leaves_the_rest_for_later(bare):
    ended = bare.fabric("apply", bare.file, "--yes", "--canary")
    assert ended.code == ExitCode.PARTIAL
    states = {node["node"]: node["state"] for node in bare.runs()[0]["nodes"]}
    assert states["spine01"] == "done"
    assert set(states.values()) == {"done", "pending"}


def test_a_full_disk_is_told_and_spoils_no_file(fabric, state, tmp_path):
    full = tmp_path / "full"
    full.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", full], check=True)
    try:
        ended = fabric("render", "inventories/lab", "-o", full)
        assert ended.code == ExitCode.USAGE
        assert "No space left on device" in ended.err
        texts = [path.read_text() for path in full.rglob("*") if path.is_file()]
        assert all(text.endswith("\n") for text in texts)
        assert not [path for path in full.rglob(".*") if path.is_file()]
    finally:
        subprocess.run(["umount", full], check=True)


def test_a_full_disk_of_a_node_is_told_and_undone(bare):
    bare.on("spine01", "mkdir -p /etc/fabric && mount -t tmpfs -o size=4k none /etc/fabric")
    bare.on("spine01", "dd if=/dev/zero of=/etc/fabric/fill bs=1k count=8 2>/dev/null || true")
    ended = bare.fabric("apply", bare.file, "--yes")
    assert ended.code == ExitCode.DEVICE
    assert "spine01: refused" in ended.err
    assert "mtu 1500" in bare.on("spine01", "ip link show swp1")


def test_without_root_or_without_frr_no_lab_is_built(fabric, state, monkeypatch):
    monkeypatch.setattr(control, "missing", lambda: machine.missing(user=lambda: 1000))
    ended = fabric("lab", "up", "inventories/lab")
    assert ended.code == ExitCode.USAGE
    assert "the lab needs root" in ended.err
    monkeypatch.setattr(control, "missing", lambda: machine.missing(search_path="/nonexistent"))
    ended = fabric("lab", "up", "inventories/lab")
    assert ended.code == ExitCode.USAGE
    assert "package frr is not installed" in ended.err
    assert "apt-get install frr" in ended.err
