"""Design: the intent expanded, each value with its origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabric.places import Place
from fabric.settings.network import Network
from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Origin:
    """Why a value is what it is: a sentence with the formula, and the place in the intent it comes from."""

    reason: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class TrafficClass:
    """A traffic class with all defaults filled in. ``share`` in percent (0: only strict).

    ``kmin``/``kmax`` in bytes and ``pmax`` in percent are ``None`` when the class has no ECN, and while they are to be
    computed: ``ecn_auto`` names those of the three that the intent wants computed, for which ``profile``, ``incast``
    (senders) and ``flows`` (per port) are what to reckon with. A threshold that differs by speed is ``None`` as well,
    and stands in ``kmin_by_speed``/``kmax_by_speed``: pairs of bit/s and bytes, ascending. ``edge`` names the host
    roles whose ports carry the class, ``None`` where all do. ``traffic`` are labels without effect on devices.
    """

    name: str
    dscps: tuple[int, ...]
    mark: int | None
    priority: int
    queue: int
    rdma: bool
    lossless: bool
    strict: bool
    share: int
    congestion: str
    limit: int | None = None
    ecn: bool = False
    kmin: int | None = None
    kmax: int | None = None
    pmax: float | None = None
    ecn_auto: tuple[str, ...] = ()
    kmin_by_speed: tuple[tuple[int, int], ...] = ()
    kmax_by_speed: tuple[tuple[int, int], ...] = ()
    profile: str | None = None
    incast: int | None = None
    flows: int | None = None
    edge: tuple[str, ...] | None = None
    traffic: tuple[str, ...] = ()

    def carried(self, edge: str | None) -> bool:
        """Tell whether ports between a leaf and hosts of role ``edge`` carry the class; ``None``: between switches."""
        return edge is None or self.edge is None or edge in self.edge

    def kmin_on(self, speed: int) -> int | None:
        """Return where marking begins on a port of this speed (bit/s), in bytes; ``None`` where that is not known."""
        return dict(self.kmin_by_speed).get(speed, self.kmin)

    def kmax_on(self, speed: int) -> int | None:
        """Return from where all is marked on a port of this speed (bit/s), in bytes; ``None`` where it is not known."""
        return dict(self.kmax_by_speed).get(speed, self.kmax)

    @property
    def speeds(self) -> tuple[int, ...]:
        """The speeds (bit/s, ascending) for which its thresholds are given; none where they suit all."""
        listed = [{speed for speed, _ in sizes} for sizes in (self.kmin_by_speed, self.kmax_by_speed) if sizes]
        return tuple(sorted(set.intersection(*listed))) if listed else ()


@dataclass(frozen=True, slots=True)
class Rail:
    """One way out of a host: a NIC port, or the ports of a NIC bonded into one.

    ``rail`` counts NICs and ``leg`` the ports of a NIC, both from 1. ``address`` and ``gateway`` are those of the first
    family (IPv4 where there is one), ``addresses`` (with length) and ``gateways`` those of all. ``leaf`` is where it
    lands, ``leaves`` all of them where it is a bond. ``role`` is the host role that describes the NIC.
    """

    node: str
    port: str
    rail: int
    address: str
    gateway: str
    leaf: str
    leg: int = 1
    addresses: tuple[str, ...] = ()
    gateways: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    role: str = ""


@dataclass(frozen=True, slots=True)
class Tenancy:
    """A tenant: VXLAN network identifier, its hosts in design order, the classes that it may use (``None``: all)."""

    name: str
    vni: int
    hosts: tuple[str, ...]
    classes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class External:
    """A neighbour of a switch that is no part of the design and is left alone: by address, by port, or both."""

    node: str
    neighbor: str | None = None
    port: str | None = None
    asn: int | None = None


@dataclass(frozen=True)
class Design:
    """Every node, port, link, address, AS number, class and buffer value of one fabric.

    ``origins`` are under ``<node>.<facet>.<key>`` (or ``<node>.<facet>.<key>.<field>``), and for classes under
    ``classes.<name>.<field>``. ``mtu`` is the IP MTU in bytes. ``scopes`` say per node what is ours. ``pods`` is their
    number, ``None`` where there are none. ``job_classes`` are under ``nccl`` and ``nccl.<communicator>``.
    ``management`` says where nodes are reached that ``access`` does not speak of, ``places`` which names roles give to
    nodes that are called otherwise, ``removed`` the places that are kept, ``interfaces`` the
    network devices of hosts, port by port, where they are known. ``idle_hook`` is a command of hosts.
    """

    fabric: str
    network: Network
    classes: tuple[TrafficClass, ...]
    mtu: int
    rails: tuple[Rail, ...]
    scopes: Mapping[str, Scope]
    origins: Mapping[str, Origin] = field(default_factory=dict)
    pods: int | None = None
    tenants: tuple[Tenancy, ...] = ()
    externals: tuple[External, ...] = ()
    job_classes: Mapping[str, str] = field(default_factory=dict)
    idle_hook: str | None = None
    management: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    interfaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
