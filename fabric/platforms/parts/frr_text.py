"""The grammar of FRR's configuration texts: top-level blocks, and the sections of the BGP router.

Every line that is not the BGP router of the default VRF is kept as it stands, comments included, so that a text
can be taken apart, changed in one place, and put together again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fabric.errors import PlatformError

BASE = ""
IPV4 = "ipv4 unicast"
IPV6 = "ipv6 unicast"
_SHORT = {"ipv4": IPV4, "ipv6": IPV6}
COMPILED_PROFILE = "traditional"
FORWARDING_OFF = {"net.ipv4.ip_forward": "no ip forwarding", "net.ipv6.conf.all.forwarding": "no ipv6 forwarding"}
"""The statements by which FRR switches off what the kernel parameters switch on; it saves and loads them by itself."""

_ROUTER = re.compile(r"router bgp (\d+)")
_NOISE = frozenset({"Building configuration...", "Current configuration:", "end"})
_ENDS = frozenset({"exit", "exit-address-family", "!"})
_WITHIN_ROUTER = re.compile(
    r"(?:no )?(?:neighbor|network|maximum-paths|redistribute|timers bgp|address-family|exit-address-family)\b"
    r"|(?:no )?bgp (?!as-path |community-list |large-community-list |extcommunity-list |community |route-map )"
)


@dataclass(frozen=True, slots=True)
class BgpBlock:
    """The block ``router bgp <asn>`` of the default VRF: statements by section, without indentation.

    Sections are `BASE` and address families such as `IPV4`, in the order in which they stood.
    """

    asn: int
    sections: Mapping[str, tuple[str, ...]]

    def lines(self, section: str) -> tuple[str, ...]:
        """Return the statements of a section; none when there is no such section."""
        return self.sections.get(section, ())

    def text(self) -> str:
        """Write the block as FRR itself writes it."""
        parts = [f"router bgp {self.asn}", *(f" {line}" for line in self.lines(BASE))]
        for name, lines in self.sections.items():
            if name != BASE:
                parts += [" !", f" address-family {name}", *(f"  {line}" for line in lines), " exit-address-family"]
        return "\n".join([*parts, "exit"])


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration text in three parts: what stands before the BGP router, the router, and what follows."""

    before: tuple[str, ...] = ()
    router: BgpBlock | None = None
    after: tuple[str, ...] = ()
    profile: str = field(default=COMPILED_PROFILE)

    @property
    def blank(self) -> bool:
        """Tell whether the text says nothing at all."""
        return self.router is None and not any(line.strip(" !") for line in (*self.before, *self.after))

    def text(self) -> str:
        """Put the parts together again."""
        lines = [*self.before]
        if self.router is not None:
            if lines and lines[-1].strip() != "!":
                lines.append("!")
            lines += [*self.router.text().split("\n")]
        lines += self.after
        return "\n".join(lines).rstrip("\n") + "\n"


def parse_config(text: str, where: str = "") -> Config:
    """Take a configuration apart; PlatformError when it has two BGP routers of the default VRF."""
    before: list[str] = []
    inside: list[str] = []
    after: list[str] = []
    asn: int | None = None
    current = before
    for line in _statements(text):
        found = _ROUTER.fullmatch(line)
        if found:
            if asn is not None:
                raise PlatformError("two blocks 'router bgp' of the default VRF in one configuration", where=where)
            asn, current = int(found[1]), inside
        elif current is inside and not _inside(line):
            current = after
            after += [*_trailing_comments(inside), *([] if line == "exit" else [line])]
        else:
            current.append(line)
    router = None if asn is None else BgpBlock(asn, _sections(inside))
    return Config(tuple(before), router, tuple(after), _profile(text))


def parse_running(text: str, where: str = "") -> Config:
    """Take apart what ``show running-config`` printed; PlatformError when it is not such an output."""
    if "Current configuration:" not in text or not re.search(r"^frr defaults \S+$", text, re.MULTILINE):
        first = next((line.strip() for line in text.splitlines() if line.strip()), "nothing")
        raise PlatformError(
            f"'show running-config' answered {first[:80]!r}",
            where=where,
            hint="expected 'Current configuration:' and a line 'frr defaults'; is FRR running, and may we use vtysh?",
        )
    return parse_config(text, where)


def _statements(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.splitlines()]
    kept = [line for line in lines if line and line not in _NOISE]
    while kept and kept[0] == "!":
        del kept[0]
    return kept


def _inside(line: str) -> bool:
    """Tell whether a line belongs to the router that was opened before: indented, or by its words."""
    return line.startswith((" ", "!", "#")) or _WITHIN_ROUTER.match(line) is not None


def _trailing_comments(inside: list[str]) -> list[str]:
    """Take comments at the end of a router away from it: they belong to what follows."""
    cut = len(inside)
    while cut and inside[cut - 1].startswith(("!", "#")):
        cut -= 1
    taken = inside[cut:]
    del inside[cut:]
    return taken


def _sections(lines: list[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {BASE: []}
    current = BASE
    for raw in lines:
        line = " ".join(raw.split())
        if line.startswith("address-family "):
            name = line.removeprefix("address-family ")
            current = _SHORT.get(name, name)
            found.setdefault(current, [])
        elif line == "exit-address-family":
            current = BASE
        elif line not in _ENDS:
            found[current].append(line)
    return {name: tuple(statements) for name, statements in found.items()}


def _profile(text: str) -> str:
    found = re.search(r"^frr defaults (\S+)\s*$", text, re.MULTILINE)
    return found[1] if found else COMPILED_PROFILE
