"""The patch panel: which port is cabled to which, and the ip and tc batches that make it so.

Each port is one end of a veth pair; its other end lives in the ``patch`` namespace. A cable is two ingress
filters there, each redirecting all frames of one end to the other: neither node is touched when cables move,
link-local protocols (LLDP, IPv6 router advertisements) pass, and ends that are down take the carrier away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fabric.lab.plan import LabPlan, NodePlan
from fabric.settings.network import End

PATCH_MTU = 65535
"""The patch panel carries any frame: only the MTU of the two ports decides."""


@dataclass(frozen=True)
class Wiring:
    """``far`` gives each cabled end its other end; ends in ``cut`` have no carrier."""

    far: Mapping[End, End]
    cut: frozenset[End] = frozenset()


def designed(lab: LabPlan) -> Wiring:
    """Return the wiring that the plan asks for."""
    return Wiring({end: far for a, b in lab.cables for end, far in ((a, b), (b, a))})


def cut(wiring: Wiring, end: End) -> Wiring:
    """Return the wiring with the cable at ``end`` cut."""
    return Wiring(wiring.far, wiring.cut | {end, wiring.far[end]})


def swap(wiring: Wiring, one: End, other: End) -> Wiring:
    """Return the wiring with the plugs in two ports exchanged: each now leads where the other did.

    The ports of one cable, exchanged, are as before.
    """
    if other in (one, wiring.far[one]):
        return wiring
    to_one, to_other = wiring.far[one], wiring.far[other]
    moved = {one: to_other, to_other: one, other: to_one, to_one: other}
    return Wiring({**wiring.far, **moved}, wiring.cut)


def node_ports(lab: LabPlan, pids: Mapping[str, int]) -> str:
    """Return the ip batch for the patch namespace: all veth pairs, the node's end in its namespace (by pid)."""
    return "".join(
        f"link add name {name} mtu {PATCH_MTU} type veth peer name {end.port} mtu 1500 netns {pids[end.node]}\n"
        for end, name in lab.patch.items()
    )


def management_ports(lab: LabPlan, pids: Mapping[str, int]) -> str:
    """Return the ip batch for the management namespace: the bridge, and one veth pair per node."""
    lines = [
        "link set dev lo up",
        "link add name mgmt type bridge forward_delay 0",
        f"address add {lab.gateway} dev mgmt",
        "link set dev mgmt up",
    ]
    for number, node in enumerate(lab.nodes, 1):
        lines += [
            f"link add name m{number} type veth peer name {node.management} netns {pids[node.name]}",
            f"link set dev m{number} master mgmt up",
        ]
    return "\n".join(lines) + "\n"


def inside(node: NodePlan) -> str:
    """Return the ip batch for a node itself: its management address, and everything up."""
    up = [f"link set dev {port} up" for port in ("lo", node.management, *node.ports)]
    return "\n".join([f"address add {node.address} dev {node.management}", *up]) + "\n"


def plug_all(lab: LabPlan) -> tuple[str, str]:
    """Return the tc and the ip batch that cable a new patch panel as designed."""
    queues = "".join(f"qdisc add dev {name} clsact\n" for name in lab.patch.values())
    filters, up = change(lab, Wiring({}), designed(lab))
    return queues + filters, up[1]


def change(lab: LabPlan, now: Wiring, wanted: Wiring) -> tuple[str, tuple[str, str]]:
    """Return the tc batch that recables, and the ip batches to run before it (ends down) and after it (ends up)."""
    moved = sorted(end for end in now.far.keys() | wanted.far.keys() if now.far.get(end) != wanted.far.get(end))
    down = [end for end in moved if end in now.far] + sorted(wanted.cut - now.cut - set(moved))
    risen = sorted((set(moved) & wanted.far.keys() | now.cut) - wanted.cut)
    filters = [f"filter del dev {lab.patch[end]} ingress\n" for end in moved if end in now.far]
    filters += [_redirect(lab.patch[end], lab.patch[wanted.far[end]]) for end in moved if end in wanted.far]
    return "".join(filters), (_turn(lab, down, "down"), _turn(lab, risen, "up"))


def _redirect(name: str, far: str) -> str:
    return f"filter add dev {name} ingress protocol all u32 match u32 0 0 action mirred egress redirect dev {far}\n"


def _turn(lab: LabPlan, ends: Iterable[End], state: str) -> str:
    return "".join(f"link set dev {lab.patch[end]} {state}\n" for end in ends)
