"""Where the addresses of a cabled port stand: on the port, on its bond, or on the port of its VLAN."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.analysis.joined import joined
from fabric.settings.bonds import Bonds
from fabric.settings.network import End, Network, Node
from fabric.settings.vlans import Vlans


def bond_of(node: Node) -> Mapping[str, str]:
    """Return the bond of each port of a node that is a member of one."""
    return {port: name for name, bond in node.settings.rows(Bonds).items() for port in bond.members}


def holder(node: Node, port: str) -> str:
    """Return the port that holds the addresses of a cabled port."""
    vlans = node.settings.rows(Vlans)
    bond = bond_of(node).get(port, port)
    vlan = vlans.get(bond) or vlans.get(port)
    return f"vlan{vlan.id}" if vlan else bond


def far_bonds(network: Network, name: str) -> Mapping[str, frozenset[End]]:
    """Return for each bond of a node the bonds (or ports) that its members lead to."""
    found: dict[str, set[End]] = {}
    for port, bond in bond_of(network.nodes[name]).items():
        link = network.ends.get(End(name, port))
        if link is not None:
            far = link[1]
            found.setdefault(bond, set()).add(End(far.node, bond_of(network.nodes[far.node]).get(far.port, far.port)))
    return {bond: frozenset(ends) for bond, ends in found.items()}


def joined_by_bonds(network: Network) -> Mapping[str, str]:
    """Return each switch that bonds of hosts join with others, with the one that stands for all of them."""
    hosts = (name for name, node in network.nodes.items() if node.kind == "host" and node.settings.rows(Bonds))
    bonds = (sorted({end.node for end in ends}) for name in hosts for ends in far_bonds(network, name).values())
    return joined((leaves[0], leaf) for leaves in bonds for leaf in leaves)
