"""Write the topology of a two-tier fabric for netlab, whose command ``netlab create`` renders it.

usage: python renderer_netlab.py SPINES LEAVES HOSTS FILE

The same nodes, cables and eBGP as `fabrics.clos`, on FRR, with Linux hosts; netlab has no words for traffic classes.
"""

from __future__ import annotations

import sys
from pathlib import Path

_HEAD = """\
provider: clab
defaults.device: frr
defaults.bgp.warnings.missing_igp: false
module: [bgp]
addressing:
  loopback: {ipv4: 10.255.0.0/16}
  p2p: {ipv4: 10.64.0.0/12, prefix: 31}
nodes:
"""


def main(spines: int, leaves: int, hosts: int, file: Path) -> None:
    """Write the topology into a file."""
    per_group = -(-hosts // (leaves // 2))
    lines = [f"  spine{n:02}: {{bgp.as: 4200000000}}" for n in range(1, spines + 1)]
    lines += [f"  leaf{n:02}: {{bgp.as: {4200000100 + n}}}" for n in range(1, leaves + 1)]
    lines += [f"  gpu{n:02}: {{device: linux, role: host, module: []}}" for n in range(1, hosts + 1)]
    lines.append("links:")
    lines += [f"- leaf{m:02}-spine{n:02}" for m in range(1, leaves + 1) for n in range(1, spines + 1)]
    for host in range(hosts):
        first = 2 * (host // per_group) + 1
        lines += [f"- leaf{leaf:02}-gpu{host + 1:02}" for leaf in (first, first + 1)]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(_HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:4]), Path(sys.argv[4]))
