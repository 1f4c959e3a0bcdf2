"""The gate of a wave: what worked before must work after."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from fabric.changes.plan import Plan
from fabric.checks.contract import Check, Seen
from fabric.checks.runner import checks
from fabric.design.model import Design
from fabric.results import CheckResult, Status
from fabric.settings.facts import Facts
from fabric.transport.session import Opener
from fabric.workflows.reading import look_all
from fabric.workflows.states import in_state, judged

PAUSE = 1.0


@dataclass(frozen=True)
class Gate:
    """Looks at nodes and their neighbours before and after a wave; ``deadline`` in seconds.

    ``known`` keeps the facts of nodes that it has looked at; those of nodes that a wave changed are read anew, for what
    a node is asked may depend on what it was set to.
    """

    design: Design
    opener: Opener
    jobs: int
    deadline: float
    known: dict[str, Facts] = field(default_factory=dict)

    def look(self, nodes: Iterable[str]) -> tuple[CheckResult, ...]:
        """Run the checks that need no stimulus on nodes and their neighbours."""
        around = neighbourhood(self.design, nodes)
        names = self.design.network.nodes
        reached = look_all(self.opener, {name: names[name] for name in around}, self.jobs, self.known)
        self.known.update({name: reading.facts for name, reading in reached.readings.items()})
        unreached = {name: error.message for name, error in reached.failed.items()}
        results = judged(quick_checks(), Seen(self.design, reached.readings, unreached=unreached))
        return tuple(result for result in results if _node(result) in around)

    def wait(
        self, nodes: Iterable[str], before: Iterable[CheckResult], hold: Callable[[], bool]
    ) -> tuple[CheckResult, ...]:
        """Return what passed before and still fails when the deadline is over.

        ``hold`` is called between two looks, and tells whether to go on looking.
        """
        good = {(r.check, r.at) for r in before if r.status is Status.PASS}
        return self._poll(nodes, lambda r: (r.check, r.at) in good and _worse(r), hold)

    def settle(self, nodes: Iterable[str]) -> tuple[CheckResult, ...]:
        """Return what fails on these nodes when the deadline is over, whatever it was before."""
        ours = frozenset(nodes)
        bad = (Status.FAIL, Status.ERROR)
        return self._poll(ours, lambda r: r.status in bad and _node(r) in ours, lambda: True)

    def _poll(
        self, nodes: Iterable[str], bad: Callable[[CheckResult], bool], hold: Callable[[], bool]
    ) -> tuple[CheckResult, ...]:
        nodes = tuple(nodes)
        for name in nodes:
            self.known.pop(name, None)
        until = time.monotonic() + self.deadline
        while True:
            found = tuple(result for result in self.look(nodes) if bad(result))
            if not found or time.monotonic() >= until or not hold():
                return found
            time.sleep(PAUSE)


def quick_checks() -> tuple[Check, ...]:
    """Return the checks that can be polled: one sample and no traffic."""
    return tuple(check for check in checks() if check.samples == 1 and check.stimulus is None)


def neighbourhood(design: Design, nodes: Iterable[str]) -> frozenset[str]:
    """Return nodes and those they are linked to; none that is planned, as it is not there."""
    nodes = frozenset(nodes)
    beside = {far.node for name in nodes for _, _, far in design.network.links_of[name]}
    return (nodes | beside) - in_state(design.network, "planned")


def unexplained(results: Iterable[CheckResult], plan: Plan, design: Design) -> tuple[CheckResult, ...]:
    """Return the failures that no change of the plan can be expected to mend.

    Cabling is never mended by a change; another failure is, when its node or one beside it changes.
    """
    mended = neighbourhood(design, plan.changes)
    return tuple(
        result
        for result in results
        if result.status in (Status.FAIL, Status.ERROR)
        and (result.check.startswith("cabling.") or _node(result) not in mended)
    )


def _worse(result: CheckResult) -> bool:
    """Tell whether a result is no pass, and not because of what the intent says of a node's state."""
    return result.status is not Status.PASS and not result.announced


def _node(result: CheckResult) -> str:
    return result.at.partition(":")[0]
