"""DCQCN parameters are names and values that the NIC takes.

What it does
    Compares the parameters of NIC ports with those of their driver: whether there are parameters of these names
    (warning), and whether the values lie within their ranges (error).

Why
    A value beyond its range is refused by the driver, or cut to the width of its field without a word. A name that does
    not exist is a setting that nobody makes.

Fails
    ``mlx5: {dcqcn: {dce_tcp_g: 1024}}``: at most 1023. ``{rpg_tme_reset: 300}``: no such name.

Passes
    ``mlx5: {dcqcn: {dce_tcp_g: 1019, rpg_time_reset: 300}}``; anything under ``bnxt``, whose ranges are not published.

Options
    None.

Known limits
    Newer firmware may know further parameters; the warning about a name can be waived.

Source
    NVIDIA DOCA documentation, DCQCN CC Parameters, and the widths of fields in mstflint: see the hardware data.
    Catalogue code I04.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from fabric.analysis.nic_kinds import NicRow, nic_rows
from fabric.hardware.dcqcn import DriverParameters
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port and parameter that its driver does not take."""
    for each in nic_rows(network):
        if each.known is not None:
            for name, value in each.written.items():
                yield from _judged(each, each.known, name, value)


def _judged(each: NicRow, known: DriverParameters, name: str, value: int) -> Iterator[Violation]:
    found = known.named.get(name)
    if found is None:
        near = get_close_matches(name, known.named, n=1)
        yield Violation(
            path=each.path,
            message=f"NIC driver {each.driver} is not known to have a DCQCN parameter {name}, as at {each.end}",
            measured=name,
            bound=near[0] if near else f"a parameter of {each.driver}",
            fix=f"write {near[0]}" if near else f"write one of {', '.join(known.named)}",
            severity=Severity.WARNING,
            cause=each.cause(name),
        )
        return
    if not found.takes(value, each.speed):
        most, unit = found.largest(each.speed), f" {found.unit}" if found.unit else ""
        yield Violation(
            path=each.path,
            message=f"{name} of {each.end} is {value}{unit}, beyond what NICs of {each.driver} take",
            measured=f"{value}{unit}",
            bound=f"{found.least} to {most}{unit}",
            fix=f"write a value within the range; NICs come with {found.default}",
            cause=each.cause(name),
        )
