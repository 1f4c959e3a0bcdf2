"""Alpha does not decay while CNPs still arrive.

What it does
    Compares the interval of CNPs (``min_time_between_cnps``) with the interval in which alpha is updated
    (``dce_tcp_rtt``), where one of them is written. Where alpha's interval is the vendor's (1 us), CNPs may come no
    rarer than with the vendor's own interval (4 us). Where it is not, it must be longer than that of CNPs, as in the
    DCQCN paper (50 us and 55 us).

Why
    Every interval without a CNP lowers alpha. If CNPs are held back for longer than that, alpha falls although the path
    is as congested as it was: cuts become small, and the queue grows. NVIDIA's own values accept that within narrow
    bounds (alpha is at most about a quarter); values of the paper beside values of the vendor do not.

Fails
    ``mlx5: {dcqcn: {min_time_between_cnps: 50}}``: alpha decays 50 times between two CNPs, and cuts are never larger
    than 1 %. ``{min_time_between_cnps: 55, dce_tcp_rtt: 50}``.

Passes
    ``{min_time_between_cnps: 50, dce_tcp_rtt: 55}``; ``{min_time_between_cnps: 2}``; nothing written.

Options
    None.

Known limits
    Only mlx5: what other drivers' parameters mean is not published.

Source
    DCQCN (SIGCOMM 2015), section 5: the interval of alpha must be longer than that of CNPs. NVIDIA DOCA documentation,
    DCQCN CC Parameters, for what is updated when. Catalogue code I02.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.nic_kinds import nic_rows
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.WARNING

_CNPS, _ALPHA = "min_time_between_cnps", "dce_tcp_rtt"


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port whose alpha decays between CNPs."""
    for each in nic_rows(network):
        if each.known is None or not {_CNPS, _ALPHA} & each.written.keys():
            continue
        cnps, alpha, usual = each.values[_CNPS], each.values[_ALPHA], each.known.defaults
        most = usual[_CNPS] if alpha == usual[_ALPHA] else alpha - 1
        if cnps > most:
            yield Violation(
                path=each.path,
                message=f"CNPs for {each.end} come every {cnps} us at most, and alpha is updated every {alpha} us: it "
                "decays while the path is congested",
                measured=f"{cnps} us",
                bound=f"at most {most} us",
                fix=f"write {_CNPS}: {most} or less, or {_ALPHA}: {cnps + max(cnps // 10, 1)}",
                cause=each.cause(_CNPS),
            )
