"""What a node finds in its file system, and the script that starts its daemons; pure texts."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.lab.plan import NodePlan

CLEARED = (
    "/etc/fabric",
    "/etc/frr",
    "/etc/lldpd.d",
    "/etc/ssh",
    "/etc/sysctl.d",
    "/etc/systemd/system",
    "/var/lib/fabric",
    "/var/log/frr",
)
"""Folders in which nothing of the machine may show through."""

FOLDERS = (
    ("/etc/frr", "frr", 0o750),
    ("/run/frr", "frr", 0o755),
    ("/var/log/frr", "frr", 0o755),
    ("/run/sshd", "root", 0o755),
    ("/run/lldpd", "root", 0o755),
    ("/run/lock", "root", 0o1777),
    ("/etc/fabric", "root", 0o755),
    ("/var/lib/fabric", "root", 0o700),
)
"""Folders of a node with their owners and modes."""

_SSHD = """\
ListenAddress {address}
HostKey /etc/ssh/ssh_host_ed25519_key
AuthorizedKeysFile /etc/ssh/authorized_keys
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
UseDNS no
StrictModes no
PrintMotd no
PrintLastLog no
MaxStartups 1000:30:2000
MaxSessions 100
PidFile /run/sshd.pid
Subsystem sftp internal-sftp
"""

_LLDPD = """\
configure system hostname {name}
configure lldp portidsubtype ifname
configure lldp tx-interval 1
configure lldp tx-hold 10
"""

# A nexthop group that zebra keeps while it is unused (180 s by default) loses its members in the kernel when their
# link goes down, and zebra 8.4 uses it again as if it were whole: after a cut is mended, ECMP would stay narrow.
_FRR = """\
frr defaults datacenter
hostname {name}
log file /var/log/frr/frr.log informational
zebra nexthop-group keep 1
service integrated-vtysh-config
"""

_DAEMONS = """\
bgpd=yes
bfdd={bfdd}
vtysh_enable=yes
frr_profile="datacenter"
"""

_FRR_DAEMON = "/usr/lib/frr/{0} -d -F datacenter -A 127.0.0.1"

_ROUTER = ("zebra", "staticd", "bgpd")

# Newer releases split the management of configuration off; without it they take none.
_MANAGER = "[ ! -x /usr/lib/frr/mgmtd ] || " + _FRR_DAEMON.format("mgmtd")

_MAIN = """\
set -e
{starts}
echo started >&3
until [ "$(lldpcli -f keyvalue show neighbors | grep -c 'chassis.name=')" -ge {cables} ]; do sleep 0.2; done
echo heard >&3
exec 3>&-
while :; do sleep infinity & wait; done
"""


@dataclass(frozen=True, slots=True)
class File:
    """A file of a node: absolute path, text, mode, and the user that owns it."""

    path: str
    text: str
    mode: int = 0o644
    owner: str = "root"


def files(node: NodePlan, host_key: str, client_key: str) -> tuple[File, ...]:
    """Return all files of a node; ``host_key`` is its private key, ``client_key`` the public key that may log in."""
    common = (
        File("/etc/hostname", f"{node.name}\n"),
        File("/etc/hosts", f"127.0.0.1 localhost\n127.0.1.1 {node.name}\n::1 localhost\n"),
        # A locked password ("!") would shut root out even with a key, as some distributions ship it.
        File("/etc/shadow", "root:*:19000:0:99999:7:::\n", 0o640),
        File("/etc/ssh/sshd_config", _SSHD.format(address=node.address.partition("/")[0])),
        File("/etc/ssh/ssh_host_ed25519_key", host_key, 0o600),
        File("/etc/ssh/authorized_keys", client_key, 0o600),
        File("/etc/lldpd.conf", _LLDPD.format(name=node.name)),
        File("/root/.profile", f"PS1='root@{node.name}:~# '\n"),
    )
    return common + (_router_files(node) if node.kind == "switch" else ())


def _router_files(node: NodePlan) -> tuple[File, ...]:
    return (
        File("/etc/frr/frr.conf", _FRR.format(name=node.name), 0o640, "frr"),
        File("/etc/frr/vtysh.conf", "service integrated-vtysh-config\n", 0o640, "frr"),
        File("/etc/frr/daemons", _DAEMONS.format(bfdd="yes" if node.bfd else "no"), 0o640, "frr"),
    )


def login_shell(passwd: str) -> str:
    """Return a passwd file in which root has a plain shell and ``/root`` as its home."""
    return "".join(
        "root:x:0:0:root:/root:/bin/sh\n" if line.startswith("root:") else line
        for line in passwd.splitlines(keepends=True)
    )


def start(node: NodePlan, daemon: str) -> str:
    """Return the shell command that starts one daemon of a node."""
    if daemon == "sshd":
        # The daemon goes to the background before it listens; its pid file is there once it does.
        return f"/usr/sbin/sshd -E /var/log/sshd.log && until [ -s {pid_file(daemon)} ]; do sleep 0.05; done"
    if daemon == "lldpd":
        # Without a description of its own the daemon would run a slow program of the machine to find one.
        return f"lldpd -S fabric-lab -I {','.join(node.ports) or 'none'}"
    command = _FRR_DAEMON.format(daemon)
    return f"{command} -s 90000000" if daemon == "zebra" else command


def daemons(node: NodePlan) -> tuple[str, ...]:
    """Return the daemons of a node in starting order."""
    return (*_routing(node), "sshd", "lldpd")


def _routing(node: NodePlan) -> tuple[str, ...]:
    if node.kind != "switch":
        return ()
    return (*_ROUTER, "bfdd") if node.bfd else _ROUTER


def main(node: NodePlan) -> str:
    """Return the script that a node runs as its first process: start everything, then collect what has ended."""
    starts = [start(node, daemon) for daemon in daemons(node)]
    if node.kind == "switch":
        routing = len(_routing(node))
        starts = [_MANAGER, *starts[:routing], "vtysh -b", *starts[routing:]]
    return _MAIN.format(starts="\n".join(starts), cables=node.cables)


def pid_file(daemon: str) -> str:
    """Return where a daemon writes its process id, as seen in its node."""
    return {"sshd": "/run/sshd.pid", "lldpd": "/run/lldpd.pid"}.get(daemon, f"/run/frr/{daemon}.pid")
