"""The inventories that are part of the project load as they are."""

from __future__ import annotations

from hashlib import sha256
from ipaddress import IPv4Network
from pathlib import Path

import pytest

from fabric.intent.loader import load
from fabric.intent.portrange import parse_ports
from fabric.intent.sections.topology import Cable
from fabric.places import Place


def test_lab_loads_with_its_values(inventories: Path) -> None:
    intent = load(inventories / "lab").intent
    assert intent.fabric == "lab"
    assert {name: role.count for name, role in intent.topology.switches.items()} == {"spine": 2, "leaf": 4}
    cables = [cable for cable in intent.topology.cables if isinstance(cable, Cable)]
    assert [(cable.from_, cable.to, cable.speed) for cable in cables] == [
        ("leaf", "spine", 10 * 10**9),
        ("gpu", "leaf", 10 * 10**9),
    ]
    assert intent.addressing.links == "unnumbered"
    assert intent.addressing.hosts == (IPv4Network("10.64.0.0/12"),)
    rdma = intent.classes["rdma"]
    assert (rdma.dscp, rdma.share, rdma.lossless) == ((26,), 60, True)
    assert rdma.ecn is not None
    assert (rdma.ecn.min, rdma.ecn.max, rdma.ecn.probability) == (100_000, 400_000, 20.0)
    assert intent.classes["default"].dscp == ()
    assert intent.jobs is not None
    assert intent.jobs.nccl is not None
    assert intent.jobs.nccl.class_ == "rdma"


def test_pod16_loads_with_its_values(inventories: Path) -> None:
    intent = load(inventories / "pod16" / "fabric.yaml").intent
    assert intent.topology.switches["leaf"].release == "202411"
    assert intent.addressing.links == (IPv4Network("10.128.0.0/16"),)
    assert intent.buffers is not None
    assert (intent.buffers.headroom, str(intent.buffers.alpha)) == ("auto", "1/8")
    assert intent.classes["rdma"].ecn is not None
    assert intent.classes["rdma"].ecn.min == "auto"
    assert intent.nic_settings is not None
    assert intent.nic_settings.mlx5 is not None
    assert intent.nic_settings.mlx5.dcqcn["rpg_time_reset"] == 300
    assert intent.access is not None
    assert intent.access.hosts is not None
    assert intent.access.hosts.sudo is True


def test_ai1024_loads_with_its_values(inventories: Path) -> None:
    intent = load(inventories / "ai1024").intent
    topology = intent.topology
    assert topology.pods == 8
    assert {name: (role.count, role.per) for name, role in topology.switches.items()} == {
        "superspine": (64, None),
        "spine": (16, "pod"),
        "leaf": (16, "pod"),
    }
    assert topology.switches["spine"].asn.per == "pod"
    assert topology.switches["leaf"].asn.stride == 64
    leaves, spines, hosts = (cable for cable in topology.cables if isinstance(cable, Cable))
    assert (leaves.per_pair, spines.spread, hosts.to_ports) == (2, "plane", parse_ports("1-32/2x"))
    assert intent.jobs is not None
    assert intent.jobs.nccl is not None
    assert intent.jobs.nccl.communicators == {"parameters": "parameters"}


def test_a_document_knows_where_every_key_and_item_stands(inventories: Path) -> None:
    document = load(inventories / "lab")
    file = str(inventories / "lab" / "fabric.yaml")
    assert document.file == file
    assert document.places["fabric"] == Place(file, 2, 1)
    assert document.places["topology.switches.spine.count"] == Place(file, 6, 13)
    assert document.places["topology.cables.0"] == Place(file, 11, 7)
    assert document.places["topology.cables.0.speed"] == Place(file, 11, 44)
    assert document.places["classes.bulk.traffic.0"] == Place(file, 22, 20)
    assert document.digest == sha256(Path(file).read_bytes()).hexdigest()


def test_a_key_that_was_left_out_leads_to_the_entry_it_belongs_to(inventories: Path) -> None:
    document = load(inventories / "lab")
    assert document.place("classes.rdma.queue") == document.places["classes.rdma"]
    assert document.place("classes.rdma.ecn.incast") == document.places["classes.rdma.ecn"]
    assert document.place("classes.rdma") == document.places["classes.rdma"]
    assert document.place("buffers.alpha") is None
    assert document.place("") is None


def test_places_cannot_be_changed(inventories: Path) -> None:
    document = load(inventories / "lab")
    with pytest.raises(TypeError):
        document.places["fabric"] = Place("elsewhere", 1, 1)


def test_the_same_file_gives_the_same_document(inventories: Path) -> None:
    assert load(inventories / "pod16") == load(str(inventories / "pod16" / "fabric.yaml"))
