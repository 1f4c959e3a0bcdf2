"""The receive buffer of a lossless priority of a NIC holds its headroom and a frame.

What it does
    Compares the receive buffer that a NIC port has for its lossless priorities, where it was read, with what its driver
    needs: headroom for speed, cable and MTU, and one MTU below the threshold.

Why
    A NIC pauses the switch as switches pause each other. Its driver computes headroom for a cable length that it is
    told or assumes (7 m); with a longer cable, or a buffer that was made smaller by hand, the NIC drops what it asked
    not to be sent.

Fails
    130,000 bytes at 400G over 7 m with MTU 4200: 137,872 bytes of headroom and 4,200 of a frame are needed.

Passes
    142,072 bytes there; a NIC whose buffers are not read; drivers other than mlx5.

Options
    None.

Known limits
    The driver itself refuses a buffer without room for the largest MTU that the device could have, also if a smaller
    one is set. Formulas of other drivers are not published.

Source
    Linux, drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c (calculate_xoff). Catalogue code J02.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.limits import model_of
from fabric.design.headroom import mlx5
from fabric.hardware.models import NicModel
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.links import Links
from fabric.settings.network import Network
from fabric.settings.nic import Nic
from fabric.settings.pfc import Pfc
from fabric.units import format_speed

SEVERITY = Severity.WARNING
_DRIVER = "mlx5"


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port whose receive buffer is too small."""
    for link in network.links:
        own, node = link.a, network.nodes[link.a.node]
        row, pause = node.settings.rows(Nic).get(own.port), node.settings.rows(Pfc).get(own.port)
        port, model = node.settings.rows(Links).get(own.port), model_of(node)
        if row is None or isinstance(row.receive_buffer, Absent) or pause is None or not pause.priorities:
            continue
        if port is None or isinstance(port.mtu, Absent) or not link.length:
            continue
        if not isinstance(model, NicModel) or model.driver != _DRIVER:
            continue
        least = mlx5(link.speed, link.length, port.mtu) + port.mtu
        if row.receive_buffer < least:
            yield Violation(
                path=f"{own.node}.nic.{own.port}",
                message=f"the receive buffer of {own} for its lossless priorities is less than it needs at "
                f"{format_speed(link.speed)} over {link.length:g} m with MTU {port.mtu}",
                measured=f"{row.receive_buffer} bytes",
                bound=f"at least {least} bytes",
                fix=f"give {own} a receive buffer of {least} bytes, and tell its driver the length of the cable",
            )
