"""addressing: the pools that addresses come from, and the IP MTU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from fabric.intent.prefixes import IpNetwork, Links, Pool4, Pools
from fabric.intent.quantities import Count, IpMtu, Lengths, VlanId
from fabric.intent.strict import Strict


class HostPools(Strict):
    """How hosts are addressed: a point-to-point prefix per NIC, or one subnet per leaf."""

    prefix: Annotated[Pools, Field(description="the pool, or one pool of each family")]
    per: Annotated[Literal["nic", "leaf"], Field(description="nic: a /31 or /127 per NIC; leaf: a subnet per leaf")]
    length: Annotated[
        Lengths, Field(description="the length of each: 31 (127) per NIC, such as 26 per leaf; [26, 64] for two pools")
    ]
    vlan: Annotated[VlanId | None, Field(description="the VLAN of the subnets; needed per leaf")] = None
    gateway: Annotated[
        Literal["anycast"] | None,
        Field(description="anycast: the leaf (or both leaves of a bond) holds the first address; needed per leaf"),
    ] = None


def _form(hosts: object) -> str:
    return "form" if isinstance(hosts, dict | HostPools) else "pools"


class Addressing(Strict):
    """Address pools (IPv4, IPv6, or a list of one of each), and the IP MTU of the whole fabric in bytes."""

    loopbacks: Annotated[Pools, Field(description="pool of the loopback addresses of switches")]
    links: Annotated[Links, Field(description="unnumbered, or the pool of the /31s (/127s) between switches")]
    hosts: Annotated[
        Annotated[Pools, Tag("pools")] | Annotated[HostPools, Tag("form")],
        Discriminator(_form),
        Field(description="pool of the /31s (/127s) between hosts and leaves"),
    ]
    router_ids: Annotated[
        Pool4 | None, Field(description="IPv4 pool of router ids, where no IPv4 loopback gives them")
    ] = None
    stride: Annotated[
        Count | None,
        Field(description="/31s set aside per switch; default: its ports, rounded up to a power of two"),
    ] = None
    mtu: Annotated[IpMtu, Field(description="IP MTU in bytes; systems add their layer-2 share")]

    def pools(self) -> Iterator[tuple[str, IpNetwork]]:
        """Yield each pool under its key."""
        hosts = self.hosts.prefix if isinstance(self.hosts, HostPools) else self.hosts
        yield from (("loopbacks", pool) for pool in self.loopbacks)
        if self.links != "unnumbered":
            yield from (("links", pool) for pool in self.links)
        yield from (("hosts", pool) for pool in hosts)
        if self.router_ids is not None:
            yield "router_ids", self.router_ids
