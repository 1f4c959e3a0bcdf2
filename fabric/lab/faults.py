"""Faults that are put into a running lab by hand, and their way back."""

from __future__ import annotations

import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import reduce
from typing import TypeAlias

from fabric.errors import UsageError
from fabric.lab import cabling, image
from fabric.lab.cabling import Wiring
from fabric.lab.machine import SEARCH_PATH
from fabric.lab.node import ENVIRONMENT
from fabric.lab.plan import LabPlan, NodePlan
from fabric.lab.record import Built, Fault
from fabric.settings.network import End

STOPPABLE = ("bgpd", "zebra", "lldpd", "sshd")
_CABLE_KINDS = ("cut", "swap-cables")
_PATIENCE = 60
# Times 0.2 s: a daemon that is stopped, or an end beside one, is never heard.
_HEARING = 25
_PLUGGING = 1.5
_SECTION = re.MULTILINE | re.DOTALL


Keep: TypeAlias = Callable[[tuple[Fault, ...]], None]


@dataclass(frozen=True, slots=True)
class Injector:
    """A kind of fault: what must be given with it, and what does it in a node (or checks it, for cables)."""

    wants: str
    count: int
    inject: Callable[[Built, tuple[str, ...]], Fault]


def enter(pid: int, *argv: str) -> tuple[str, ...]:
    """Return the command line that runs ``argv`` in the node whose first process is ``pid``."""
    variables = (f"{name}={value}" for name, value in ENVIRONMENT.items())
    return ("nsenter", "-t", str(pid), "-n", "-m", "-u", "-p", "--", "env", "-i", *variables, *argv)


def inject(lab: Built, kind: str, at: tuple[str, ...], keep: Keep) -> str:
    """Do what ``kind`` says, record with ``keep`` the faults that are then active, and describe it; or UsageError.

    Whenever it is interrupted, the record holds all that may have been done: ``heal`` brings it back.
    """
    if kind in _HEALERS:
        left, text = _HEALERS[kind](lab, at)
        keep(left)
        return text
    if kind not in _KINDS:
        known = (*_KINDS, *_HEALERS)
        raise UsageError(f"unknown fault {kind!r}", hint=_nearest(kind, known))
    form = _KINDS[kind]
    if len(at) != form.count:
        raise UsageError(f"{kind} wants {form.wants}, not {' '.join(at) or 'nothing'}", hint=f"{kind} {form.wants}")
    fault = form.inject(lab, at)
    faults = (*lab.faults, fault)
    keep(faults)
    if kind in _CABLE_KINDS:
        _rewire(lab, faults)
    return fault.text


def _nearest(word: str, known: Iterable[str]) -> str:
    names = tuple(known)
    close = get_close_matches(word, names, n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else f"there are: {', '.join(names)}"


def known_node(lab: Built, name: str) -> NodePlan:
    """Return the plan of a node that runs; UsageError with the nearest spelling, or when it has ended."""
    if name not in lab.plan.node:
        raise UsageError(f"unknown node {name!r}", where=lab.plan.fabric, hint=_nearest(name, lab.plan.node))
    if name not in lab.pids:
        raise UsageError(f"node {name} has ended", where=lab.plan.fabric, hint="take the lab down and up again")
    return lab.plan.node[name]


def _end(lab: Built, text: str) -> End:
    name, colon, port = text.partition(":")
    node = known_node(lab, name)
    if not colon or port not in node.ports:
        what = f"{name} has no port {port!r}" if colon else f"{text!r} names no port"
        raise UsageError(what, where=lab.plan.fabric, hint=f"write NODE:PORT; {_nearest(port, node.ports)}")
    return End(name, port)


def _inside(lab: Built, node: str, script: str) -> str:
    """Run a shell script in a node and return its stdout; UsageError with its words when it fails."""
    return _run(enter(lab.pids[node], "sh", "-ec", script), "", node)


def _run(argv: tuple[str, ...], words: str, where: str) -> str:
    """Run a command to its end, which a Ctrl-C at our terminal does not cut short; UsageError when it fails."""
    try:
        done = subprocess.run(
            argv,
            input=words,
            env={"PATH": SEARCH_PATH},
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            start_new_session=True,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise UsageError(f"{where} did not answer within {_PATIENCE} s", where=where, hint=shlex.join(argv)) from late
    if done.returncode:
        raise UsageError(f"{where} refused: {(done.stderr or done.stdout).strip()}", where=where, hint=argv[-1])
    return done.stdout


def wiring(plan: LabPlan, faults: Iterable[Fault]) -> Wiring:
    """Return how the patch panel is wired once these faults, in this order, have been put in."""
    return reduce(_apply, faults, cabling.designed(plan))


def _apply(now: Wiring, fault: Fault) -> Wiring:
    if fault.kind not in _CABLE_KINDS:
        return now
    ends = [End(*text.split(":", 1)) for text in fault.at]
    return cabling.cut(now, ends[0]) if fault.kind == "cut" else cabling.swap(now, ends[0], ends[1])


def _rewire(lab: Built, faults: tuple[Fault, ...]) -> None:
    now, wanted = wiring(lab.plan, lab.faults), wiring(lab.plan, faults)
    filters, (down, up) = cabling.change(lab.plan, now, wanted)
    _in_panel(lab, "ip", down)
    if filters:
        # A plug is out for a while: daemons that learn of lost carrier and return at once would see no loss at all.
        time.sleep(_PLUGGING)
    _in_panel(lab, "tc", filters)
    _in_panel(lab, "ip", up)
    moved = sorted(end for end, far in wanted.far.items() if now.far.get(end) != far or end in now.cut)
    for end in moved:
        if end not in wanted.cut and end.node in lab.pids:
            _hear(lab, end, wanted.far[end])


def _hear(lab: Built, end: End, far: End) -> None:
    """Wait until the far end is heard, so that whoever looks next sees cables as they are; a silent one is let be."""
    heard = f"lldpcli -f keyvalue show neighbors ports {end.port} | grep -q 'chassis.name={far.node}$'"
    _inside(lab, end.node, f"n=0; until {heard}; do n=$((n+1)); [ $n -lt {_HEARING} ] || break; sleep 0.2; done")


def _in_panel(lab: Built, tool: str, batch: str) -> None:
    if batch:
        _run(("nsenter", f"--net={lab.patch}", tool, "-batch", "-"), batch, "the patch panel")


def _cut(lab: Built, at: tuple[str, ...]) -> Fault:
    end, now = _end(lab, at[0]), wiring(lab.plan, lab.faults)
    _cabled(now, end)
    if end in now.cut:
        raise UsageError(f"the cable at {end} is cut already", hint=f"mend {end}")
    return Fault("cut", at, f"cut the cable {end} - {now.far[end]}")


def _cabled(wiring: Wiring, *ends: End) -> None:
    for end in ends:
        if end not in wiring.far:
            raise UsageError(f"no cable is at {end}", hint="the node that it will lead to is planned")


def _swap(lab: Built, at: tuple[str, ...]) -> Fault:
    one, other, now = _end(lab, at[0]), _end(lab, at[1]), wiring(lab.plan, lab.faults)
    _cabled(now, one, other)
    if other in (one, now.far[one]):
        raise UsageError(f"{one} and {other} are on one cable", hint="name ports of two cables")
    for end in (one, other):
        if end in now.cut:
            raise UsageError(f"the cable at {end} is cut", hint=f"mend {end} first")
    text = f"swapped cables: {one} now leads to {now.far[other]}, {other} to {now.far[one]}"
    return Fault("swap-cables", at, text)


def _mtu(lab: Built, at: tuple[str, ...]) -> Fault:
    end = _end(lab, at[0])
    if not at[1].isdecimal() or not 68 <= int(at[1]) <= cabling.PATCH_MTU:
        raise UsageError(f"{at[1]!r} is no MTU", hint=f"bytes from 68 to {cabling.PATCH_MTU}")
    before = _mtu_of(lab, end)
    _inside(lab, end.node, f"ip link set dev {end.port} mtu {at[1]}")
    undo = _mtu_back(end.port, before, int(at[1]))
    return Fault("mtu", at, f"set the MTU of {end} from {before} to {at[1]}", end.node, undo)


def _mtu_back(port: str, before: int, after: int) -> str:
    """Return the command that takes an MTU back, unless someone else has changed it since."""
    return f'[ "$(cat /sys/class/net/{port}/mtu)" != {after} ] || ip link set dev {port} mtu {before}'


def _mtu_of(lab: Built, end: End) -> int:
    return int(_inside(lab, end.node, f"cat /sys/class/net/{end.port}/mtu"))


def _stop_daemon(lab: Built, at: tuple[str, ...]) -> Fault:
    node, daemon = known_node(lab, at[0]), at[1]
    known = tuple(name for name in STOPPABLE if name in image.daemons(node))
    if daemon not in known:
        raise UsageError(f"{node.name} runs no {daemon!r} that can be stopped", hint=_nearest(daemon, known))
    if any(fault.kind == "stop-daemon" and fault.at == at for fault in lab.faults):
        raise UsageError(f"{daemon} on {node.name} is stopped already", hint=f"heal {node.name}")
    file = image.pid_file(daemon)
    # Waiting for the end of the process makes "stopped" true when it is said.
    wait = "n=0; while kill -0 $pid 2>&-; do n=$((n+1)); [ $n -lt 200 ]; sleep 0.05; done"
    script = f"pid=$(cat {file}); kill $pid; {wait}"
    _inside(lab, node.name, script)
    start = image.start(node, daemon)
    if daemon in ("bgpd", "zebra"):
        start += f" && vtysh -b -d {daemon}"
    if daemon == "sshd":
        # It keeps its words in a log, except when it only looks at its configuration.
        start = f"/usr/sbin/sshd -t && {start}"
    undo = f"kill -0 $(cat {file} 2>&-) 2>&- || {{ {start}; }}"
    return Fault("stop-daemon", at, f"stopped {daemon} on {node.name}", node.name, undo)


def _drift(lab: Built, at: tuple[str, ...]) -> Fault:
    node = known_node(lab, at[0])
    if not node.ports:
        raise UsageError(f"{node.name} has no port to change", where=node.name)
    end = End(node.name, node.ports[0])
    before = _mtu_of(lab, end)
    after = before - 100 if before > 1400 else before + 100
    _inside(lab, node.name, f"ip link set dev {end.port} mtu {after}")
    text = f"changed on {node.name} by hand: MTU of {end.port} from {before} to {after}"
    undo = _mtu_back(end.port, before, after)
    if node.kind == "switch":
        said, command = _drift_bgp(lab, node.name)
        text, undo = text + said, f"{undo}\n{command}"
    return Fault("drift", at, text, node.name, undo)


def _drift_bgp(lab: Built, node: str) -> tuple[str, str]:
    """Narrow the ECMP width in the running configuration only; returns words and the undo, unless BGP is not there."""
    running = _inside(lab, node, "vtysh -c 'show running-config'")
    router = re.search(r"^router bgp \d+$", running, re.MULTILINE)
    if router is None:
        return "", ""
    family, said = _family(running)
    before = re.search(r"^  (maximum-paths \d+)$", said, re.MULTILINE)
    old = before[1] if before else "no maximum-paths"
    new = "maximum-paths 1" if old != "maximum-paths 1" else "maximum-paths 2"
    enter = (router[0], f"address-family {family}")
    _inside(lab, node, _vtysh(*enter, new))
    still = f"vtysh -c 'show running-config' | grep -qx '  {new}'"
    return f", and {new} in {router[0]} (was: {old})", f"! {still} || {_vtysh(*enter, old)}"


def _family(running: str) -> tuple[str, str]:
    """Return the family in which a running configuration speaks with neighbours, else IPv4, and what it says of it."""
    sections = re.findall(r"^ address-family (ipv[46] unicast)$(.*?)^ exit-address-family$", running, _SECTION)
    spoken = (section for section in sections if " activate\n" in section[1])
    return next(spoken, None) or next(iter(sections), ("ipv4 unicast", ""))


def _vtysh(router: str, family: str, line: str) -> str:
    lines = ("configure terminal", router, family, line)
    return shlex.join(["vtysh", *(word for text in lines for word in ("-c", text))])


def _heal(lab: Built, at: tuple[str, ...]) -> tuple[tuple[Fault, ...], str]:
    """Undo all faults, or those that name one of ``at`` (a node, or node:port)."""
    return _undo(lab, at, lambda _: True)


def _mend(lab: Built, at: tuple[str, ...]) -> tuple[tuple[Fault, ...], str]:
    """Undo only faults of cables."""
    return _undo(lab, at, lambda fault: fault.kind in _CABLE_KINDS)


def _undo(lab: Built, at: tuple[str, ...], kind: Callable[[Fault], bool]) -> tuple[tuple[Fault, ...], str]:
    for text in at:
        _end(lab, text) if ":" in text else known_node(lab, text)
    chosen = [fault for fault in lab.faults if kind(fault) and (not at or _touches(lab, fault, at))]
    if not chosen:
        raise UsageError(f"nothing to undo{' at ' + ' '.join(at) if at else ''}", hint=_active(lab.faults))
    left = tuple(fault for fault in lab.faults if fault not in chosen)
    _rewire(lab, left)
    return left, "undone: " + "; ".join(_undone(lab, fault) for fault in reversed(chosen))


def _undone(lab: Built, fault: Fault) -> str:
    """Undo one fault in its node; one whose object is gone (a node, a router) is over, and its sentence says why."""
    try:
        if fault.undo:
            known_node(lab, fault.node)
            _inside(lab, fault.node, fault.undo)
    except UsageError as error:
        return f"{fault.text} (left as it is: {error.message})"
    return fault.text


def _touches(lab: Built, fault: Fault, at: tuple[str, ...]) -> bool:
    places = set(fault.at)
    if fault.kind in _CABLE_KINDS:
        before = wiring(lab.plan, lab.faults[: lab.faults.index(fault)])
        places |= {str(before.far[End(*text.split(":", 1))]) for text in fault.at}
    return bool(places & set(at)) or bool({place.partition(":")[0] for place in places} & set(at))


def _active(faults: Iterable[Fault]) -> str:
    return "active faults: " + ("; ".join(fault.text for fault in faults) or "none")


_KINDS: Mapping[str, Injector] = {
    "cut": Injector("NODE:PORT", 1, _cut),
    "swap-cables": Injector("NODE:PORT NODE:PORT", 2, _swap),
    "mtu": Injector("NODE:PORT BYTES", 2, _mtu),
    "stop-daemon": Injector(f"NODE {'|'.join(STOPPABLE)}", 2, _stop_daemon),
    "drift": Injector("NODE", 1, _drift),
}

_HEALERS = {"heal": _heal, "mend": _mend}

KINDS: Mapping[str, str] = {kind: form.wants for kind, form in _KINDS.items()} | {
    "heal": "[NODE[:PORT]...]",
    "mend": "[NODE[:PORT]...]",
}
"""Every kind with what must be given with it."""
