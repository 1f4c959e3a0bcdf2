"""Sizes of buffers are whole cells.

What it does
    Notes headroom and pools that are not a whole number of the chip's buffer cells (on NVIDIA chips: of KiB, in which
    SONiC sets their headroom).

Why
    A chip gives out whole cells. A size between them is rounded by the device, and what is read back then differs from
    what was written.

Fails
    ``headroom: 380KB`` on Tomahawk 4, whose cells have 254 bytes.

Passes
    ``headroom: auto``; ``headroom: 381000B`` there, which is 1500 cells; any size on a chip that is not known.

Options
    None.

Known limits
    Thresholds of ECN are judged by ecn.rounded.

Source
    The cell of each chip stands, with its source, in the hardware data. Catalogue code G15.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.chips import chip_at
from fabric.hardware.asics import NvidiaPause
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.buffers import Buffers
from fabric.settings.network import Network, Node
from fabric.settings.pools import Pools

SEVERITY = Severity.NOTE
_KIB = 1024


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port or pool with a size between two cells."""
    for node in network.nodes.values():
        chip = chip_at(network, node)
        if chip is None:
            continue
        step = _KIB if isinstance(chip.pause, NvidiaPause) else chip.cell
        for facet, key, field, size in _sizes(node):
            if isinstance(size, int) and size % step:
                yield Violation(
                    path=f"{node.name}.{facet}.{key}",
                    message=f"the {field} of {key} on {node.name} lies between two sizes that {chip.name} can set",
                    measured=f"{size} bytes",
                    bound=f"a multiple of {step} bytes",
                    fix=f"write {-(-size // step) * step}B",
                    cause=f"{node.name}.{facet}.{key}.{field}",
                )


def _sizes(node: Node) -> Iterator[tuple[str, str, str, object]]:
    """Yield facet, key and field of each size of a switch, and the size."""
    for port, row in node.settings.rows(Buffers).items():
        yield "buffers", port, "headroom", row.headroom
    for name, pool in node.settings.rows(Pools).items():
        yield "pools", name, "size", pool.size
        yield "pools", name, "xoff", pool.xoff
