"""The journal: every run with its nodes, kept in SQLite so that a kill at any point loses nothing."""

from __future__ import annotations

import getpass
import json
import os
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from pydantic import TypeAdapter
from sqlalchemy import Column, Engine, Integer, MetaData, String, Table, create_engine, event, select, update
from sqlalchemy.exc import SQLAlchemyError

from fabric.changes.change import STEPS
from fabric.changes.command import Output
from fabric.changes.run import NodeRun, NodeState, Run, RunState
from fabric.changes.steps import Step
from fabric.errors import Locked, UsageError
from fabric.places import state_folder
from fabric.settings.scope import Scope

FORMAT_VERSION = 1
OUTPUTS: TypeAdapter[dict[str, Output]] = TypeAdapter(dict[str, Output])
SCOPE: TypeAdapter[Scope] = TypeAdapter(Scope)

_meta = MetaData()
_runs = Table(
    "runs",
    _meta,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("fabric", String, nullable=False),
    Column("file", String, nullable=False),
    Column("intent", String, nullable=False),
    Column("options", String, nullable=False),
    Column("state", String, nullable=False),
    Column("started", String, nullable=False),
    Column("ended", String, nullable=False, default=""),
    Column("by", String, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("born", String, nullable=False),
    Column("format_version", Integer, nullable=False),
)
_nodes = Table(
    "nodes",
    _meta,
    Column("run", String, primary_key=True),
    Column("node", String, primary_key=True),
    Column("wave", Integer, nullable=False),
    Column("digest", String, nullable=False),
    Column("state", String, nullable=False),
    Column("message", String, nullable=False, default=""),
    Column("before", String, nullable=False, default=""),
    Column("scope", String, nullable=False, default=""),
    Column("undo", String, nullable=False, default=""),
)


@dataclass(frozen=True, slots=True)
class Before:
    """What a node was like before a run: outputs to parse again, the scope of the change, the undo made with it."""

    outputs: Mapping[str, Output]
    scope: Scope
    undo: tuple[Step, ...]


class Journal:
    """The journal of this machine; one row per run and one per node of a run."""

    def __init__(self, folder: Path | None = None) -> None:
        """Open (or make) the journal; UsageError when the folder cannot be written."""
        self.path = (folder or state_folder()) / "journal.sqlite"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._engine = _engine(self.path)
            _meta.create_all(self._engine)
        except (OSError, SQLAlchemyError) as error:
            raise UsageError(
                f"the journal cannot be opened: {error}",
                where=str(self.path),
                hint="free space there, or point FABRIC_STATE to a folder that can be written",
            ) from error
        self.path.chmod(0o600)

    def begin(self, kind: str, fabric: str, file: str, intent: str, options: Mapping[str, str]) -> str:
        """Enter a new run and return its id; Locked when another run of the fabric goes on in a living process."""
        with self._engine.begin() as db:
            rows = db.execute(select(_runs).where(_runs.c.fabric == fabric, _runs.c.state == RunState.RUNNING.value))
            for row in rows:
                if _alive(row.pid, row.born):
                    raise Locked(
                        f"run {row.id} by {row.by} is changing this fabric since {row.started}",
                        where=fabric,
                        hint="wait until it has ended (`fabric runs` shows it)",
                    )
            run = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
            db.execute(
                _runs.insert().values(
                    id=run, kind=kind, fabric=fabric, file=file, intent=intent, options=json.dumps(dict(options)),
                    state=RunState.RUNNING.value, started=_now(), by=operator(), format_version=FORMAT_VERSION,
                    pid=os.getpid(), born=_born(os.getpid()),
                )
            )  # fmt: skip
        return run

    def resume(self, run: str) -> Run:
        """Take a run that ended early as one's own; UsageError when it is done, Locked when it goes on."""
        found = self.get(run)
        if found.state is RunState.RUNNING and found.alive:
            raise Locked(f"run {run} is still going on", where=found.fabric, hint="wait until it has ended")
        if found.state is RunState.DONE:
            raise UsageError(f"run {run} is done; there is nothing to resume", hint="`fabric plan` shows what differs")
        with self._engine.begin() as db:
            values = {"state": RunState.RUNNING.value, "pid": os.getpid(), "born": _born(os.getpid())}
            db.execute(update(_runs).where(_runs.c.id == run).values(**values))
        return found

    def options(self, run: str) -> Mapping[str, str]:
        """Return the options that a run was begun with."""
        with self._engine.begin() as db:
            row = db.execute(select(_runs.c.options).where(_runs.c.id == run)).one()
        return {str(k): str(v) for k, v in json.loads(row.options).items()}

    def enter(self, run: str, node: str, wave: int, digest: str) -> None:
        """Enter a node of a run, as pending."""
        with self._engine.begin() as db:
            values = {"run": run, "node": node, "wave": wave, "digest": digest, "state": NodeState.PENDING.value}
            db.execute(_nodes.insert().values(**values))

    def keep(self, run: str, node: str, before: Before) -> None:
        """Keep what a node was like before its first write; a later call of the same run changes nothing."""
        where = (_nodes.c.run == run, _nodes.c.node == node, _nodes.c.before == "")
        values = {
            "before": OUTPUTS.dump_json(dict(before.outputs)).decode(),
            "scope": SCOPE.dump_json(before.scope).decode(),
            "undo": STEPS.dump_json(before.undo).decode(),
        }
        with self._engine.begin() as db:
            db.execute(update(_nodes).where(*where).values(**values))

    def before(self, run: str, node: str) -> Before | None:
        """Return what a node was like before a run; ``None`` when the run never wrote to it."""
        with self._engine.begin() as db:
            row = db.execute(select(_nodes).where(_nodes.c.run == run, _nodes.c.node == node)).one_or_none()
        if row is None or not row.before:
            return None
        return Before(OUTPUTS.validate_json(row.before), SCOPE.validate_json(row.scope), STEPS.validate_json(row.undo))

    def note(self, run: str, node: str, state: NodeState, message: str = "") -> None:
        """Write down how a node stands."""
        with self._engine.begin() as db:
            where = (_nodes.c.run == run, _nodes.c.node == node)
            db.execute(update(_nodes).where(*where).values(state=state.value, message=message))

    def end(self, run: str, state: RunState) -> None:
        """Write down how a run ended."""
        with self._engine.begin() as db:
            db.execute(update(_runs).where(_runs.c.id == run).values(state=state.value, ended=_now()))

    def get(self, run: str) -> Run:
        """Return a run with its nodes; UsageError when there is none of this id."""
        every = {found.id: found for found in self.all()}
        if run not in every:
            near = get_close_matches(run, every, n=2)
            hint = f"did you mean {' or '.join(near)}? `fabric runs` lists all" if near else "`fabric runs` lists them"
            raise UsageError(f"no run {run} in the journal", where=str(self.path), hint=hint)
        return every[run]

    def all(self) -> tuple[Run, ...]:
        """Return all runs, the latest first."""
        with self._engine.begin() as db:
            nodes: dict[str, list[NodeRun]] = {}
            for row in db.execute(select(_nodes).order_by(_nodes.c.wave, _nodes.c.node)):
                state = NodeState(row.state)
                nodes.setdefault(row.run, []).append(NodeRun(row.node, row.wave, state, row.message))
            return tuple(
                Run(
                    row.id, row.kind, row.fabric, row.file, row.intent, RunState(row.state), row.started,
                    row.ended, row.by, _alive(row.pid, row.born), tuple(nodes.get(row.id, ())),
                )
                for row in db.execute(select(_runs).order_by(_runs.c.started.desc(), _runs.c.id.desc()))
            )  # fmt: skip


def operator() -> str:
    """Return who is at work, as ``user@machine``."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid())
    return f"{user}@{socket.gethostname()}"


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 30})

    @event.listens_for(engine, "connect")
    def _(connection: object, _record: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined]  # a DB-API connection, which has no type of its own
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.close()

    return engine


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _born(pid: int) -> str:
    """Return when a process began, so that a recycled pid is not taken for it; empty off Linux."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""


def _alive(pid: int, born: str) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return _born(pid) == born
