"""FRR, for every system that runs it: what a platform composes into its readers and steps.

A change puts the whole target into FRR's run folder, lets FRR check its grammar, asks frr-reload what it would
delete and refuses when that is not ours, reloads, and only then saves. The undo goes the same way back to the text
from before.
"""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote
from typing import TypeAlias

from fabric.changes.change import Steps
from fabric.changes.command import Command, Effect
from fabric.changes.delta import Delta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.changes.steps import Impact, Put, Run, Step
from fabric.errors import PlatformError
from fabric.platforms.parts import frr_target
from fabric.platforms.parts.frr_guard import RUN_FOLDER, guard, permitted, reload
from fabric.platforms.parts.frr_impact import impact
from fabric.platforms.parts.frr_read import (
    DAEMONS,
    FACTS_COMMANDS,
    ROUTES,
    RUNNING,
    STARTUP,
    STARTUP_FILE,
    SUMMARY,
    VERSION,
    bfd_runs,
    default_width,
    digests,
    features,
    readers,
    saved,
    startup_text,
    state_readers,
)
from fabric.platforms.parts.frr_target import bared, leaving, target, without
from fabric.platforms.parts.frr_text import FORWARDING_OFF, Config, parse_config, parse_running
from fabric.settings.bgp import Bgp, Neighbor
from fabric.settings.persistence import Persistence, Saved
from fabric.settings.scope import Scope
from fabric.settings.sysctl import Parameter, Sysctl

__all__ = [
    "ARTEFACT",
    "CANDIDATE",
    "DAEMONS",
    "FACTS_COMMANDS",
    "ROUTES",
    "RUNNING",
    "STARTUP",
    "STARTUP_FILE",
    "SUMMARY",
    "VERSION",
    "features",
    "persisted",
    "readers",
    "recorded",
    "recorded_at_boot",
    "saved",
    "state_readers",
    "steps",
    "target",
]

ARTEFACT = "frr.conf"
AT_BOOT = "frr.conf at boot"
CANDIDATE = f"{RUN_FOLDER}/frr.conf"
_OWNER = "frr:frr"
_MODE = 0o640

_Half: TypeAlias = tuple[Step, ...]

# Only of neighbours that are there, under this AS number, so that it may be repeated.
_FAREWELL = """\
running=$(vtysh -c 'show running-config') || exit 1
printf '%s\\n' "$running" | grep -qx 'router bgp {asn}' || exit 0
there=
for peer in {peers}; do case $running in *" neighbor $peer interface"*) there="$there $peer" ;; esac; done
[ "$there" ] || exit 0
set -- -c 'configure terminal' -c 'router bgp {asn}'
for peer in $there; do set -- "$@" -c "neighbor $peer shutdown"; done
for peer in $there; do set -- "$@" -c "no neighbor $peer interface"; done
vtysh "$@"
"""


def persisted(rendered: Rendered) -> Mapping[str, Saved]:
    """Return the persistence rows that the startup file should have; none when no frr.conf was rendered."""
    return digests(rendered.texts.get(ARTEFACT, ""))


def recorded(reading: Reading, scope: Scope) -> str:
    """Return the frr.conf to go back to: what the running configuration says within the scope, verbatim."""
    return frr_target.recorded(_running(reading).text(), scope)


def recorded_at_boot(reading: Reading, scope: Scope) -> str:
    """Return what to save again on the way back: what the startup file says within the scope, verbatim.

    It is not what ran: perhaps nobody saved that, or FRR saved its word for forwarding that was off.
    """
    startup = startup_text(reading.outputs[STARTUP.text]) if STARTUP.text in reading.outputs else ""
    off = (line for line in _switches(scope) if line in startup.splitlines())
    return "\n".join((frr_target.recorded(startup, scope), *off))


def steps(reading: Reading, rendered: Rendered, delta: Delta, scope: Scope) -> Steps:
    """Return the steps for the BGP rows and the ``frr.conf`` rows of a delta; none when there are none.

    They belong after the steps for sysctl, and their undo before the undo of those. PlatformError when the reading
    lacks the running configuration or the startup file, or no frr.conf was rendered.
    """
    loads = delta.touches(Bgp)
    saves = loads or any(row.facet == Persistence.name and row.key.startswith(f"{ARTEFACT} ") for row in delta.rows)
    if not saves:
        return Steps()
    _watchable(reading, delta)
    conf = _rendered_conf(reading.node, rendered)
    load = _loads(reading, conf, delta, scope) if loads else Steps()
    save = _saves(reading, rendered.texts.get(AT_BOOT, conf), scope)
    return Steps(do=load.do + save.do, undo=load.undo + save.undo)


def _watchable(reading: Reading, delta: Delta) -> None:
    """Refuse BFD where its daemon does not run: FRR would take the statement, and nothing would watch the session."""
    new = (key for key, _, wanted in delta.of(Bgp) if isinstance(wanted, Neighbor) and wanted.bfd is True)
    first = next(new, "") if not bfd_runs(reading.facts) else ""
    if first:
        raise PlatformError(
            f"bfdd is not running, and BFD is wanted for {first}",
            where=reading.node,
            hint="write bfdd=yes into /etc/frr/daemons and restart FRR, or take routing.bfd out of the intent",
        )


def _loads(reading: Reading, conf: str, delta: Delta, scope: Scope) -> Steps:
    now = _running(reading)
    width = default_width(reading.facts)
    own = _forwarding_as_wanted(now, delta)
    then = parse_config(target(own.text(), conf, scope, width=width), reading.node)
    # What comes half way is made of the statements as they are by then: the kernel parameters come first.
    return Steps(do=_way("to the wanted BGP", own, then, scope), undo=_way("back to the BGP before", then, now, scope))


def _way(whither: str, now: Config, then: Config, scope: Scope) -> _Half:
    """Return the steps that load ``then``, by way of a text with barer neighbours where frr-reload needs it."""
    worst, reason = impact(now, then, scope)
    why = f"load it: {reason}"
    check = Run(why="FRR knows every word of it", command=Command(f"vtysh -C -f {CANDIDATE}", Effect.READS))
    steps: _Half = (_put(whither, then), check, _guarded(now, then, scope))
    if peers := leaving(now, then, scope):
        steps += (_farewell(now, peers),)
        now = without(now, peers)
    bare = bared(now, then, scope)
    if bare != now:
        half, rest = permitted(now, bare, scope), permitted(bare, then, scope)
        steps += (_put("first half of the way", bare), _loaded(why, worst, half), _put(whither, then))
    else:
        rest = permitted(now, then, scope)
    clean = Run(why="leave nothing behind", command=Command(f"rm -f {CANDIDATE}", Effect.WRITES))
    return (*steps, _loaded(why, worst, rest), clean)


def _farewell(now: Config, peers: tuple[str, ...]) -> Step:
    """Shut neighbours on interfaces down and delete them, all in one go.

    Deleted one by one, as frr-reload does, those that were never heard from make bgpd 8.4 crash (seen with several of
    them: it looks a neighbour up that it has just freed). One that is shut down is not looked up any more.
    """
    asn = now.router.asn if now.router is not None else 0
    command = Command(_FAREWELL.format(peers=" ".join(map(quote, peers)), asn=asn), Effect.WRITES)
    return Run(why=f"take leave of {', '.join(peers)} before they are deleted", command=command, impact=Impact.FLAP)


def _put(whither: str, config: Config) -> Step:
    text = config.text()
    return Put(why=f"the whole configuration, {whither}", path=CANDIDATE, content=text, mode=_MODE, owner=_OWNER)


def _guarded(now: Config, then: Config, scope: Scope) -> Step:
    command = guard(CANDIDATE, permitted(now, then, scope))
    return Run(why="nothing that is not ours would be deleted", command=command)


def _loaded(why: str, worst: Impact, allowed: tuple[str, ...]) -> Step:
    return Run(why=why, command=reload(CANDIDATE, allowed), impact=worst)


def _saves(reading: Reading, conf: str, scope: Scope) -> Steps:
    """Return the steps that save; none when the startup file already means what is wanted."""
    now = startup_text(reading.outputs[STARTUP.text]) if STARTUP.text in reading.outputs else None
    if now is None:
        raise PlatformError(f"the reading lacks {STARTUP.text!r}", where=reading.node, hint="read the node again")
    switches = _switches(scope)
    off = [line for line in switches if line in conf.splitlines()]
    then = target("\n".join([line for line in now.splitlines() if line not in switches] + off), conf, scope)
    if _meaning(now, scope) == _meaning(then, scope):
        return Steps()
    keep = Put(why="keep it across a reboot", path=STARTUP_FILE, content=then, mode=_MODE, owner=_OWNER)
    if now:
        back = Put(why="save what was saved before", path=STARTUP_FILE, content=now, mode=_MODE, owner=_OWNER)
        return Steps((keep,), (back,))
    remove = Command(f"rm -f {STARTUP_FILE}", Effect.WRITES)
    return Steps((keep,), (Run(why="there was no startup file before", command=remove),))


def _switches(scope: Scope) -> tuple[str, ...]:
    """Return the statements that would switch off at boot the forwarding that is ours to switch."""
    return tuple(line for name, line in FORWARDING_OFF.items() if f"{Sysctl.name} {name}" in scope.names)


def _meaning(text: str, scope: Scope) -> Mapping[str, Saved]:
    return {key: row for key, row in digests(text).items() if Persistence.owned(key, scope)}


def _forwarding_as_wanted(now: Config, delta: Delta) -> Config:
    """Return the running configuration as it will be once the sysctl rows of the delta are made.

    FRR shows the kernel's forwarding switches as statements of its own; carried over as they were, they would
    switch forwarding off again.
    """
    lines = list(now.before)
    for key, _, wanted in delta.of(Sysctl):
        line = FORWARDING_OFF.get(key)
        if line and isinstance(wanted, Parameter):
            lines = [kept for kept in lines if kept != line] + ([line] if wanted.value == "0" else [])
    return Config(tuple(lines), now.router, now.after, now.profile)


def _running(reading: Reading) -> Config:
    output = reading.outputs.get(RUNNING.text)
    if output is None:
        raise PlatformError(f"the reading lacks {RUNNING.text!r}", where=reading.node, hint="read the node again")
    return parse_running(output.text, reading.node)


def _rendered_conf(node: str, rendered: Rendered) -> str:
    conf = rendered.texts.get(ARTEFACT)
    if conf is None:
        raise PlatformError(f"no {ARTEFACT} was rendered", where=node, hint=f"its template is {ARTEFACT}.j2")
    return conf
