"""Growth moves nothing that is there.

What it does
    Looks for places where the file leaves open how much room is set aside, so that one more of something would move
    what is there, and says in one finding what would move, and which key keeps it in its place.

Why
    A fabric grows while it runs. When a further leaf in a pod shifts the ports of all later pods, or a further NIC
    shifts the later groups of hosts, the plan for an extension of one rack is a plan to cable the whole site anew.

Fails
    Leaves of several pods under superspines that all pods share, without ``cables.N.stride``; hosts in two groups of
    leaves without ``stride``; ``spread: plane`` without ``planes``.

Passes
    The same with these keys; one pod, or one group.

Options
    None.

Known limits
    Listed cables do not move. Which way the fabric will grow is not known: waive what will not come. A change of model
    may move addresses where ``addressing.stride`` is not written; that is no growth, and is not noted.

Source
    docs/architecture.md section 4 (growth never renumbers; where it would, a note says so).

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.intent.document import Document
from fabric.intent.sections.topology import Cable, HostRole, Topology
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.NOTE


def check(document: Document) -> Iterator[Violation]:
    """Yield one violation that names all that growth would move, and the keys that keep it."""
    topology = document.intent.topology
    open_ = [*_cables(topology), *_hosts(topology)]
    if open_:
        first = open_[0][0]
        yield Violation(
            path=first.rpartition(".")[0],
            message=f"growth can move what is there: {'; '.join(moved for _, moved, _ in open_)}",
            measured=f"without {', '.join(key for key, _, _ in open_)}",
            bound="room set aside for growth",
            fix=f"write what it may grow to, at least {', '.join(f'{key}: {least}' for key, _, least in open_)}; "
            "a larger value moves things once, now",
        )


def _cables(topology: Topology) -> Iterator[tuple[str, str, int]]:
    """Yield per cable entry the key that is missing, what would move, and the value that changes nothing today."""
    for index, entry in enumerate(topology.cables):
        if not isinstance(entry, Cable) or not {entry.from_, entry.to} <= topology.switches.keys():
            continue
        lower, upper = topology.switches[entry.from_], topology.switches[entry.to]
        low, high = entry.from_, entry.to
        if lower.per is None and upper.per is not None:
            lower, upper, low, high = upper, lower, high, low
        pod = " in a pod" if lower.per else ""
        planes = 1
        if entry.spread is not None:
            planes = entry.planes or lower.count
            if entry.planes is None:
                yield f"topology.cables.{index}.planes", f"a further {low}{pod} makes one more plane", planes
        if lower.per and not upper.per and (topology.pods or 1) > 1 and entry.stride is None:
            moved = f"a further {low} in each pod moves the ports of {high} switches that later pods use"
            yield f"topology.cables.{index}.stride", moved, -(-lower.count // planes)


def _hosts(topology: Topology) -> Iterator[tuple[str, str, int]]:
    generated = {role for entry in topology.cables if isinstance(entry, Cable) for role in (entry.from_, entry.to)}
    for role, hosts in topology.hosts.items():
        if role not in generated or hosts.attach != "rail" or hosts.stride is not None or hosts.leaves is not None:
            continue
        machines = topology.hosts[hosts.of] if hosts.of else hosts
        if _groups(hosts, machines.count) > 1:
            moved = f"a further NIC of {role} hosts moves all groups of leaves but the first"
            yield f"topology.hosts.{role}.stride", moved, hosts.nics * hosts.ports


def _groups(hosts: HostRole, count: int) -> int:
    return -(-count // (hosts.per_group or count or 1))
