"""nic: what a host's NIC port is set to for RDMA."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class NicPort:
    """RDMA MTU in bytes, traffic class byte (DSCP x 4) of RDMA traffic, whether settings must survive a reboot.

    ``trust`` is what received packets are sorted by (see `ClassMap`), ``dcbx`` who decides on PFC and shares: ``host``
    (the operating system) or ``firmware``. ``ect`` says that RDMA packets leave as ECN-capable. ``cm_tos`` and
    ``cm_mode`` (``v1`` or ``v2``) are what connections of RDMA-CM get that ask for nothing: traffic class byte and
    RoCE version. The PCIe slot: ``pcie_generation``, ``pcie_lanes``, ``read_request`` in bytes, ``relaxed_ordering``,
    and ``acs``, by which transfers between devices take the way through the processor. ``receive_buffer`` are the bytes
    of the buffer of lossless priorities. ``stall_guard`` says that a port which cannot empty its buffer gives up to
    pause after a while, and drops.
    """

    rdma_mtu: Maybe[int] = ABSENT
    traffic_class: Maybe[int] = ABSENT
    persist: Maybe[bool] = ABSENT
    cnp_dscp: Maybe[int] = ABSENT
    trust: Maybe[str] = ABSENT
    dcbx: Maybe[str] = ABSENT
    ect: Maybe[bool] = ABSENT
    cm_tos: Maybe[int] = ABSENT
    cm_mode: Maybe[str] = ABSENT
    pcie_generation: Maybe[int] = ABSENT
    pcie_lanes: Maybe[int] = ABSENT
    read_request: Maybe[int] = ABSENT
    relaxed_ordering: Maybe[bool] = ABSENT
    acs: Maybe[bool] = ABSENT
    receive_buffer: Maybe[int] = ABSENT
    stall_guard: Maybe[bool] = ABSENT


@dataclass(frozen=True)
class Nic(Facet[NicPort]):
    """NIC ports under port names."""
