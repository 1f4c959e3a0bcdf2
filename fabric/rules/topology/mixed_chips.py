"""The switches of a role are alike, and so are the NICs of a role.

What it does
    Compares the switch chips of the models of one role, the releases of the system that its switches run, and the
    models of the NICs of the hosts of one role, and reports a role in which there are several of one of these.

Why
    Chips differ in how they choose between equal paths, in the size of their buffers, and in what a threshold of 1/8 is
    a share of. One leaf of another kind marks and pauses earlier than the ones beside it, and a flow that is spread
    well by one is not by another. The same goes for two releases whose defaults differ. NICs of two models slow down
    and speed up differently, so that one takes the link from the other.

Fails
    ``leaf02: {model: as9716-32d}`` in a role of as9736-64d: Tomahawk 3 beside Tomahawk 4.

Passes
    Models of one chip in a role; another chip in a role of its own, which says that the mix is meant.

Options
    None.

Known limits
    Models without data on a chip are not compared. While an upgrade is on its way, its releases are mixed: that is what
    this note says then. Nodes that are planned or in maintenance are left out. Firmware of NICs is not known.

Source
    SONiC, buffers.json.j2 and qos.json of each device (thresholds and pools differ by chip); a choice of ours.
    Catalogue codes B16, I03.

Since
    0.3
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fabric.analysis.limits import model_of
from fabric.hardware.models import SwitchModel
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node

SEVERITY = Severity.NOTE
_NO_CHIP = "none"


def check(network: Network) -> Iterator[Violation]:
    """Yield up to two violations per role of switches, for chips and for releases, and one per role of hosts."""
    found: dict[tuple[str, str, str, str], Counter[str]] = {}
    for node in network.nodes.values():
        for key, what, value in _kinds(node) if node.state == "active" else ():
            found.setdefault((node.kind, node.role, key, what), Counter())[value] += 1
    for (kind, role, key, what), counts in found.items():
        if len(counts) > 1:
            nodes = "switches" if kind == "switch" else "hosts"
            said = ", ".join(f"{count} with {each}" for each, count in sorted(counts.items()))
            yield Violation(
                path=f"topology.{nodes}.{role}.{key}",
                message=f"{nodes} of the role {role} have different {what}: {said}",
                measured=f"{len(counts)} {what}",
                bound="1",
                fix=f"give all {nodes} of {role} one {key}, or describe those that differ as a role of their own",
            )


def _kinds(node: Node) -> Iterator[tuple[str, str, str]]:
    """Yield in what a node should be like the others of its role: key of the file, word, and what it has."""
    model = model_of(node)
    if node.kind == "host":
        yield "nic", "NICs", node.model
    elif isinstance(model, SwitchModel) and model.asic != _NO_CHIP:
        yield "model", "chips", model.asic
    if node.kind == "switch" and not isinstance(node.facts.release, Absent):
        yield "release", "releases", f"{node.system} {node.facts.release}"
