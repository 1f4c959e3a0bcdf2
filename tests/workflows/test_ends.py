"""How runs end, and which runs cannot be resumed or undone."""

import pytest

from fabric.changes.change import Change, Steps
from fabric.changes.delta import Delta
from fabric.changes.plan import Plan
from fabric.changes.run import NodeRun, NodeState, Run, RunState
from fabric.design.build import design
from fabric.errors import ApplyError, Locked, StalePlan, UsageError
from fabric.intent.loader import load
from fabric.results import CheckResult, ExitCode, Status
from fabric.settings.scope import Scope
from fabric.workflows.apply import exit_code, resume, rollback
from fabric.workflows.conduct import Conduct, Manner, carry_on
from fabric.workflows.device import Job
from fabric.workflows.gate import neighbourhood, unexplained
from fabric.workflows.journal import Before, Journal

N, R = NodeState, RunState


@pytest.fixture
def lab():
    return design(load("inventories/lab"))


@pytest.fixture
def conduct(lab, table, tmp_path):
    return Conduct(lab, table, Journal(tmp_path), lambda _: None, Manner())


@pytest.mark.parametrize(
    ("state", "nodes", "code"),
    [
        (R.DONE, (N.DONE, N.EQUAL), ExitCode.DONE),
        (R.DONE, (), ExitCode.DONE),
        (R.DONE, (N.DONE, N.DEFERRED), ExitCode.PARTIAL),
        (R.DONE, (N.DONE, N.PENDING), ExitCode.PARTIAL),
        (R.STOPPED, (N.REFUSED, N.PENDING), ExitCode.DEVICE),
        (R.STOPPED, (N.UNDONE, N.PENDING), ExitCode.DEVICE),
        (R.STOPPED, (N.DONE, N.REFUSED), ExitCode.PARTIAL),
        (R.STOPPED, (N.LOST, N.PENDING), ExitCode.PARTIAL),
        (R.STOPPED, (N.FAILED,), ExitCode.PARTIAL),
        (R.INTERRUPTED, (N.DONE,), ExitCode.INTERRUPTED),
    ],
)
def test_a_run_ends_with_the_code_of_what_stands_on_the_devices(state, nodes, code):
    made = tuple(NodeRun(str(number), 1, node) for number, node in enumerate(nodes))
    assert exit_code(Run("r", "apply", "lab", "/x", "d", state, "", "", "me", alive=False, nodes=made)) == code


@pytest.mark.parametrize(("text", "seconds"), [("10m", 600), ("90s", 90), ("1m", 60)])
def test_the_timer_is_written_with_its_unit(text, seconds):
    assert Manner(confirm=text).seconds == seconds


@pytest.mark.parametrize("text", ["", "10", "0s", "10h", "-1m", "1.5m"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(UsageError, match="not a time"):
        _ = Manner(confirm=text).seconds


def test_a_rollback_is_not_resumed_and_an_apply_only_with_its_own_intent(conduct):
    run = conduct.journal.begin("rollback", "lab", "/x", "d", {})
    with pytest.raises(UsageError, match="only an apply is resumed"):
        resume(conduct, run, "d")
    conduct.journal.end(run, R.STOPPED)
    run = conduct.journal.begin("apply", "lab", "/x", "d", {})
    with pytest.raises(StalePlan, match="the intent has changed"):
        resume(conduct, run, "other")


def test_a_run_that_goes_on_changed_nothing_or_lost_its_nodes_is_not_rolled_back(conduct):
    run = conduct.journal.begin("apply", "lab", "/x", "d", {})
    with pytest.raises(Locked, match="still going on"):
        rollback(conduct, run)
    conduct.journal.end(run, R.STOPPED)
    with pytest.raises(UsageError, match="nothing to undo"):
        rollback(conduct, run)
    conduct.journal.enter(run, "leaf09", 1, "d")
    conduct.journal.keep(run, "leaf09", Before({}, Scope(), ()))
    conduct.journal.note(run, "leaf09", N.DONE)
    with pytest.raises(ApplyError, match="the file no longer has leaf09"):
        rollback(conduct, run)


def test_waves_are_announced_with_runs_of_names(lab, table, tmp_path):
    said = []
    conduct = Conduct(lab, table, Journal(tmp_path), said.append, Manner())
    waves = (("spine01",), ("gpu01", "gpu02", "gpu03", "gpu04"))
    table.refuse = 100
    run = conduct.journal.begin("apply", "lab", "/x", "d", {})
    names = [name for wave in waves for name in wave]
    for name in names:
        conduct.journal.enter(run, name, 1, "")
    jobs = {name: Job(run, lab.network.nodes[name], lambda _: None, "", 60) for name in names}
    ended = carry_on(conduct, run, waves, jobs, gated=False)
    assert [line for line in said if line.startswith("wave")] == [
        "wave 1 of 2: spine01",
        "wave 2 of 2: gpu01 .. gpu04 (4)",
    ]
    assert {node.state for node in ended.nodes} == {N.DEFERRED}


def test_failures_beside_a_change_are_explained_by_it_except_cabling(lab):
    change = Change("leaf01", Delta("leaf01"), Steps())
    plan = Plan(fabric="lab", intent="d", waves=(("leaf01",),), changes={"leaf01": change})
    results = [
        CheckResult("routing.bgp-sessions", "spine01:swp1", Status.FAIL, "beside it"),
        CheckResult("routing.bgp-sessions", "leaf03:swp33", Status.FAIL, "far away"),
        CheckResult("cabling.lldp", "leaf01:swp33", Status.FAIL, "a cable"),
        CheckResult("links.up", "leaf03:swp1", Status.PASS, "fine"),
    ]
    assert [r.message for r in unexplained(results, plan, lab)] == ["far away", "a cable"]
    assert neighbourhood(lab, ["gpu01"]) == {"gpu01", "leaf01", "leaf02"}
