"""Settings of a NIC driver meet a NIC that it drives.

What it does
    Compares the drivers under ``nic_settings`` with the drivers of the NICs of all host roles, and of single hosts that
    have other ones (``nodes``).

Why
    Settings under a driver's name reach only NICs of that driver. Where no host has one, they do nothing, and whoever
    wrote them believes that congestion control is set.

Fails
    ``nic_settings: {mlx5: {...}}`` where all hosts have ``nic: soft-roce``.

Passes
    ``nic_settings: {mlx5: {...}}`` where some host role has ``nic: connectx-7``.

Options
    None.

Known limits
    Settings without effect on some of the hosts only are not reported.

Source
    The hardware data of each NIC, which names its driver (its own sources stand in the file).

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.hardware import lookup
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.WARNING


def check(document: Document) -> Iterator[Violation]:
    """Yield one violation per driver with settings that no NIC of the fabric has."""
    found = document.intent.nic_settings
    given = {"mlx5": found.mlx5, "bnxt": found.bnxt} if found else {}
    roles, nodes = document.intent.topology.hosts.values(), document.intent.nodes.values()
    models = dict.fromkeys((*(role.nic for role in roles), *(node.nic for node in nodes if node.nic)))
    driven = {lookup.nic(model).driver for model in models if model in lookup.nics()}
    for driver, settings in given.items():
        if settings is not None and driver not in driven:
            yield Violation(
                path=f"nic_settings.{driver}",
                message=f"the settings of driver {driver} reach no NIC: hosts have {', '.join(models)}",
                measured=f"drivers {', '.join(sorted(driven)) or 'none'}",
                bound=driver,
                fix=f"take {driver} away, or give hosts a NIC that it drives",
            )
