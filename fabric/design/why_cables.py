"""Why cables and their addresses are what they are, seen from either end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.layout import Attachment, Host, Switch, Wire
from fabric.design.model import Origin
from fabric.design.overrides import Overrides

if TYPE_CHECKING:
    from fabric.design.blueprint import Blueprint
    from fabric.places import Place


def laid(blueprint: Blueprint, row: Wire | Attachment) -> Place | None:
    """Return the line of the list, or the entry of ``topology.cables``, that a cable comes from."""
    return row.laid.line or blueprint.document.place(f"topology.cables.{row.laid.entry}")


def addressed(blueprint: Blueprint, row: Wire | Attachment, address: str, *, lower: bool) -> Origin:
    """Return why an end of a cable has an address (with length); ``lower`` says which end."""
    if isinstance(row, Attachment):
        row = blueprint.ways[row][0]
    if any(address.partition("/")[0] in map(str, pair) for pair in row.given):
        return Origin("given in the list of cables", laid(blueprint, row))
    version = 6 if ":" in address else 4
    pools = blueprint.pools
    if isinstance(row, Wire):
        pool = next(pool for pool in pools.links if pool.network.version == version)
        formula = pool.formula(row.lower, row.lower_spot, f"/{pool.length}")
        return Origin(f"{formula}; the upper end has the even address", blueprint.document.place("addressing.links"))
    pool = next(pool for pool in pools.hosts if pool.network.version == version)
    place = blueprint.document.place("addressing.hosts")
    if pools.vlan is not None:
        home, before = pools.homes[row.leaf.name]
        subnet = f"subnet {pool.starts[home.role]} + {home.index} of {pool.network} ({home.name})"
        moved = f", {before} leaves before it" if before else ""
        which = f"address 1 + port {row.spot.number} of it{moved}" if lower else "the gateway has its first address"
        return Origin(f"{subnet}; {which}", place)
    which = "the host has the odd address" if lower else "the leaf has the even address"
    return Origin(f"{pool.formula(row.leaf, row.spot, f'/{pool.length}')}; {which}", place)


def port_origin(blueprint: Blueprint, node: Switch | Host, port: str) -> Origin | None:
    """Return the origin of what ``nodes`` says of a port; ``None`` where it says nothing."""
    given = node.given.ports.get(port)
    if given is None:
        return None
    overrides = Overrides(blueprint.document)
    fields = sorted(field for field in given.model_fields_set if getattr(given, field) is not None)
    paths = [overrides.origin(node.place, f"ports.{port}.{field}") for field in fields]
    said = ", ".join(f"{field} of {path}" for field, path in zip(fields, paths, strict=True))
    return Origin(f"{said}; the rest as on other ports", blueprint.document.place(paths[0]) if paths else None)
