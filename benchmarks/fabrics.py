"""The fabrics that are measured, rail attached, as a user would write them: two tiers, or pods below a third."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_CLASSES = """\
classes:
  rdma: {rdma: true, dscp: 26, priority: 3, lossless: true, share: 60%, ecn: {min: 100KB, max: 400KB, probability: 20%}}
  bulk: {dscp: 10, priority: 1, share: 20%}
  cnp: {dscp: 48, priority: 6, strict: true}
  default: {priority: 0, share: 20%}
"""

_TEXT = """\
fabric: {name}
topology:
  switches:
    spine: {{count: {spines}, system: frr, model: {model}, asn: {{first: 4200000000, per: tier}}}}
    leaf: {{count: {leaves}, system: frr, model: {model}, asn: {{first: 4200000101, per: device}}}}
  hosts:
    gpu: {{count: {hosts}, nics: {nics}, nic: soft-roce, attach: rail, per_group: {per_group}}}
  cables:
    - {{from: leaf, to: spine, per_pair: {per_pair}, speed: 10G, length_m: 30}}
    - {{from: gpu, to: leaf, speed: 10G, length_m: 5}}
addressing: {{loopbacks: 10.255.0.0/16, links: {links}, hosts: 10.64.0.0/12, mtu: 9000}}
"""


@dataclass(frozen=True, slots=True)
class Fabric:
    """A two-tier fabric; NIC r of a host goes to leaf r of its group of ``nics`` leaves."""

    name: str
    spines: int
    leaves: int
    hosts: int
    nics: int
    per_group: int
    per_pair: int
    model: str
    links: str = "unnumbered"

    @property
    def devices(self) -> int:
        """Switches and hosts."""
        return self.spines + self.leaves + self.hosts

    @property
    def cables(self) -> int:
        """Cables between switches and those of hosts."""
        return self.leaves * self.spines * self.per_pair + self.hosts * self.nics

    def write(self, folder: Path) -> Path:
        """Write the fabric's file into a folder that is made for it; returns the folder."""
        folder.mkdir(parents=True)
        values = {name: getattr(self, name) for name in self.__slots__}
        (folder / "fabric.yaml").write_text(_TEXT.format(**values) + _CLASSES, encoding="utf-8")
        return folder


_PODS = """\
fabric: {name}
topology:
  pods: {pods}
  switches:
    superspine: {{count: {tops}, system: frr, model: generic-128, asn: {{first: 64900, per: tier}}}}
    spine: {{count: 16, per: pod, stride: 16, system: frr, model: generic-64, asn: {{first: 65000, per: pod}}}}
    leaf: {{count: 16, per: pod, stride: 16, system: frr, model: generic-64, asn: {{first: 4200000000, per: device}}}}
  hosts:
    gpu: {{count: 128, per: pod, nics: 8, nic: connectx-7, attach: rail, per_group: 64}}
  cables:
    - {{from: leaf, to: spine, per_pair: 2, speed: 800G, length_m: 30}}
    - {{from: spine, to: superspine, per_pair: {per_pair}, speed: 800G, length_m: 100, spread: plane}}
    - {{from: gpu, to: leaf, speed: 400G, to_ports: "1-32/2x", length_m: 5}}
addressing: {{loopbacks: 10.252.0.0/14, links: unnumbered, hosts: 64.0.0.0/6, mtu: 9000}}
"""


@dataclass(frozen=True, slots=True)
class Pods:
    """A non-blocking three-tier fabric of pods: 128 hosts of 8 NICs, 16 leaves, 16 spines each; 16 planes above.

    Every pod adds the same nodes and cables, four superspines among them, so that the work per device stays the same.
    """

    pods: int

    @property
    def hosts(self) -> int:
        """Hosts of all pods."""
        return self.pods * 128

    @property
    def name(self) -> str:
        """The name of the fabric."""
        return f"pods-{self.hosts}"

    @property
    def tops(self) -> int:
        """Superspines."""
        return self.pods * 4

    @property
    def devices(self) -> int:
        """Switches and hosts."""
        return self.hosts + self.pods * 32 + self.tops

    @property
    def cables(self) -> int:
        """Cables: of hosts, leaf to spine, spine to superspine."""
        return self.hosts * 8 + self.pods * (16 * 16 * 2 + 16 * 32)

    def write(self, folder: Path) -> Path:
        """Write the fabric's file into a folder that is made for it; returns the folder."""
        folder.mkdir(parents=True)
        text = _PODS.format(name=self.name, pods=self.pods, tops=self.tops, per_pair=128 // self.pods)
        (folder / "fabric.yaml").write_text(text + _CLASSES, encoding="utf-8")
        return folder


def pods(hosts: int) -> Pods:
    """Return a fabric of pods with so many hosts: 512, 1024, ... 16384."""
    if hosts not in {512 << step for step in range(6)}:
        raise ValueError(f"{hosts} hosts: expected 512, 1024, 2048, 4096, 8192 or 16384")
    return Pods(hosts // 128)


def pod(hosts: int) -> Fabric:
    """Return a non-blocking fabric of 4-NIC hosts, 16 hosts and 16 uplinks a leaf; 16 to 512 hosts in steps of 16.

    Every size has the same number of cables per host (8), so that the work per device does not change with it.
    """
    if hosts % 16 or not 16 <= hosts <= 512:
        raise ValueError(f"{hosts} hosts: expected a multiple of 16 from 16 to 512")
    leaves = hosts // 16 * 4
    spines = next(count for count in (2, 4, 8, 16) if leaves * 16 // count <= 128)
    return Fabric(f"pod-{hosts}", spines, leaves, hosts, 4, 16, 16 // spines, "generic-128")


def clos(shape: str) -> Fabric:
    """Return the lab ``SPINES/LEAVES/HOSTS`` of 2-NIC hosts, one cable per leaf and spine."""
    spines, leaves, hosts = (int(each) for each in shape.split("/"))
    if leaves % 2 or leaves < 2 or spines < 1 or not 1 <= hosts <= 31 * leaves:
        raise ValueError(f"{shape}: expected SPINES/LEAVES/HOSTS with an even number of leaves, as 2/4/8")
    per_group = -(-hosts // (leaves // 2))
    return Fabric(f"bench-{shape.replace('/', '-')}", spines, leaves, hosts, 2, per_group, 1, "linux")
