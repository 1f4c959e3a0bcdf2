"""nic: what a host's NIC port is set to for RDMA."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class NicPort:
    """RDMA MTU in bytes, traffic class byte (DSCP x 4) of RDMA traffic, whether settings must survive a reboot."""

    rdma_mtu: Maybe[int] = ABSENT
    traffic_class: Maybe[int] = ABSENT
    persist: Maybe[bool] = ABSENT
    cnp_dscp: Maybe[int] = ABSENT


@dataclass(frozen=True)
class Nic(Facet[NicPort]):
    """NIC ports under port names."""
