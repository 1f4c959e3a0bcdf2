"""Render the switches of a two-tier fabric with pyavd, as its users do: inputs, facts, structured configuration, text.

usage: python renderer_pyavd.py SPINES LEAVES HOSTS OUT     (with the Python of an environment that has pyavd)

The same cables, eBGP and traffic classes as `fabrics.clos`: host ports are routed, for there is no overlay; DSCP maps,
queue shares, ECN and PFC are given in terms of EOS, for pyavd has no words of its own for them. Hosts have no text.
"""

from __future__ import annotations

import sys
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any

import pyavd

_HOSTS = IPv4Network("10.64.0.0/12")
_QOS_MAP = {"dscp": ["26 to traffic-class 3", "10 to traffic-class 1", "48 to traffic-class 6"]}
_PROFILE = {
    "name": "FABRIC",
    "uc_tx_queues": [
        {"id": 6, "priority": "priority strict"},
        {
            "id": 3,
            "priority": "no priority",
            "bandwidth_percent": 60,
            "random_detect": {
                "ecn": {
                    "count": True,
                    "threshold": {"units": "kbytes", "min": 100, "max": 400, "max_probability": 20},
                }
            },
        },
        {"id": 1, "priority": "no priority", "bandwidth_percent": 20},
        {"id": 0, "priority": "no priority", "bandwidth_percent": 20},
    ],
}
_ON_PORTS = {
    "service_profile": "FABRIC",
    "qos": {"trust": "dscp"},
    "priority_flow_control": {"enabled": True, "priorities": [{"priority": 3, "no_drop": True}]},
}


def main(spines: int, leaves: int, hosts: int, out: Path) -> None:
    """Render all switches into a new folder."""
    inputs = {}
    names = [f"spine{n:02}" for n in range(1, spines + 1)] + [f"leaf{n:02}" for n in range(1, leaves + 1)]
    for name in names:
        checked = pyavd.validate_inputs(_inputs(name, spines, leaves, hosts))
        if checked.validated_data is None:
            raise SystemExit(f"{name}: {checked.validation_result.validation_errors}")
        inputs[name] = checked.validated_data
    facts = pyavd.get_avd_facts(inputs)
    out.mkdir(parents=True)
    for name in names:
        structured = pyavd.get_device_structured_config(name, inputs[name], facts)
        (out / f"{name}.cfg").write_text(pyavd.get_device_config(structured), encoding="utf-8")


def _inputs(name: str, spines: int, leaves: int, hosts: int) -> dict[str, Any]:
    uplinks = [f"Ethernet{n}" for n in range(1, spines + 1)]
    leaf_nodes = [
        {
            "name": f"leaf{n:02}",
            "id": n,
            "bgp_as": str(4200000100 + n),
            "uplink_switch_interfaces": [f"Ethernet{n}"] * spines,
        }
        for n in range(1, leaves + 1)
    ]
    return {
        "fabric_name": "CLOS",
        "type": "spine" if name.startswith("spine") else "l3leaf",
        "underlay_routing_protocol": "ebgp",
        "overlay_routing_protocol": "none",
        "p2p_uplinks_mtu": 9000,
        "spine": {
            "defaults": {"platform": "7060X6", "bgp_as": "4200000000", "loopback_ipv4_pool": "10.255.0.0/24"},
            "nodes": [{"name": f"spine{n:02}", "id": n} for n in range(1, spines + 1)],
        },
        "l3leaf": {
            "defaults": {
                "platform": "7060X6",
                "loopback_ipv4_pool": "10.255.1.0/24",
                "uplink_ipv4_pool": "10.128.0.0/16",
                "uplink_switches": [f"spine{n:02}" for n in range(1, spines + 1)],
                "uplink_interfaces": uplinks,
                "mlag": False,
                "vtep": False,
            },
            "node_groups": [{"group": node["name"], "nodes": [node]} for node in leaf_nodes],
        },
        "custom_structured_configuration_qos": {"map": _QOS_MAP},
        "custom_structured_configuration_qos_profiles": [_PROFILE],
        "custom_structured_configuration_ethernet_interfaces": _ports(name, spines, leaves, hosts),
    }


def _ports(name: str, spines: int, leaves: int, hosts: int) -> list[dict[str, Any]]:
    """Return what ports are given in terms of EOS: quality on all of them, and the routed ports of hosts."""
    if name.startswith("spine"):
        return [{"name": f"Ethernet{n}", **_ON_PORTS} for n in range(1, leaves + 1)]
    number = int(name.removeprefix("leaf"))
    group, rail = divmod(number - 1, 2)
    per_group = -(-hosts // (leaves // 2))
    ports = [{"name": f"Ethernet{n}", **_ON_PORTS} for n in range(1, spines + 1)]
    for place in range(min(per_group, hosts - group * per_group)):
        address = _HOSTS[2 * (2 * (group * per_group + place) + rail)]
        ports.append(
            {
                "name": f"Ethernet{spines + 1 + place}",
                "description": f"gpu{group * per_group + place + 1:02}",
                "mtu": 9000,
                "switchport": {"enabled": False},
                "ip_address": f"{address}/31",
                **_ON_PORTS,
            }
        )
    return ports


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:4]), Path(sys.argv[4]))
