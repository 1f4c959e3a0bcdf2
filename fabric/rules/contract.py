"""What a rule is, what it judges, and what it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Finding, Severity
from fabric.settings.network import Network

Subject: TypeAlias = "Document | Design | Network | date | Judged"

SECTIONS = ("What it does", "Why", "Fails", "Passes", "Options", "Known limits", "Source", "Since")
_CODES = re.compile(r"Catalogue\s+codes?\s+([A-Z]\d\d(?:(?:,\s*|\s+and\s+)[A-Z]\d\d)*)")


@dataclass(frozen=True, slots=True)
class Subjects:
    """What there is to judge. A rule runs only when all subjects that its parameters name are there.

    ``network`` is the design's own unless another one is given, such as one that was read. ``today`` is the day on
    which is judged, and ``judged``, for the rules about waivers, what all others said.
    """

    document: Document | None = None
    design: Design | None = None
    network: Network | None = None
    today: date | None = None
    judged: Judged | None = None

    def named(self) -> dict[str, Subject]:
        """Return the subjects that are there, under the names that rules call them by."""
        network = self.network or (self.design.network if self.design else None)
        found = {
            "document": self.document,
            "design": self.design,
            "network": network,
            "today": self.today,
            "judged": self.judged,
        }
        return {name: subject for name, subject in found.items() if subject is not None}


@dataclass(frozen=True, slots=True)
class Violation:
    """What a rule says about one object, before the runner adds rule id, severity and place.

    ``path`` is a path of the intent (``classes.rdma.dscp``) or of a network (``leaf01.links.swp1``);
    ``measured`` and ``bound`` carry their units; ``severity`` replaces that of the rule. ``cause`` is the path of what
    is to be changed in the file, where that is not ``path``: a key of the intent (``classes.rdma.ecn.min``) or a field
    of a row (``leaf01.links.swp1.mtu``).
    """

    path: str
    message: str
    measured: str = ""
    bound: str = ""
    fix: str = ""
    severity: Severity | None = None
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, made from its module ``rules/<group>/<rule>.py``; ``subjects`` are the names of its parameters.

    ``certain_loss`` (the module's ``CERTAIN_LOSS``) says that its errors mean lost packets, or what cannot be built:
    no waiver covers them. ``on_request`` (the module's ``ON_REQUEST``) says that it only runs where it is asked for by
    name or pattern, such as one that prints figures and finds nothing wrong. ``file`` is where a rule of the user's own
    lies; empty for ours.
    """

    id: str
    page: str
    severity: Severity
    subjects: tuple[str, ...]
    check: Callable[..., Iterable[Violation]]
    certain_loss: bool = False
    on_request: bool = False
    file: str = ""

    @property
    def summary(self) -> str:
        """The first line of its page."""
        return self.page.partition("\n")[0]

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the catalogue that its page names."""
        return tuple(code for listed in _CODES.findall(self.page) for code in re.findall(r"[A-Z]\d\d", listed))


@dataclass(frozen=True, slots=True)
class Judged:
    """What rules said, one finding per violation: what rules about waivers look at.

    ``rules`` are all that there are; ``ran`` the ids of those that were asked.
    """

    findings: tuple[Finding, ...]
    rules: tuple[Rule, ...]
    ran: frozenset[str]
