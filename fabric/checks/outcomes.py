"""What a check yields, before the runner stamps its id on it; and why it could not look."""

from __future__ import annotations

from typing import Any

from fabric.checks.contract import Seen
from fabric.platforms.lookup import has_system, system
from fabric.results import CheckResult, Status
from fabric.settings.facet import Absent, F, Facet


def passed(at: str, message: str) -> CheckResult:
    """All is as designed at this place."""
    return CheckResult("", at, Status.PASS, message)


def failed(at: str, message: str, expected: str = "", found: str = "") -> CheckResult:
    """Something is not as designed at this place."""
    return CheckResult("", at, Status.FAIL, message, expected, found)


def skipped(at: str, reason: str, *, announced: bool = False) -> CheckResult:
    """Nothing could be said, for this reason; ``announced`` when the capability table says so beforehand."""
    return CheckResult("", at, Status.SKIP, reason, announced=announced)


def asked(seen: Seen, *nodes: str) -> bool:
    """Tell whether all these nodes were to be looked at, reached or not."""
    return all(node in seen.readings or node in seen.unreached for node in nodes)


def look(seen: Seen, node: str, facet: type[F], *, before: bool = False) -> F | CheckResult:
    """Return a facet that a node reported, or the skip that says why there is none.

    ``before`` asks for the sample before the stimulus. A facet that the node's platform has no reader for is an
    announced skip; one that it should have been able to read is not.
    """
    if node in seen.unreached:
        return skipped(node, f"{node} was not reached")
    reading = (seen.before if before else seen.readings).get(node)
    if reading is None:
        return skipped(node, f"{node} was not read{' before the stimulus' if before else ''}")
    found = reading.state.get(facet)
    if isinstance(found, Absent):
        found = reading.settings.get(facet)
    if not isinstance(found, Absent):
        return found
    if _readable(seen, node, facet):
        return skipped(node, f"{node} could not say anything about {facet.name}")
    return skipped(node, f"{seen.design.network.nodes[node].system} does not report {facet.name}", announced=True)


def _readable(seen: Seen, name: str, facet: type[Facet[Any]]) -> bool:
    """Tell whether the platform of a node reads this facet, given the facts of the node."""
    node = seen.design.network.nodes[name]
    if not has_system(node.kind, node.system):
        return False
    runs, facts = system(node.kind, node.system), seen.readings[name].facts
    return any(reader.facet is facet for reader in (*runs.readers(facts), *runs.state_readers(facts)))
