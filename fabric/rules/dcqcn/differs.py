"""All NICs of a fabric control congestion alike.

What it does
    Compares the DCQCN parameters of NIC ports whose NICs have the same driver: what is written, or was read, over what
    NICs come with. Ports that differ from most others are reported. Where NICs of several drivers take part, that is
    noted once.

Why
    Flows that meet in one queue share it by how fast they rise and how deeply they cut. Where some rise faster, they
    take bandwidth from the others, and collectives wait for the slowest.

Fails
    One host on which ``rpg_ai_rate`` was set to 40 by hand, and all others have 5.

Passes
    All alike; NIC ports of which nothing was read.

Options
    None.

Known limits
    Firmware is not compared, though it changes what parameters do. Parameters of different drivers cannot be compared.

Source
    DCQCN (SIGCOMM 2015): fairness follows from equal parameters; Zhu et al. (CoNEXT 2016), convergence of rates.
    Catalogue code I03.

Since
    0.3
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fabric.analysis.nic_kinds import NicRow, nic_rows
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port that differs from most, and one where there are several drivers."""
    by_driver: dict[str, list[NicRow]] = {}
    for each in nic_rows(network):
        by_driver.setdefault(each.driver, []).append(each)
    for rows in by_driver.values():
        yield from _apart(rows)
    yield from _mixed(by_driver)


def _apart(rows: Sequence[NicRow]) -> Iterator[Violation]:
    kinds = [(each, tuple(sorted(each.values.items()))) for each in rows]
    (usual, many), *others = Counter(kind for _, kind in kinds).most_common()
    if not others:
        return
    for each, kind in kinds:
        if kind != usual:
            own, most = dict(kind), dict(usual)
            names = sorted(name for name in {*own, *most} if own.get(name) != most.get(name))
            yield Violation(
                path=each.path,
                message=f"{each.end} controls congestion differently from {many} other NIC ports: {', '.join(names)}",
                measured=_listed(names, own),
                bound=_listed(names, most),
                fix="give all NICs the same values",
            )


def _mixed(by_driver: dict[str, list[NicRow]]) -> Iterator[Violation]:
    most = max(by_driver, key=lambda driver: len(by_driver[driver]), default="")
    for driver, rows in by_driver.items():
        if driver != most:
            yield Violation(
                path=rows[0].path,
                message=f"NICs of {driver} and of {most} are in one fabric, and their parameters cannot be compared",
                measured=driver or "unknown driver",
                bound=most or "one driver",
                fix="measure how flows of both share a port, or give each its own class",
                severity=Severity.NOTE,
            )


def _listed(names: Sequence[str], values: dict[str, int]) -> str:
    return ", ".join(f"{name} {values.get(name, 'not set')}" for name in names)
