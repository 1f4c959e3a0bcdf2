"""frr: a Linux switch or software router on which FRR routes, and the kernel forwards and schedules."""

from __future__ import annotations

from fabric.changes.change import Steps
from fabric.changes.delta import Delta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.platforms.contract import FactsReader, Outputs, Reader, System
from fabric.platforms.parts import addresses, facts, frr, links, lldp, script, sysctl, tc
from fabric.platforms.parts.guard import guard
from fabric.platforms.parts.iproute2 import LINK_SHOW, joined
from fabric.platforms.parts.ping import ping, pong
from fabric.platforms.parts.tctree import TREE_SHOW
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Links
from fabric.settings.maps import Maps
from fabric.settings.persistence import Persistence
from fabric.settings.queues import Queues
from fabric.settings.scope import Scope
from fabric.settings.sysctl import Sysctl

_LINKS = Reader(Links, (LINK_SHOW, TREE_SHOW), lambda _, out: links.parse_links(out[0], tc.parse_speeds(out[1])))
_PERSISTENCE = Reader(
    Persistence,
    (script.SCRIPT_SHOW, frr.STARTUP),
    lambda _, out: Persistence({**script.saved(out[0].text), **frr.saved(out[1])}),
)


def _facts(outputs: Outputs) -> Facts:
    own = len(facts.COMMANDS)
    return facts.linux("frr", outputs[:own], frr.features(outputs[own:]))


def _readers(found: Facts) -> tuple[Reader, ...]:  # noqa: ARG001  # the same on every Linux
    return (_LINKS, addresses.READER, *frr.readers(), *tc.READERS, sysctl.READER, _PERSISTENCE)


def _state_readers(found: Facts) -> tuple[Reader, ...]:
    return (links.STATE, lldp.STATE, tc.STATE, *frr.state_readers(found))


def _persisted(settings: Settings, rendered: Rendered) -> Persistence:  # noqa: ARG001  # the texts say it all
    return Persistence({**script.persisted(rendered), **frr.persisted(rendered)})


def _recorded(reading: Reading, scope: Scope) -> Rendered:
    texts = {script.ARTEFACT: script.recorded(reading), tc.ARTEFACT: tc.recorded(reading, scope.ports)}
    own = {frr.ARTEFACT: frr.recorded(reading, scope), frr.AT_BOOT: frr.recorded_at_boot(reading, scope)}
    return Rendered(reading.node, texts | own)


def _steps(reading: Reading, rendered: Rendered, delta: Delta, scope: Scope) -> Steps:
    return joined(
        (
            sysctl.steps(reading, delta),
            links.raised(reading, delta),
            addresses.added(reading, delta),
            tc.steps(reading, rendered, delta),
            frr.steps(reading, rendered, delta, scope),
            addresses.removed(reading, delta),
            links.lowered(reading, delta),
            script.steps(reading, rendered, delta),
        )
    )


SYSTEM = System(  # noqa: S604  # the word names the kind of shell, it starts none
    name="frr",
    kind="switch",
    device_type="linux",
    shell="posix",
    facets=(Links, Addresses, Bgp, Maps, Queues, Sysctl, Persistence),
    facts=FactsReader((*facts.COMMANDS, *frr.FACTS_COMMANDS), _facts),
    readers=_readers,
    state_readers=_state_readers,
    persisted=_persisted,
    recorded=_recorded,
    steps=_steps,
    guard=guard(),
    ping=ping,
    pong=pong,
)
