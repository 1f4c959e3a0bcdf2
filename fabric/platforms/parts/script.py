"""script: the file that sets a node's network again after a reboot, ``network.sh``."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.changes.change import Steps
from fabric.changes.command import Command, Effect
from fabric.changes.delta import Delta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered, digest_of
from fabric.changes.steps import Put, Run
from fabric.errors import PlatformError
from fabric.settings.persistence import Persistence, Saved

ARTEFACT = "network.sh"
FOLDER = "/etc/fabric"
FILE = f"{FOLDER}/{ARTEFACT}"
SCRIPT_SHOW = Command(f"cat {FILE} 2>/dev/null || :")

_MODE = 0o755


def saved(text: str) -> Mapping[str, Saved]:
    """Return the persistence row of a script; none for an empty text, which means that there is no script."""
    return {ARTEFACT: Saved(digest_of(text))} if text else {}


def persisted(rendered: Rendered) -> Mapping[str, Saved]:
    """Return the persistence row that the node should have."""
    return saved(rendered.texts.get(ARTEFACT, ""))


def recorded(reading: Reading) -> str:
    """Return the script as it lies on the node; empty when there is none."""
    output = reading.outputs.get(SCRIPT_SHOW.text)
    return output.text if output is not None else ""


def steps(reading: Reading, rendered: Rendered, delta: Delta) -> Steps:
    """Put the script in its place, or remove it; the undo puts back what lay there."""
    changed = [wanted for key, _, wanted in delta.of(Persistence) if key == ARTEFACT]
    if not changed:
        return Steps()
    text = rendered.texts.get(ARTEFACT, "")
    if (changed[0] is not None) != bool(text):
        raise PlatformError(
            f"{FILE} is wanted and was not rendered" if not text else f"{FILE} was rendered and is not wanted",
            where=reading.node,
            hint=f"settings and texts of one node must be made from each other; the template is {ARTEFACT}.j2",
        )
    return Steps(_place(text, "what is set now comes back after a reboot"), _place(recorded(reading), "as it was"))


def _place(text: str, why: str) -> tuple[Put | Run, ...]:
    if not text:
        return (Run(why=f"{FILE}: {why}", command=Command(f"rm -f {FILE}", Effect.WRITES)),)
    return (
        Run(why=f"{FOLDER} exists", command=Command(f"mkdir -p {FOLDER}", Effect.WRITES)),
        Put(why=f"{FILE}: {why}", path=FILE, content=text, mode=_MODE),
    )
