"""Every NIC has a GPU beside it.

What it does
    Looks, on hosts that report where NICs and GPUs are plugged in, for a GPU under the same PCIe switch as each NIC, or
    at least at the same CPU.

Why
    A NIC reads and writes the memory of a GPU. Where both are under one PCIe switch that is all that the data crosses.
    Between two CPUs it crosses the link between them, which is slower than the NIC: the NIC cannot put down what it
    receives, pauses its leaf, and all that share the leaf wait.

Passes
    Each NIC has a GPU under its PCIe switch, or at its CPU. A host without GPUs has nothing to look at.

Fails
    All GPUs of the host are at another CPU than a NIC.

Skips
    The host does not report its devices, or was not reached.

Known limits
    Which GPU a job pairs with which NIC is its own affair: the nearest counts. Link widths of PCIe are asked by
    nics.pcie.

Source
    Linux, Documentation/ABI/testing/sysfs-bus-pci (the path of a device in sysfs is that of the bridges above it,
    numa_node); NVIDIA, GPUDirect RDMA documentation (both devices below one root complex). Catalogue code J03.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.checks.contract import Seen
from fabric.checks.observed import hosts, observed
from fabric.checks.outcomes import failed, passed
from fabric.results import CheckResult
from fabric.settings.state.devices import Device, Devices

FACETS = (Devices,)
SAMPLES = 1

_ROOT_PORT = 2  # elements of a path down to the port of the root complex that a PCIe switch hangs on


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield one failure per NIC port that is far from all GPUs, or one result per host."""
    found = observed(seen, hosts(seen.design), FACETS)
    yield from found.skips
    for name in found.nodes:
        rows = seen.readings[name].state.rows(Devices)
        gpus = {key: row for key, row in rows.items() if key.startswith("gpu ")}
        nics = {key: row for key, row in rows.items() if key not in gpus}
        far = [port for port, nic in nics.items() if gpus and not _near(nic, tuple(gpus.values()))]
        for port in far:
            message = f"{name}:{port} is at CPU {nics[port].numa}, and all {len(gpus)} GPUs of {name} are at others"
            yield failed(f"{name}:{port}", message, "a GPU at the same CPU", f"CPU {nics[port].numa}")
        if not far:
            under = sum(any(_one_switch(nic, gpu) for gpu in gpus.values()) for nic in nics.values())
            said = f"{under} of {len(nics)} NICs have a GPU under their PCIe switch" if gpus else "no GPU to be near to"
            yield passed(name, f"{name}: {said}")


def _near(nic: Device, gpus: Sequence[Device]) -> bool:
    return any(_one_switch(nic, gpu) or nic.numa == gpu.numa for gpu in gpus)


def _one_switch(one: Device, other: Device) -> bool:
    """Tell whether two devices hang on one port of a root complex: only a PCIe switch makes that possible."""
    return len(one.path) > _ROOT_PORT and one.path[:_ROOT_PORT] == other.path[:_ROOT_PORT]
