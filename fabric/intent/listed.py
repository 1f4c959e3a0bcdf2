"""Cables that are listed one by one in a CSV file."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.intent.prefixes import IpAddress
from fabric.places import Place


@dataclass(frozen=True, slots=True)
class ListedCable:
    """One line of a cable list; either end may be the upper one. Nodes and ports are checked by the design.

    Speed in bit/s, length in metres; addresses are those of the two ports, IPv4 first,
    where they are given and not computed.
    ``entry`` is the index of its entry of ``topology.cables``; ``place`` is the line in the CSV file.
    """

    from_node: str
    from_port: str
    to_node: str
    to_port: str
    speed: int
    entry: int
    place: Place
    length_m: float | None = None
    media: str | None = None
    fec: str | None = None
    from_address: tuple[IpAddress, ...] = ()
    to_address: tuple[IpAddress, ...] = ()
