"""linux: a host with one rail per NIC port, each with its address, its routes and its rule."""

from __future__ import annotations

from fabric.changes.change import Steps
from fabric.changes.delta import Delta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.platforms.contract import FactsReader, Reader, System
from fabric.platforms.parts import addresses, facts, links, lldp, policy, routes, script, sysctl
from fabric.platforms.parts.guard import guard
from fabric.platforms.parts.iproute2 import joined
from fabric.platforms.parts.ping import ping, pong
from fabric.settings.addresses import Addresses
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Links
from fabric.settings.persistence import Persistence
from fabric.settings.policy import Policy
from fabric.settings.routes import Routes
from fabric.settings.scope import Scope
from fabric.settings.sysctl import Sysctl

_PERSISTENCE = Reader(Persistence, (script.SCRIPT_SHOW,), lambda _, out: Persistence(script.saved(out[0].text)))


def _readers(found: Facts) -> tuple[Reader, ...]:  # noqa: ARG001  # the same on every Linux
    return (links.READER, addresses.READER, routes.READER, policy.READER, sysctl.READER, _PERSISTENCE)


def _state_readers(found: Facts) -> tuple[Reader, ...]:  # noqa: ARG001  # the same on every Linux
    return (links.STATE, lldp.STATE)


def _persisted(settings: Settings, rendered: Rendered) -> Persistence:  # noqa: ARG001  # the texts say it all
    return Persistence(script.persisted(rendered))


def _recorded(reading: Reading, scope: Scope) -> Rendered:  # noqa: ARG001  # the script is ours as a whole
    return Rendered(reading.node, {script.ARTEFACT: script.recorded(reading)})


def _steps(reading: Reading, rendered: Rendered, delta: Delta, scope: Scope) -> Steps:  # noqa: ARG001  # the delta is within it
    return joined(
        (
            sysctl.steps(reading, delta),
            links.raised(reading, delta),
            addresses.added(reading, delta),
            routes.added(delta),
            policy.added(reading, delta),
            policy.removed(delta),
            routes.removed(delta),
            addresses.removed(reading, delta),
            links.lowered(reading, delta),
            script.steps(reading, rendered, delta),
        )
    )


SYSTEM = System(  # noqa: S604  # the word names the kind of shell, it starts none
    name="linux",
    kind="host",
    device_type="linux",
    shell="posix",
    facets=(Links, Addresses, Routes, Policy, Sysctl, Persistence),
    facts=FactsReader(facts.COMMANDS, lambda outputs: facts.linux("linux", outputs)),
    readers=_readers,
    state_readers=_state_readers,
    persisted=_persisted,
    recorded=_recorded,
    steps=_steps,
    guard=guard(),
    ping=ping,
    pong=pong,
    unreadable={"links.speed": "nothing: a host's port keeps the speed of its NIC, and a software port has none"},
)
