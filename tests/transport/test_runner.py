import os
import signal
import threading
import time

import pytest

from fabric.errors import FabricError, TransportError, Unreachable
from fabric.transport.runner import run

NODES = tuple(f"leaf{i:02}" for i in range(1, 9))


@pytest.mark.parametrize("jobs", [1, 3, 32], ids=["serial", "few-threads", "thread-per-node"])
def test_results_and_errors_stand_in_the_order_of_the_nodes(jobs):
    down = Unreachable("down")

    def task(node: str) -> str:
        if node == "leaf03":
            raise down
        return node.upper()

    found = run(task, NODES, jobs)
    assert list(found) == list(NODES)
    assert found["leaf03"] is down
    assert found["leaf08"] == "LEAF08"


def test_no_nodes_make_no_results():
    assert run(str, (), 4) == {}


@pytest.mark.parametrize("jobs", [1, 4], ids=["serial", "threaded"])
def test_bug_in_a_task_is_a_result_that_says_so_and_keeps_its_cause(jobs):
    def task(node: str) -> int:
        return {"leaf02": 1 // 0}[node] if node == "leaf02" else 1

    found = run(task, NODES[:3], jobs)
    assert type(found["leaf02"]) is FabricError
    assert str(found["leaf02"]).startswith("leaf02: a bug in fabric stopped the work on this node: ZeroDivisionError")
    assert isinstance(found["leaf02"].__cause__, ZeroDivisionError)
    assert (found["leaf01"], found["leaf03"]) == (1, 1)


def test_serial_run_stays_in_the_callers_thread():
    found = run(lambda _: threading.current_thread(), NODES, jobs=1)
    assert set(found.values()) == {threading.current_thread()}


def test_threaded_run_has_as_many_tasks_at_a_time_as_jobs():
    together = threading.Barrier(4)
    assert all(isinstance(each, int) for each in run(lambda _: together.wait(20), NODES, jobs=4).values())


@pytest.mark.parametrize("jobs", [1, 2], ids=["serial", "threaded"])
def test_nothing_starts_after_cancel(jobs):
    cancel = threading.Event()

    def task(node: str) -> str:
        cancel.set()
        return node

    found = run(task, NODES, jobs, cancel)
    assert "leaf01" in found.values()
    assert isinstance(found["leaf08"], TransportError)
    assert str(found["leaf08"]) == "leaf08: not started, because the run was stopped"


def test_interrupt_in_a_serial_run_sets_cancel_and_goes_on():
    cancel = threading.Event()

    def task(node: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(task, NODES, 1, cancel)
    assert cancel.is_set()


def test_interrupt_lets_running_tasks_end_starts_no_more_and_goes_on():
    cancel = threading.Event()
    started, ended = [], []

    def task(node: str) -> None:
        started.append(node)
        if len(started) == 2:
            # What Ctrl-C does: the signal reaches the main thread, which by now waits for the tasks.
            time.sleep(0.2)
            os.kill(os.getpid(), signal.SIGINT)
        assert cancel.wait(20)
        ended.append(node)

    with pytest.raises(KeyboardInterrupt):
        run(task, NODES, 2, cancel)
    assert sorted(started) == sorted(ended)
    assert len(started) == 2
