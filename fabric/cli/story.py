"""The story that `fabric demo` tells, as a list of commands; live on the lab, or from recordings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fabric.errors import UsageError
from fabric.results import ExitCode


@dataclass(frozen=True, slots=True)
class Act:
    """One command of the story: what it is about, its arguments, and how it should end."""

    words: str
    args: tuple[str, ...]
    ends: ExitCode = ExitCode.DONE


@dataclass(frozen=True, slots=True)
class Story:
    """Acts in order; ``last`` is told whatever happens before it."""

    acts: tuple[Act, ...]
    last: Act


def live(file: Path) -> Story:
    """Return the story on the lab of a file with two tiers of switches."""
    at = str(file)
    leaf, one, other = _two_uplinks(file)
    return Story(
        (
            Act("Prove the file right", ("validate", at)),
            Act("Build its lab: real FRR, sshd and lldpd in network namespaces", ("lab", "up", at)),
            Act("See what an apply would do", ("plan", at)),
            Act("Apply it: canary first, wave by wave", ("apply", at, "--yes")),
            Act("Nothing is left to change", ("plan", at)),
            Act("Prove the fabric", ("verify", at)),
            Act("Swap two cables", ("lab", "fault", "swap-cables", f"{leaf}:{one}", f"{leaf}:{other}", "-f", at)),
            Act("Change settings of a node by hand", ("lab", "fault", "drift", leaf, "-f", at)),
            Act("Both are found, with what is wrong where", ("verify", at), ExitCode.FAILED),
            Act("Put the cables back", ("lab", "fault", "mend", "-f", at)),
            Act("Mend the drift", ("apply", at, "--yes")),
            Act("Prove the fabric again", ("verify", at)),
        ),
        Act("Take the lab down", ("lab", "down", at)),
    )


def recorded(folder: Path) -> Story:
    """Return the story from the recordings that ship with an inventory."""
    at, kept = str(folder), folder / "recordings"
    return Story(
        (
            Act("Prove the file right", ("validate", at)),
            Act("See what an apply would do", ("plan", at, "--against", str(kept / "bare"))),
            Act("After an apply nothing is left to change", ("plan", at, "--against", str(kept / "applied"))),
            Act("Prove the fabric", ("verify", at, "--against", str(kept / "applied"))),
            Act(
                "Two cables swapped and settings changed by hand: both are found",
                ("verify", at, "--against", str(kept / "broken")),
                ExitCode.FAILED,
            ),
        ),
        Act("What mends it", ("plan", at, "--against", str(kept / "broken"))),
    )


def lacking() -> str:
    """Return what this machine lacks for the live story, empty when nothing."""
    from fabric.lab.control import missing

    return "; ".join(problem.message for problem in missing())


def shipped(name: str) -> Path:
    """Return the folder of an inventory that ships with the program."""
    import fabric

    package = Path(fabric.__file__).parent
    for place in (package / "_inventories" / name, package.parent / "inventories" / name):
        if place.is_dir():
            return place
    raise UsageError(f"the inventory {name} is not part of this installation", hint="install roce-fabric anew")


def _two_uplinks(file: Path) -> tuple[str, str, str]:
    """Return a leaf and two of its ports that lead to different switches."""
    from fabric.workflows.prepare import sound

    network = sound(file).design.network
    for name, links in reversed(list(network.links_of.items())):
        ups = {far.node: own.port for _, own, far in links if network.nodes[far.node].tier > network.nodes[name].tier}
        if network.nodes[name].tier == 1 and len(ups) > 1:
            one, other, *_ = ups.values()
            return name, one, other
    raise UsageError("the story needs a leaf with uplinks to two switches", where=str(file))
