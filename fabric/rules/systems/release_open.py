"""The release of every switch with a chip is written.

What it does
    Notes each role of switches with a chip of which some have no ``release``, so that whatever is installed will do.

Why
    Defaults change with the release: which DSCPs map to which class, what a threshold is when nobody sets it, how the
    buffer is cut. An update that nobody compares with the file brings other numbers than those that were judged, and a
    spare switch comes with yet another release.

Fails
    ``leaf: {system: sonic, model: as9736-64d}``.

Passes
    ``leaf: {system: sonic, release: "202411", model: as9736-64d}``; switches without a chip of their own, such as Linux
    machines.

Options
    None.

Known limits
    Firmware of NICs has no key in the file. What a switch runs is compared with it by the check management.release.

Source
    Gangidi et al., RDMA over Ethernet for distributed AI training at Meta scale, SIGCOMM 2024 (congestion control that
    changed with the firmware). Catalogue code L11.

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
from fabric.settings.network import Network

SEVERITY = Severity.NOTE
_NO_CHIP = "none"


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per role and system with switches of which no release is known."""
    open_: Counter[tuple[str, str]] = Counter()
    for node in network.nodes.values():
        model = model_of(node)
        if isinstance(model, SwitchModel) and model.asic != _NO_CHIP and isinstance(node.facts.release, Absent):
            open_[node.role, node.system] += 1
    for (role, system), count in open_.items():
        yield Violation(
            path=f"topology.switches.{role}.release",
            message=f"the release of {system} is open on {count} switch{'es' if count > 1 else ''} of the role {role}: "
            "its defaults may be any",
            measured="no release",
            bound="a release",
            fix=f'write what was tested, in quotes: topology.switches.{role}.release: "..."',
        )
