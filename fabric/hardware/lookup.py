"""Find a switch model, a chip or a NIC by its name: one data file each under ``data/``, none registered by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from ruamel.yaml import YAML

from fabric.errors import DesignError
from fabric.hardware.asics import Asic, MerchantPause, NvidiaPause, PacketBuffer
from fabric.hardware.granularity import Unit
from fabric.hardware.models import NicModel, Pcie, SwitchModel, SystemPorts
from fabric.hardware.ports import ChildNames, PortNames
from fabric.units import parse_speed

_GENERIC = re.compile(r"generic-([1-9]\d{0,3})")


@cache
def switch(model: str) -> SwitchModel:
    """Return a switch model; DesignError with the nearest names when there is none of this name.

    ``generic-N`` is a switch of N ports of which nothing else is known.
    """
    generic = _GENERIC.fullmatch(model)
    if generic is not None:
        return _generic(model, int(generic[1]))
    if model not in switches() or model == "generic":
        raise _unknown("switch model", model, (*(m for m in switches() if m != "generic"), "generic-N"))
    found = _read("switches", model)
    return _switch(found, model, int(found["ports"]))


@cache
def asic(name: str) -> Asic | None:
    """Return a switch chip by the name that models give it; ``None`` when no constants of it are known."""
    file = name.lower()
    if file not in asics():
        return None
    found = _read("asics", file)
    if "like" in found:
        found = {**_read("asics", found["like"]), **found}
    lengths = {parse_speed(speed): tuple(metres) for speed, metres in found.get("lengths", {}).items()}
    return Asic(
        name=str(found["name"]),
        cell=int(found["cell"]),
        pause=_pause(found),
        source=tuple(found["source"]),
        buffer=_buffer(found),
        lengths=lengths,
    )


@cache
def threshold_unit(system: str) -> Unit:
    """Return the unit in which a system takes queue thresholds; bytes where no data file says otherwise."""
    unit: Unit = _read("systems", system)["thresholds"] if system in _names("systems") else "bytes"
    return unit


@cache
def alpha_steps(system: str) -> tuple[Fraction, ...] | None:
    """Return the dynamic thresholds that a system takes, ascending; ``None`` where they are not known."""
    found = _read("systems", system).get("alpha") if system in _names("systems") else None
    return tuple(Fraction(2) ** power for power in range(found["least"], found["most"] + 1)) if found else None


@cache
def nic(name: str) -> NicModel:
    """Return a NIC; DesignError with the nearest names when there is none of this name."""
    if name not in nics():
        raise _unknown("NIC", name, nics())
    found = _read("nics", name)
    return NicModel(
        name=name,
        driver=str(found["driver"]),
        speeds=_speeds(found),
        max_mtu=int(found["max_mtu"]),
        names=_port_names(found["names"]) if "names" in found else None,
        source=tuple(found["source"]),
        pcie=Pcie(**found["pcie"]) if "pcie" in found else None,
        queues=found.get("queues"),
        lossless=found.get("lossless"),
    )


@cache
def naming(model: str, system: str) -> PortNames:
    """Return how ports of a model are named under ``system``: as its data file lists it, else as on a generic switch.

    DesignError when neither knows the system, or there is no such model.
    """
    listed = switch(model).systems
    found = listed.get(system) or switch("generic-64").systems.get(system)
    if found is None:
        raise DesignError(
            f"no port names are known for switch model {model!r} under system {system!r}",
            hint=f"systems of this model: {', '.join(listed)}; others with known port names: "
            f"{', '.join(sorted(switch('generic-64').systems.keys() - listed.keys())) or 'none'}",
        )
    return found.names


@cache
def switches() -> tuple[str, ...]:
    """Return the names of all data files of switches, sorted (``generic`` stands for ``generic-N``)."""
    return _names("switches")


@cache
def asics() -> tuple[str, ...]:
    """Return the names of all data files of switch chips, sorted."""
    return _names("asics")


@cache
def chips() -> tuple[str, ...]:
    """Return the names of all switch chips: those with constants, and those that only models name, sorted."""
    named = {switch(model).asic for model in switches() if model != "generic"}
    return tuple(sorted({str(_read("asics", file)["name"]) for file in asics()} | named - {"none"}))


@cache
def nics() -> tuple[str, ...]:
    """Return the names of all NICs, sorted."""
    return _names("nics")


def _generic(model: str, ports: int) -> SwitchModel:
    found = _read("switches", "generic")
    least, most = found["ports"]["min"], found["ports"]["max"]
    if not least <= ports <= most:
        raise DesignError(
            f"switch model {model!r}: a generic switch has {least} to {most} ports",
            hint=f"write generic-{least} to generic-{most}",
        )
    return _switch(found, model, ports)


def _switch(found: Mapping[str, Any], name: str, ports: int) -> SwitchModel:
    systems = {
        system: SystemPorts(names=_port_names(rows["names"]), max_mtu=int(rows["max_mtu"]))
        for system, rows in found["systems"].items()
    }
    breakouts = {int(ways): _sorted(speeds) for ways, speeds in found.get("breakouts", {}).items()}
    source, logical = tuple(found["source"]), found.get("logical")
    return SwitchModel(name, str(found["asic"]), ports, _speeds(found), systems, source, breakouts, logical)


def _pause(found: Mapping[str, Any]) -> NvidiaPause | MerchantPause:
    if "merchant" in found:
        rows = found["merchant"]
        faster = {parse_speed(speed): parse_speed(as_) for speed, as_ in rows.get("counts_as", {}).items()}
        return MerchantPause(**{**rows, "waste": Fraction(rows["waste"]), "counts_as": faster})
    rows = found["nvidia"]
    return NvidiaPause(**{**rows, "quanta": {parse_speed(speed): quanta for speed, quanta in rows["quanta"].items()}})


def _buffer(found: Mapping[str, Any]) -> PacketBuffer | None:
    rows = found.get("buffer")
    return PacketBuffer(**{"pools": rows["total"], **rows}) if rows else None


def _port_names(rows: Mapping[str, Any]) -> PortNames:
    children = rows.get("children")
    return PortNames(**{**rows, "children": ChildNames(**children) if children else None})


def _speeds(found: Mapping[str, Any]) -> tuple[int, ...]:
    return _sorted(found["speeds"])


def _sorted(speeds: Iterable[str]) -> tuple[int, ...]:
    return tuple(sorted(parse_speed(speed) for speed in speeds))


def _names(folder: str) -> tuple[str, ...]:
    names = (entry.name for entry in files("fabric.hardware").joinpath("data", folder).iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


def _read(folder: str, name: str) -> Mapping[str, Any]:
    text = files("fabric.hardware").joinpath("data", folder, f"{name}.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Any] = YAML(typ="safe", pure=True).load(text)
    return found


def _unknown(what: str, name: str, known: tuple[str, ...]) -> DesignError:
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    return DesignError(f"unknown {what} {name!r}", hint=f"{meant}known: {', '.join(known)}")
