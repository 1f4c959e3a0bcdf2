"""Random fabrics, written as `fabric init` writes them, with strides; and each of them grown in random directions.

What grows: pods, leaves, spines, superspines, hosts, NICs, further roles on switches of their own, further NICs of the
same machines, tenants.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from fabric.design.build import design
from fabric.design.model import Design
from fabric.intent.loader import parse
from fabric.intent.source import Source

MODEL = {"system": "frr", "model": "generic-128"}
CLASSES = {
    "rdma": {"rdma": True, "dscp": 26, "priority": 3, "lossless": True, "share": "60%"},
    "default": {"priority": 0, "share": "40%"},
}
HOSTS = {
    4: "10.0.0.0/9",
    6: "2001:db8:1::/48",
    46: ["10.0.0.0/9", "2001:db8:1::/48"],
}
LINKS = {4: "172.16.0.0/12", 6: "2001:db8:2::/48", 46: ["172.16.0.0/12", "2001:db8:2::/48"]}
LOOPBACKS = {4: "10.255.0.0/16", 6: "2001:db8:3::/48", 46: ["10.255.0.0/16", "2001:db8:3::/48"]}
MOST_LEAVES = 10


@dataclass(frozen=True)
class Shape:
    """What a fabric looks like; the second half is what grows."""

    family: int
    numbered: bool
    subnets: bool
    per: str
    attach: str
    ports: int
    bond: bool
    ways: int
    per_pair: int
    planes: int
    pods: int
    spines: int
    cores: int
    groups: int
    hosts: int
    nics: int
    storage: int
    further: bool
    tenant: bool

    def leaves(self) -> int:
        return self.groups * MOST_LEAVES


def intent(shape: Shape) -> dict[str, Any]:
    per = {"per": "pod"} if shape.pods else {}
    role = {**per, **MODEL, **({"stride": 64} if shape.pods else {})}
    device = {"first": 4200000000, "per": shape.per, **({"stride": 64} if shape.pods and shape.per == "device" else {})}
    gpu = {
        "nics": shape.nics,
        "ports": shape.ports,
        "bond": "lacp" if shape.bond else "none",
        "nic": "connectx-7",
        "attach": shape.attach,
        "per_group": 4,
        "stride": MOST_LEAVES,
    }
    down = f"1-32/{shape.ways}x" if shape.ways > 1 else "1-64"
    switches = {
        "spine": {"count": shape.spines * shape.planes, **role, "asn": {"first": 65000, "per": "tier"}},
        "leaf": {"count": shape.leaves(), **role, "asn": device},
        "core": {"count": shape.cores * shape.planes, **MODEL, "asn": {"first": 64600, "per": "tier"}},
    }
    hosts: dict[str, Any] = {"gpu": {"count": shape.hosts, **per, **gpu}}
    cables: list[dict[str, Any]] = [
        {"from": "leaf", "to": "spine", "per_pair": shape.per_pair, "speed": "400G"},
        {"from": "spine", "to": "core", "spread": "plane", "planes": shape.planes, "speed": "400G"}
        | ({"stride": 4} if shape.pods else {}),
        {"from": "gpu", "to": "leaf", "speed": "200G", "to_ports": down},
    ]
    if shape.storage:
        switches["tor"] = {"count": 4, **MODEL, "asn": {"first": 4210000000, "per": "device"}}
        hosts["nas"] = {"count": shape.storage, "nics": 2, "nic": "connectx-6", "attach": "dual", "per_group": 4}
        cables.append({"from": "nas", "to": "tor", "speed": "100G"})
    if shape.further and shape.storage and not shape.pods:
        hosts["gpu-storage"] = {"of": "gpu", "nics": 2, "nic": "connectx-6", "attach": "dual", "per_group": 4}
        cables[-1]["to_ports"] = "1-16"
        cables.append({"from": "gpu-storage", "to": "tor", "speed": "100G", "to_ports": "17-64"})
    form = {"prefix": HOSTS[shape.family], "per": "leaf", "vlan": 100, "gateway": "anycast"}
    form["length"] = {4: 22, 6: 64, 46: [22, 64]}[shape.family]
    return {
        "fabric": "random",
        "topology": {
            **({"pods": shape.pods} if shape.pods else {}),
            "switches": switches,
            "hosts": hosts,
            "cables": cables,
        },
        "addressing": {
            "loopbacks": LOOPBACKS[shape.family],
            **({"router_ids": "10.254.0.0/16"} if shape.family == 6 else {}),
            "links": LINKS[shape.family] if shape.numbered else "unnumbered",
            "hosts": form if shape.subnets else HOSTS[shape.family],
            "stride": 128,
            "mtu": 9000,
        },
        "classes": CLASSES,
        **({"tenants": {"blue": {"vni": 5000, "hosts": ["*gpu01"]}}} if shape.tenant else {}),
    }


def built(shape: Shape, nodes: Mapping[str, Any] | None = None) -> Design:
    """Return the design of a shape; ``nodes`` is what its intent says of single nodes."""
    return designed(intent(shape) | ({"nodes": nodes} if nodes else {}))


def designed(raw: Mapping[str, Any]) -> Design:
    """Return the design of an intent."""
    return design(parse(Source("fabric.yaml", json.dumps(raw, indent=1), "0")))


@st.composite
def shapes(draw: st.DrawFn) -> tuple[Shape, Shape]:
    pods, ways = draw(st.integers(0, 2)), draw(st.sampled_from([1, 1, 2]))
    attach, ports = draw(st.sampled_from(["rail", "leaf", "dual"])), draw(st.sampled_from([1, 2]))
    groups = draw(st.integers(1, 2))
    nics = draw(st.integers(1, 3)) * (2 if attach == "dual" and ports == 1 else 1)
    before = Shape(
        family=draw(st.sampled_from([4, 4, 6, 46])),
        numbered=draw(st.booleans()),
        subnets=draw(st.sampled_from([False, False, True])),
        per=draw(st.sampled_from(["device", "device", "pod"])) if pods else "device",
        attach=attach,
        ports=ports,
        bond=ports == 2 and attach != "leaf" and draw(st.booleans()),
        ways=ways,
        per_pair=draw(st.integers(1, 2)),
        planes=draw(st.sampled_from([1, 2, 4])),
        pods=pods,
        spines=draw(st.integers(1, 2)),
        cores=draw(st.integers(1, 2)),
        groups=groups,
        hosts=draw(st.integers(1, 4 * groups)),
        nics=nics,
        storage=draw(st.integers(0, 2)),
        further=draw(st.booleans()),
        tenant=False,
    )
    more_nics = draw(st.integers(0, 2)) * (2 if attach == "dual" and ports == 1 else 1)
    after = replace(
        before,
        pods=pods and pods + draw(st.integers(0, 1)),
        spines=before.spines + draw(st.integers(0, 2)),
        cores=before.cores + draw(st.integers(0, 2)),
        groups=before.groups + draw(st.integers(0, 1)),
        hosts=draw(st.integers(before.hosts, 4 * before.groups)),
        nics=nics if before.further and before.storage and not pods else nics + more_nics,
        storage=before.storage + (draw(st.integers(0, 2)) if not before.further or before.storage else 0),
        tenant=draw(st.booleans()),
    )
    return before, after
