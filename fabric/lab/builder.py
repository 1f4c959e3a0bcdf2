"""Build a lab and keep it alive: ``python -m fabric.lab.builder FOLDER``, as the first process of a PID namespace.

Everything that belongs to the lab lives in that PID namespace: when this process ends, however it ends, the
kernel ends all of it. It reads ``plan.json``, tells its progress on stdout (one JSON object a line, the last
one ``ready`` or ``failed``), and then relays SSH connections until it is ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_interface
from pathlib import Path

from fabric.errors import FabricError, UsageError
from fabric.lab import access, cabling, forwarder, image, kernel
from fabric.lab.machine import SEARCH_PATH
from fabric.lab.node import Running, spawn, tail
from fabric.lab.plan import LabPlan, load

_DEADLINE = 60.0
_DEADLINE_PER_NODE = 3.0


@dataclass(frozen=True, slots=True)
class Networks:
    """Open files of the two namespaces beside the nodes'."""

    management: int
    patch: int


def main(folder: Path) -> int:
    """Build the lab of ``folder`` and serve it; 1 when it could not be built."""
    # Pipes, listeners and relayed connections of hundreds of nodes are more than the usual 1024 open files.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    try:
        lab = load((folder / "plan.json").read_text())
        listeners = {node.name: forwarder.listen() for node in lab.nodes}
        nodes = _build(folder, lab, listeners)
    except (FabricError, OSError, subprocess.SubprocessError) as error:
        hint = error.hint if isinstance(error, FabricError) else ""
        _say(failed=str(error), hint=hint)
        return 1
    _say(ready=True)
    os.dup2(2, 1)
    addresses = {node.name: str(ip_interface(node.address).ip) for node in lab.nodes}
    asyncio.run(forwarder.serve(listeners, addresses, {node.pid: node.plan.name for node in nodes}))
    return 0


def _build(folder: Path, lab: LabPlan, listeners: Mapping[str, socket.socket]) -> tuple[Running, ...]:
    deadline = time.monotonic() + _DEADLINE + _DEADLINE_PER_NODE * len(lab.nodes)
    _say(progress="making keys")
    keys = folder / "keys"
    logs = folder / "logs"
    keys.mkdir(mode=0o700)
    logs.mkdir()
    client = access.new_key(folder / "id_ed25519", f"{lab.fabric} lab")
    hosts = {node.name: access.new_key(keys / node.name, node.name) for node in lab.nodes}
    networks = _networks()
    _say(progress=f"starting {len(lab.nodes)} nodes")
    nodes = tuple(
        spawn(node, image.files(node, hosts[node.name].private, client.public), logs / f"{node.name}.log")
        for node in lab.nodes
    )
    _await(nodes, b"ready\n", deadline, logs)
    _say(progress=f"cabling {len(lab.cables)} cables")
    _cable(lab, {node.plan.name: node.pid for node in nodes}, networks)
    _say(progress="starting daemons")
    for node in nodes:
        os.write(node.orders, b"go\n")
        os.close(node.orders)
    _await(nodes, b"started\n", deadline, logs)
    _say(progress="waiting until all neighbours are heard")
    _await(nodes, b"heard\n", deadline, logs)
    for node in nodes:
        os.close(node.reports)
    ports = {name: listener.getsockname()[1] for name, listener in listeners.items()}
    _record(folder, nodes, networks, ports)
    access.publish(folder, lab.fabric, ports, {n: k.public for n, k in hosts.items()}, folder / "id_ed25519")
    return nodes


def _networks() -> Networks:
    """Make both namespaces and stay in that of the management network."""
    kernel.unshare(kernel.NEW_NETWORK)
    # The patch panel must not speak itself: its ends would send router solicitations into the nodes.
    for scope in ("all", "default"):
        Path(f"/proc/sys/net/ipv6/conf/{scope}/disable_ipv6").write_text("1")
    patch = os.open("/proc/self/ns/net", os.O_RDONLY)
    kernel.unshare(kernel.NEW_NETWORK)
    return Networks(os.open("/proc/self/ns/net", os.O_RDONLY), patch)


def _cable(lab: LabPlan, pids: Mapping[str, int], networks: Networks) -> None:
    _run_in(networks.management, "ip", cabling.management_ports(lab, pids))
    _run_in(networks.patch, "ip", cabling.node_ports(lab, pids))
    filters, up = cabling.plug_all(lab)
    _run_in(networks.patch, "tc", filters)
    _run_in(networks.patch, "ip", up)


def _run_in(network: int, tool: str, batch: str) -> None:
    """Run an ip or tc batch in a network namespace; UsageError with the tool's words."""
    if not batch:
        return
    done = subprocess.run(
        ["nsenter", f"--net=/proc/self/fd/{network}", tool, "-batch", "-"],
        input=batch,
        text=True,
        capture_output=True,
        pass_fds=(network,),
        env={"PATH": SEARCH_PATH},
        timeout=120,
        check=False,
    )
    if done.returncode:
        raise UsageError(f"{tool} refused to cable the lab: {done.stderr.strip()}")


def _await(nodes: Iterable[Running], word: bytes, deadline: float, logs: Path) -> None:
    """Wait until every node has reported ``word``; UsageError naming the first that ended, or all that are late."""
    with selectors.DefaultSelector() as selector:
        waiting = {node.plan.name for node in nodes}
        for node in nodes:
            selector.register(node.reports, selectors.EVENT_READ, node.plan.name)
        while waiting:
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise UsageError(f"not {word.decode().strip()} in time: {', '.join(sorted(waiting))}", hint=str(logs))
            for key, _ in ready:
                if os.read(key.fd, len(word)) != word:
                    log = logs / f"{key.data}.log"
                    raise UsageError(f"node {key.data} ended before it was {word.decode().strip()}", hint=tail(log))
                waiting.discard(key.data)
                selector.unregister(key.fd)


def _record(folder: Path, nodes: Iterable[Running], networks: Networks, ports: Mapping[str, int]) -> None:
    built = {
        "format_version": 1,
        "patch": networks.patch,
        "nodes": {n.plan.name: {"pid": n.pid, "port": ports[n.plan.name]} for n in nodes},
    }
    access.write(folder / "built.json", json.dumps(built, indent=1))


def _say(**words: str | bool) -> None:
    """Tell whoever started us; when nobody listens any more, this process must end, and its lab with it."""
    os.write(1, (json.dumps(words) + "\n").encode())


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
