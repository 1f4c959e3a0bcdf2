"""The lab as a fabric: BGP without addresses on links, equal-cost paths, large packets from host to host."""

import json
import time

import pytest

pytestmark = pytest.mark.lab

ROUTER = """
ip forwarding
ipv6 forwarding
router bgp {asn}
no bgp ebgp-requires-policy
bgp bestpath as-path multipath-relax
{neighbors}
address-family ipv4 unicast
redistribute connected route-map HOSTS
exit-address-family
exit
ip prefix-list HOSTS permit 10.64.0.0/12 le 32
route-map HOSTS permit 10
match ip address prefix-list HOSTS
exit
"""


def eventually(look, seconds=30.0):
    end = time.monotonic() + seconds
    while not (seen := look()) and time.monotonic() < end:
        time.sleep(0.2)
    return seen


def configure(bench, node, asn, ports):
    neighbors = "\n".join(f"neighbor {port} interface remote-as external" for port in ports)
    bench.ssh(node, "for port in /sys/class/net/swp*; do ip link set dev ${port##*/} mtu 9000; done")
    bench.ssh(node, "cat > /tmp/bgp; vtysh -f /tmp/bgp", text=ROUTER.format(asn=asn, neighbors=neighbors))


def test_packets_of_the_fabric_mtu_pass_from_host_to_host_over_equal_paths(bench):
    for number in (1, 2):
        configure(bench, f"spine0{number}", 65000, ("swp1", "swp2"))
        configure(bench, f"leaf0{number}", 65100 + number, ("swp1", "swp2"))
        bench.ssh(f"leaf0{number}", f"ip address add 10.64.0.{4 * number}/31 dev swp3")
        host = f"ip link set dev eth1 mtu 9000; ip address add 10.64.0.{4 * number + 1}/31 dev eth1"
        bench.ssh(f"gpu0{number}", f"{host}; ip route add 10.64.0.0/12 via 10.64.0.{4 * number}")

    def hops():
        routes = json.loads(bench.ssh("leaf01", "ip -j route show 10.64.0.8/31"))
        return sorted(hop["dev"] for route in routes for hop in route.get("nexthops", []))

    assert eventually(lambda: hops() == ["swp1", "swp2"]), bench.ssh("leaf01", "vtysh -c 'show bgp summary'")
    assert "3 received" in bench.ssh("gpu01", "ping -c 3 -i 0.1 -W 3 -M do -s 8972 10.64.0.9")

    bench.fault("cut", "leaf01:swp1")
    try:
        assert eventually(lambda: hops() == [] and "swp2" in bench.ssh("leaf01", "ip route show 10.64.0.8/31"))
        assert "3 received" in bench.ssh("gpu01", "ping -c 3 -i 0.1 -W 3 -M do -s 8972 10.64.0.9")
    finally:
        bench.fault("heal")
    assert eventually(lambda: hops() == ["swp1", "swp2"]), bench.ssh(
        "leaf01", "vtysh -c 'show bgp summary' -c 'show bgp ipv4 unicast' -c 'show ip route'; ip route; ip -6 neigh"
    )
