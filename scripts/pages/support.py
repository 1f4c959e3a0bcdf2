"""Support tables: which system sets which facet, switch models with their port names and limits, NICs."""

from __future__ import annotations

from fabric.hardware.lookup import nic, nics, switch, switches
from fabric.hardware.models import NicModel, SwitchModel
from fabric.platforms.lookup import system, systems
from fabric.settings.facts import Facts
from fabric.settings.known import FACETS
from fabric.units import format_speed
from pages.markdown import code, page, table


def facet_matrix() -> str:
    """Return a table of systems and facets."""
    found = [system(kind, name) for kind in ("switch", "host") for name in systems(kind)]
    sets = {each.name: {facet.name for facet in each.facets} for each in found}
    titles = ("facet", *(f"{each.name} ({each.kind})" for each in found))
    rows = (
        (f"[{facet}](facets.md#{facet})", *("sets" if facet in sets[each.name] else "—" for each in found))
        for facet in sorted(FACETS)
    )
    return table(titles, rows)


def state_matrix() -> str:
    """Return a table of systems and what they report."""
    found = [system(kind, name) for kind in ("switch", "host") for name in systems(kind)]
    said = {each.name: {reader.facet.name for reader in each.state_readers(Facts(system=each.name))} for each in found}
    every = sorted(set().union(*said.values()))
    titles = ("state", *(f"{each.name} ({each.kind})" for each in found))
    return table(
        titles, ((facet, *("reports" if facet in said[each.name] else "—" for each in found)) for facet in every)
    )


def hardware() -> str:
    """Return the page of switch models and NICs."""
    about = (
        "What the data files under `fabric/hardware/data` hold. Port names follow from the model and the system;"
        " *IP MTU* is the largest that the system accepts there. A system that is not listed for a model is a warning,"
        " and names ports as `generic` does. Each data file names the source of its numbers."
    )
    models = [switch("generic-64" if name == "generic" else name) for name in _listed(switches())]
    cards = [nic(name) for name in nics()]
    return page(
        "Hardware",
        about,
        "## Switch models\n\n" + table(("model", "ASIC", "ports", "speeds", "breakouts"), map(_model, models)),
        "## Port names and limits\n\n"
        + table(
            ("model", "system", "ports", "parts of the first port", "IP MTU"),
            (row for each in models for row in _names(each)),
        ),
        "## NICs\n\n" + table(("NIC", "driver", "speeds", "IP MTU", "device names"), map(_nic, cards)),
    )


def _listed(names: tuple[str, ...]) -> tuple[str, ...]:
    plain = [name for name in names if not name.startswith("generic")]
    return (*plain, "generic")


def _speeds(found: tuple[int, ...]) -> str:
    return " ".join(format_speed(each) for each in found)


def _model(each: SwitchModel) -> tuple[str, ...]:
    name = "generic-8 to generic-1024" if each.name.startswith("generic") else each.name
    parts = "; ".join(f"{ways}x {_speeds(speeds)}" for ways, speeds in sorted(each.breakouts.items())) or "—"
    ports = "as in the name" if each.name.startswith("generic") else str(each.ports)
    return f"`{name}`", each.asic, ports, _speeds(each.speeds), parts


def _names(each: SwitchModel) -> list[tuple[str, ...]]:
    rows = []
    for name, ports in sorted(each.systems.items()):
        whole = each.port_names(name)
        ways = max(each.breakouts, default=1)
        parts = each.port_names(name, {1: ways})[:ways] if ways > 1 and ports.names.children else ()
        shown = f"`{parts[0]}` .. `{parts[-1]}`" if parts else "—"
        model = "generic-64" if each.name.startswith("generic") else each.name
        rows.append((f"`{model}`", name, f"`{whole[0]}` .. `{whole[-1]}`", shown, str(ports.max_mtu)))
    return rows


def _nic(each: NicModel) -> tuple[str, ...]:
    names = code((each.names.name(1), each.names.name(2))) + " ..." if each.names else "read on the host"
    return f"`{each.name}`", each.driver, _speeds(each.speeds), str(each.max_mtu), names
