"""NICs of all makers send congestion notifications in one class.

What it does
    Follows the DSCP of CNPs that each driver sends (``nic_settings.<driver>.cnp_dscp``, else the mark of class ``cnp``)
    to the class that has it, and asks that this is ``cnp``; where there is no such class, that it is one for all.

Why
    A NIC puts its own DSCP on the notifications that it sends, and makers choose different ones. One whose DSCP is not
    of class ``cnp`` sends them as ordinary packets: in a full queue they come late or never, and its peers go on at
    full speed. Between makers nobody notices, as each is right among its own.

Fails
    ``cnp: {dscp: 48}`` with ``nic_settings: {bnxt: {cnp_dscp: 46}}``.

Passes
    ``cnp: {dscp: [46, 48], mark: 48}`` with ``bnxt: {cnp_dscp: 46}``: both makers are in class ``cnp``.

Options
    None.

Known limits
    A NIC is believed to send what is written here. Drivers that have no ``cnp_dscp`` key send what their firmware says.

Source
    RoCE presets of NVIDIA (CNP with DSCP 48) and defaults of other makers (AMD: ``--cnp-dscp 46``). Catalogue codes D04
    and D05.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.classes import CNP, cnp_dscp, driver_settings, owners
from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.ERROR


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per driver whose notifications are in another class than they should be."""
    owner = owners(design.classes)
    reserved = any(found.name == CNP for found in design.classes)
    first: tuple[str, str] | None = None
    for driver, settings in driver_settings(document.intent).items():
        dscp = cnp_dscp(document.intent, design.classes, driver)
        if dscp is None or settings.cnp_dscp is None:
            continue
        lands = owner[dscp].name
        if reserved and lands != CNP:
            yield _violation(driver, dscp, lands, f"class {CNP}", f"add {dscp} to the DSCPs of class {CNP}")
        elif first is not None and lands != first[1]:
            yield _violation(driver, dscp, lands, f"class {first[1]}, as {first[0]}", f"add a class {CNP} for both")
        first = first or (driver, lands)


def _violation(driver: str, dscp: int, lands: str, bound: str, fix: str) -> Violation:
    path = f"nic_settings.{driver}.cnp_dscp"
    return Violation(
        path=path,
        message=f"NICs of {driver} send CNPs with DSCP {dscp}, which is of class {lands}",
        measured=f"class {lands}",
        bound=bound,
        fix=f"{fix}, or take {path} away",
    )
