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
    computed: ``ecn_auto`` names those of the three that the intent wants computed.
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


@dataclass(frozen=True, slots=True)
class Rail:
    """One NIC port of a host: its index (from 1), its address, its gateway, and the leaf it lands on."""

    node: str
    port: str
    rail: int
    address: str
    gateway: str
    leaf: str


@dataclass(frozen=True)
class Design:
    """Every node, port, link, address, AS number, class and buffer value of one fabric.

    ``origins`` are under ``<node>.<facet>.<key>`` (or ``<node>.<facet>.<key>.<field>``), and for classes under
    ``classes.<name>.<field>``. ``mtu`` is the IP MTU in bytes. ``scopes`` say per node what is ours.
    """

    fabric: str
    network: Network
    classes: tuple[TrafficClass, ...]
    mtu: int
    rails: tuple[Rail, ...]
    scopes: Mapping[str, Scope]
    origins: Mapping[str, Origin] = field(default_factory=dict)
