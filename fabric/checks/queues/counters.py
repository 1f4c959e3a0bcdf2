"""Counters of trouble stand still.

What it does
    Takes two samples of what switches with a chip and NICs count, and looks by how much these moved: PFC watchdog hits,
    pauses of priorities that are not paused by design, packets dropped in lossless queues, and packets that NICs
    received out of sequence, each of which has a limit of 0; and whether anybody slows down where CNPs are sent.

Why
    None of these stops a job; each makes it slow. A watchdog that fires says that a pause did not end. A pause of
    another priority says that the two ends of a cable disagree. A drop in a lossless queue makes RDMA send again. CNPs
    that nobody handles say that NICs see congestion and none reacts to it.

Passes
    Nothing of this moved. Pauses, marks and CNPs where they belong are no trouble, and are shown.

Fails
    One of these counters moved.

Skips
    A node does not report what is needed, was not reached, or cleared its counters in between.

Known limits
    How long pauses last is not counted. Packets out of sequence are expected where switches spread by packet or by
    flowlet, and are not judged there.

Source
    SONiC, Command Reference (show pfc counters, show pfcwd stats, show queue counters); Linux,
    drivers/infiniband/hw/mlx5/counters.c (out_of_sequence, np_ecn_marked_roce_packets, np_cnp_sent, rp_cnp_handled).
    Catalogue code L06.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.checks.contract import Seen
from fabric.checks.observed import hosts, moved, observed, switches
from fabric.checks.outcomes import failed, passed, skipped
from fabric.results import CheckResult
from fabric.settings.balance import Balancing
from fabric.settings.network import Network
from fabric.settings.pfc import Pfc
from fabric.settings.state.counters import Counters
from fabric.settings.state.pauses import Pauses
from fabric.settings.state.reactions import Reactions
from fabric.settings.state.storms import Storms

FACETS = (Pauses, Storms, Counters, Reactions)
SAMPLES = 2

_OF_SWITCHES = (Pauses, Storms, Counters)
_RESET = "counters were reset between the samples"


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield one failure per counter that moved, or one result per node; then one for all CNPs."""
    found = observed(seen, switches(seen.design), _OF_SWITCHES, SAMPLES)
    yield from found.skips
    for name in found.nodes:
        yield from _switch(seen, name)
    nics = hosts(seen.design)
    found = observed(seen, nics, (Reactions,), SAMPLES)
    yield from found.skips
    ordered = _in_order(seen.design.network)
    for name in found.nodes:
        yield _host(seen, name, ordered=ordered)
    if found.nodes and len(found.nodes) == len(nics):
        yield from _notifications(seen, found.nodes)


def _switch(seen: Seen, name: str) -> Iterator[CheckResult]:
    before, after = seen.before[name].state, seen.readings[name].state
    storms = moved(before.rows(Storms), after.rows(Storms), "detected")
    drops = moved(before.rows(Counters), after.rows(Counters), "dropped")
    received = moved(before.rows(Pauses), after.rows(Pauses), "received")
    sent = moved(before.rows(Pauses), after.rows(Pauses), "sent")
    if any(count < 0 for counts in (storms, drops, received, sent) for count in counts.values()):
        yield skipped(name, f"{name}: {_RESET}")
        return
    pauses = {key: received[key] + sent[key] for key in received}
    wrong = [
        *(_moved(name, key, count, "watchdog hits in queue") for key, count in storms.items() if count),
        *(
            _moved(name, key, count, "pauses of priority")
            for key, count in pauses.items()
            if count and not _paused(seen, name, key)
        ),
        *(
            _moved(name, key, count, "packets dropped in lossless queue")
            for key, count in drops.items()
            if count and _lossless(seen, name, key)
        ),
    ]
    if wrong:
        yield from wrong
    else:
        yield passed(name, f"{name}: no trouble; {sum(received.values())} pauses received, {sum(sent.values())} sent")


def _paused(seen: Seen, name: str, key: str) -> bool:
    """Tell whether a priority is paused on a port by design."""
    port, _, priority = key.rpartition(" ")
    row = seen.design.network.nodes[name].settings.rows(Pfc).get(port)
    return row is not None and int(priority) in row.priorities


def _lossless(seen: Seen, name: str, key: str) -> bool:
    """Tell whether a queue of a port is that of a class that is paused there by design."""
    port, _, queue = key.rpartition(" ")
    classes = (each for each in seen.design.classes if each.lossless and each.queue == int(queue))
    return any(_paused(seen, name, f"{port} {each.priority}") for each in classes)


def _moved(name: str, key: str, count: int, what: str) -> CheckResult:
    port, _, number = key.rpartition(" ")
    return failed(f"{name}:{port}", f"{name}:{port} counted {count} {what} {number}", "0", str(count))


def _in_order(network: Network) -> bool:
    """Tell whether switches keep the packets of a flow on one path, by design."""
    rows = (row for node in network.nodes.values() for row in node.settings.rows(Balancing).values())
    return all(row.mode == "ecmp" for row in rows)


def _host(seen: Seen, name: str, *, ordered: bool) -> CheckResult:
    before, after = seen.before[name].state.rows(Reactions), seen.readings[name].state.rows(Reactions)
    counts = {field: moved(before, after, field) for field in ("out_of_sequence", "marked", "cnps_sent")}
    if any(count < 0 for found in counts.values() for count in found.values()):
        return skipped(name, f"{name}: {_RESET}")
    late = {port: count for port, count in counts["out_of_sequence"].items() if count}
    if late and ordered:
        said = ", ".join(f"{count} on {port}" for port, count in late.items())
        message = f"{name} received packets out of sequence: {said}"
        return failed(name, message, "0", f"{sum(late.values())} packets")
    marked, sent = sum(counts["marked"].values()), sum(counts["cnps_sent"].values())
    return passed(name, f"{name}: no trouble; {marked} packets arrived marked, {sent} CNPs were sent")


def _notifications(seen: Seen, names: Sequence[str]) -> Iterator[CheckResult]:
    """Yield whether anybody handled a CNP where some were sent, at the first host that sent any."""
    sent = {name: _total(seen, name, "cnps_sent") for name in names}
    handled = [_total(seen, name, "cnps_handled") for name in names]
    senders = [name for name, count in sent.items() if count > 0]
    if min((*sent.values(), *handled)) < 0 or not senders:
        return
    if not sum(handled):
        message = f"{sum(sent.values())} CNPs were sent by {len(senders)} hosts, and no NIC handled any"
        yield failed(senders[0], message, "CNPs handled", "0 handled")
    else:
        yield passed(senders[0], f"{sum(sent.values())} CNPs were sent, {sum(handled)} were handled")


def _total(seen: Seen, name: str, field: str) -> int:
    rows = moved(seen.before[name].state.rows(Reactions), seen.readings[name].state.rows(Reactions), field)
    return sum(rows.values())
