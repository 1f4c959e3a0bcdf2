"""Topology: roles to nodes, cables to wires, each end with its port number and name.

Names are ``<role>01``: two digits at least, never re-padded (``leaf99``, ``leaf100``). Port numbers count from 1:

- a switch with a tier above uses ports 1..P/2 for what is below it and P/2+1..P for uplinks; one without uses all;
- host ports: slot + 1 (see ``attach``); host roles that share leaves follow one another in file order;
- uplinks of a switch: P/2 + j * per_pair + k + 1 for upper node j and cable k of the pair (from 0);
- downlinks of the upper switch: i * per_pair + k + 1 for lower node i;
- several cables between the same roles or to further roles continue after those of the entries before them.

A further node of a role therefore takes numbers that nobody had. Not kept: numbers when ``per_pair`` changes, or when a
role grows that stands before another one on the same switch. Numbers beyond the model get names beyond its pattern, and
two cables in one port stay two cables: rules report both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import product

from fabric.design.attach import landing
from fabric.design.faults import Gathered, fault, placed
from fabric.design.layout import Attachment, HostGroup, Layout, SwitchGroup, Wire
from fabric.design.tiers import lower_and_upper, tier_of
from fabric.hardware.lookup import naming, nic, switch
from fabric.hardware.models import NicModel
from fabric.intent.document import Document
from fabric.intent.models import HostRole

_BEYOND = 4
_MOST_CABLES = 300_000


def layout(document: Document) -> Layout:
    """Return all nodes and cables of an intent; DesignError when they cannot be laid out."""
    tier = tier_of(document.intent.topology)
    _check_hardware(document)
    switches = {group.role: group for group in _switch_groups(document, tier)}
    hosts = tuple(_host_groups(document, tier, switches))
    _check_size(document, tier)
    _check_names(document, (*switches.values(), *hosts))
    up: dict[str, list[Wire]] = defaultdict(list)
    down: dict[str, list[Wire]] = defaultdict(list)
    for wire in _wires(document, tier, switches):
        up[wire.lower_name].append(wire)
        down[wire.upper_name].append(wire)
    attached: dict[str, list[Attachment]] = defaultdict(list)
    nics: dict[str, list[Attachment]] = defaultdict(list)
    for group in hosts:
        for attachment in _attachments(group, switches[group.leaf_role]):
            attached[attachment.leaf_name].append(attachment)
            nics[attachment.host_name].append(attachment)
    return Layout(
        switches=tuple(switches.values()),
        hosts=hosts,
        uplinks={name: tuple(sorted(rows, key=lambda wire: wire.lower_number)) for name, rows in up.items()},
        downlinks={name: tuple(sorted(rows, key=lambda wire: wire.upper_number)) for name, rows in down.items()},
        attached={name: tuple(sorted(rows, key=lambda row: row.leaf_number)) for name, rows in attached.items()},
        nics={name: tuple(rows) for name, rows in nics.items()},
    )


def _names(role: str, count: int) -> tuple[str, ...]:
    return tuple(f"{role}{number:02d}" for number in range(1, count + 1))


def _check_names(document: Document, groups: tuple[SwitchGroup | HostGroup, ...]) -> None:
    owner: dict[str, str] = {}
    for group in groups:
        for name in group.names:
            if name in owner:
                raise fault(
                    document,
                    f"topology.{'hosts' if isinstance(group, HostGroup) else 'switches'}.{group.role}",
                    f"roles {owner[name]!r} and {group.role!r} both have a node {name!r}",
                    "give roles names of which none is another one followed by digits",
                )
            owner[name] = group.role


def _check_hardware(document: Document) -> None:
    """Raise one DesignError for all models, systems and NICs that there is no data for."""
    faults = Gathered()
    topology = document.intent.topology
    for role, switches in topology.switches.items():
        path = f"topology.switches.{role}"
        with faults:
            with placed(document, f"{path}.model"):
                switch(switches.model)
            with placed(document, f"{path}.system"):
                naming(switches.model, switches.system)
    for role, hosts in topology.hosts.items():
        with faults, placed(document, f"topology.hosts.{role}.nic"):
            nic(hosts.nic)
    faults.end()


def _switch_groups(document: Document, tier: Mapping[str, int]) -> Iterator[SwitchGroup]:
    for number, (role, intent) in enumerate(document.intent.topology.switches.items()):
        model, names = switch(intent.model), naming(intent.model, intent.system)
        yield SwitchGroup(role, number, tier[role], intent, model, names, _names(role, intent.count))


def _host_groups(
    document: Document, tier: Mapping[str, int], switches: Mapping[str, SwitchGroup]
) -> Iterator[HostGroup]:
    taken: dict[str, int] = defaultdict(int)
    for role, intent in document.intent.topology.hosts.items():
        cable, leaf_role = _host_cable(document, tier, role)
        landed = landing(document, role, leaf_role, taken[leaf_role])
        taken[leaf_role] += landed.slots
        hint = f"lower topology.hosts.{role}.per_group, or nics"
        _check_sane(document, f"topology.hosts.{role}", switches[leaf_role], (taken[leaf_role], hint))
        model = nic(intent.nic)
        names, ports = _names(role, intent.count), _nic_ports(intent, model)
        yield HostGroup(role, intent, model, names, ports, leaf_role, landed, cable)


def _host_cable(document: Document, tier: Mapping[str, int], role: str) -> tuple[int, str]:
    """Return the entry of ``topology.cables`` that attaches a host role (the loader wants just one), and its leaves."""
    index, cable = next(
        (index, cable) for index, cable in enumerate(document.intent.topology.cables) if role in (cable.from_, cable.to)
    )
    if cable.per_pair != 1:
        raise fault(
            document,
            f"topology.cables.{index}.per_pair",
            f"cable {cable.from_} to {cable.to}: per_pair is {cable.per_pair}, and a NIC has one cable",
            f"leave per_pair out, and give topology.hosts.{role}.nics",
        )
    return index, lower_and_upper(cable, tier)[1]


def _nic_ports(intent: HostRole, model: NicModel) -> tuple[str, ...]:
    """Return the device names of NIC 1, 2 and so on: as the intent gives them, as the NIC has them, else labels."""
    if intent.interfaces is not None:
        return intent.interfaces
    numbers = range(1, intent.nics + 1)
    if model.names is not None:
        return tuple(model.names.name(number) for number in numbers)
    return tuple(f"nic{number}" for number in numbers)


def _wires(document: Document, tier: Mapping[str, int], switches: Mapping[str, SwitchGroup]) -> Iterator[Wire]:
    used_up: dict[str, int] = defaultdict(int)
    used_down: dict[str, int] = defaultdict(int)
    for index, cable in enumerate(document.intent.topology.cables):
        below, above = lower_and_upper(cable, tier)
        if below not in switches:
            continue
        lower, upper = switches[below], switches[above]
        hint = "lower the count of the other role, or per_pair"
        for group, other in ((lower, upper), (upper, lower)):
            _check_sane(document, f"topology.cables.{index}", group, (len(other.names) * cable.per_pair, hint))
        first = lower.model.ports // 2 + used_up[below], used_down[above]
        used_up[below] += len(upper.names) * cable.per_pair
        used_down[above] += len(lower.names) * cable.per_pair
        yield from _between(lower, upper, first, (index, cable.per_pair))


def _check_size(document: Document, tier: Mapping[str, int]) -> None:
    """Refuse more cables than a design of bounded time and memory holds."""
    topology = document.intent.topology
    total = sum(hosts.count * hosts.nics for hosts in topology.hosts.values())
    for cable in topology.cables:
        below, above = (topology.switches.get(role) for role in lower_and_upper(cable, tier))
        if below is not None and above is not None:
            total += below.count * above.count * cable.per_pair
    if total > _MOST_CABLES:
        raise fault(
            document,
            "topology",
            f"the fabric needs {total} cables; a design holds at most {_MOST_CABLES}",
            "check the counts, nics and per_pair; describe a fabric of this size as several",
        )


def _check_sane(document: Document, path: str, group: SwitchGroup, needed: tuple[int, str]) -> None:
    """Refuse what is so far beyond a model that writing it out for the rules would only cost time and memory."""
    ports, hint = needed
    if ports > _BEYOND * group.model.ports:
        raise fault(
            document,
            path,
            f"{path} needs {ports} ports of each {group.role}, and {group.model.name} has {group.model.ports}",
            hint,
        )


def _between(lower: SwitchGroup, upper: SwitchGroup, first: tuple[int, int], cable: tuple[int, int]) -> Iterator[Wire]:
    """Yield the cables between two roles; ``first`` are the ports used before, ``cable`` is (entry, per_pair)."""
    index, per_pair = cable
    for i, j, k in product(range(len(lower.names)), range(len(upper.names)), range(per_pair)):
        number_up = first[0] + j * per_pair + k + 1
        number_down = first[1] + i * per_pair + k + 1
        yield Wire(
            lower=lower,
            lower_index=i,
            lower_number=number_up,
            lower_port=lower.naming.name(number_up),
            upper=upper,
            upper_index=j,
            upper_number=number_down,
            upper_port=upper.naming.name(number_down),
            cable=index,
            pair=k,
        )


def _attachments(group: HostGroup, leaf: SwitchGroup) -> Iterator[Attachment]:
    for host in range(len(group.names)):
        for nic_index, port in enumerate(group.ports):
            number = group.landing.slot(host, nic_index) + 1
            yield Attachment(
                host=group,
                host_index=host,
                nic=nic_index,
                port=port,
                leaf=leaf,
                leaf_index=group.landing.leaf(host, nic_index),
                leaf_number=number,
                leaf_port=leaf.naming.name(number),
            )
