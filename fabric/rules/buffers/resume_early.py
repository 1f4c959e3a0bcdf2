"""A paused sender is asked to go on before the port runs dry.

What it does
    Compares the bytes at which a priority group of an NVIDIA chip asks the sender to go on (``xon``) with the latency
    of the chip's pipeline: 19 KiB on Spectrum-1 to -5, 42 KiB on Spectrum-6, twice that on ports of eight lanes.

Why
    What is below that is sent before the first packet after the resume can arrive: the link idles at the end of each
    pause, and throughput is lost whenever PFC acts.

Fails
    ``xon`` 18432 on a Spectrum-4 port: 19456 bytes are needed, 38912 on eight lanes.

Passes
    19456 bytes on a port of four lanes. Chips of other vendors, and ports of which it is not read.

Options
    ``buffers.chips`` can give another ``pipeline``.

Known limits
    Lanes are known where port names count them (SONiC); elsewhere four are taken.

Source
    sonic-net/sonic-swss e6b0c5b5 cfgmgr/buffer_headroom_mellanox.lua: xon is the pipeline latency, doubled on eight
    lanes; latencies of sonic-net/sonic-buildimage 086b03bd platform/mellanox/asic_table.j2. Catalogue code G08.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.headrooms import headrooms
from fabric.analysis.limits import model_of
from fabric.analysis.spots import spots
from fabric.design.headroom import xon
from fabric.hardware import lookup
from fabric.hardware.asics import NvidiaPause
from fabric.hardware.models import SwitchModel
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network

SEVERITY = Severity.ERROR
_USUAL = 4


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port that resumes below the latency of its pipeline."""
    for each in headrooms(network):
        found, pause = each.row.xon, each.chip.pause if each.chip else None
        if isinstance(found, Absent) or not isinstance(pause, NvidiaPause):
            continue
        lanes = _lanes(network, each.own)
        least = xon(pause, lanes)
        if found < least:
            yield Violation(
                path=each.path,
                message=f"{each.own} asks a paused sender to go on when less is left than its pipeline sends "
                "meanwhile: the link idles after each pause",
                measured=f"{found} bytes",
                bound=f"at least {least} bytes",
                fix=f"set xon of {each.own} to {least} bytes",
            )


def _lanes(network: Network, own: End) -> int:
    """Return the lanes of a port, or of the part of a port that it is."""
    node = network.nodes[own.node]
    spot, model = spots(network, node).get(own.port), model_of(node)
    if spot is None or not isinstance(model, SwitchModel):
        return _USUAL
    children = lookup.naming(node.model, node.system).children
    return children.lanes // spot.ways if children and children.lanes else _USUAL
