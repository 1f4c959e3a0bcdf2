"""guard: the lock, the timer that undoes by itself, and the memory of what is ours, as files on a Linux node.

Everything lies below one folder: ``lock`` (run, owner and time), ``scope.json``, and per run a folder with
``undo.sh`` (the undo steps as a shell script), ``timer.sh``, ``deadline`` (seconds of uptime), ``verdict`` (who
decided about this run, made once: ``confirmed``, ``expired`` or ``restored``), ``result`` and ``log``. The verdict is
a hard link, so that of timer, confirmation and restoration only one ever wins.
"""

from __future__ import annotations

import json
import re
from functools import partial
from shlex import quote

from pydantic import TypeAdapter, ValidationError

from fabric.changes.command import Command, Effect, Output
from fabric.changes.steps import Arm, Confirm, Put, Restore, Run, Step
from fabric.errors import PlatformError
from fabric.platforms.contract import Guard
from fabric.platforms.parts.undo import undo_script
from fabric.settings.scope import Scope

BASE = "/var/lib/fabric"

_SCOPE = TypeAdapter(Scope)
_RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_PATIENCE = 120  # seconds for an undo that is running

# The functions that all scripts share; each expects to stand in the run's folder.
_WORDS = """\
verdict() { cat verdict 2>/dev/null; }
claim() { echo "$1" >claim.$$; ln claim.$$ verdict 2>/dev/null; won=$?; rm -f claim.$$; return $won; }
uptime() { read -r up rest </proc/uptime; echo "${up%%.*}"; }
push() { echo $(($(uptime) + $1)) >deadline.$$; mv deadline.$$ deadline; }
finished() { i=0; while [ ! -e result ] && [ $i -lt $1 ]; do sleep 1; i=$((i + 1)); done; [ -e result ]; }
undo() { sh ./undo.sh; echo $? >result.$$; mv result.$$ result; }
"""

# One timer a run: a new one makes itself the owner, and the old one leaves when it sees that.
_TIMER = (
    "#!/bin/sh\n"
    + _WORDS
    + """\
cd "$1" || exit 1
echo $$ >owner
while [ "$(uptime)" -lt "$(cat deadline)" ]; do
  sleep 1
  [ ! -e verdict ] && [ "$(cat owner)" = $$ ] || exit 0
done
claim expired || exit 0
echo "$(date): nobody confirmed in time"
undo
"""
)


def guard(base: str = BASE) -> Guard:
    """Return the guard that keeps its files below ``base``."""
    recall = Command(f"cat {base}/scope.json 2>/dev/null || :")
    return Guard(
        lock=partial(_lock, base),
        unlock=partial(_unlock, base),
        arm=partial(_arm, base),
        confirm=partial(_confirm, base),
        restore=partial(_restore, base),
        remember=partial(_remember, base),
        recall=(recall, _recalled),
    )


def _folder(base: str, run: str) -> str:
    if _RUN.fullmatch(run) is None:
        raise PlatformError(f"a run may not be called {run!r}", hint="letters, digits, dots and dashes are allowed")
    return f"{base}/runs/{run}"


def _lock(base: str, run: str) -> Command:
    """Take the lock; a run takes its own again, and what its earlier timer did is history then.

    A hard link carries the holder's words with it: nobody ever sees a lock without a holder.
    """
    folder = _folder(base, run)
    return _script(
        f"""\
mkdir -p {base} || exit 1
new={base}/.lock.$$
who="${{SUDO_USER:-$(id -un)}}${{SSH_CLIENT:+ from ${{SSH_CLIENT%% *}}}}"
printf 'run %s, by %s, since %s\\n' {run} "$who" "$(date)" >$new || exit 1
ln $new {base}/lock 2>/dev/null; taken=$?
rm -f $new
holder=$(cat {base}/lock 2>/dev/null)
case $holder in
  "run {run}, "*) ;;
  *) echo "${{holder:-cannot make {base}/lock}}"; exit 1 ;;
esac
cd {folder} 2>/dev/null || exit 0
{_WORDS}[ "$(verdict)" = "" ] || [ "$(verdict)" = confirmed ] || finished {_PATIENCE}
[ ! -e verdict ] || rm -f verdict result
exit 0
""",
        timeout=_PATIENCE + 30,
    )


def _unlock(base: str, run: str) -> Command:
    _folder(base, run)
    return _script(
        f"""\
holder=$(cat {base}/lock 2>/dev/null)
case $holder in
  "") ;;
  "run {run}, "*) rm -f {base}/lock ;;
  *) echo "$holder"; exit 1 ;;
esac
"""
    )


def _arm(base: str, run: str, undo: tuple[Step, ...], seconds: int) -> Arm:
    folder = _folder(base, run)
    detached = f"setsid nohup sh ./timer.sh {folder} </dev/null >>log 2>&1 &"
    start: tuple[Put | Run, ...] = (
        Run(
            why="the folder of the run exists",
            command=Command(f"mkdir -p {folder} && chmod 700 {folder}", Effect.WRITES),
        ),
        Put(why="what the timer would do", path=f"{folder}/undo.sh", content=undo_script(undo), mode=0o700),
        Put(why="the timer itself", path=f"{folder}/timer.sh", content=_TIMER, mode=0o700),
        Run(
            why=f"start the timer: {seconds} s",
            command=_script(
                f"cd {folder} || exit 1\n{_WORDS}push {seconds} || exit 1\nrm -f verdict result\n{detached}\n"
            ),
        ),
    )
    extend = _script(
        f"cd {folder} || exit 1\n{_WORDS}"
        f'[ ! -e verdict ] || {{ echo "too late: $(verdict)"; exit 1; }}\npush {seconds}\n'
    )
    return Arm(
        why=f"the node undoes this by itself unless told otherwise within {seconds} s",
        start=start,
        extend=extend,
        seconds=seconds,
    )


def _confirm(base: str, run: str) -> Confirm:
    """Stop the timer; refused only when it was faster. Without one, or after a restoration, there is none to stop."""
    script = _script(
        f"""\
cd {_folder(base, run)} 2>/dev/null || exit 0
{_WORDS}claim confirmed && exit 0
[ "$(verdict)" != expired ] || {{ echo "too late: the timer has undone this run"; exit 1; }}
"""
    )
    return Confirm(why="keep the change: stop the timer", command=script)


def _restore(base: str, run: str) -> Restore:
    """Undo now, in a process that outlives the session; when an undo is running already, wait for that one."""
    script = _script(
        f"""\
cd {_folder(base, run)} 2>/dev/null || {{ echo "there is nothing to restore for {run}"; exit 1; }}
{_WORDS}claim restored || [ "$(verdict)" != confirmed ] || {{ echo "run {run} was confirmed"; exit 1; }}
if ! kill -0 "$(cat undoing 2>/dev/null)" 2>/dev/null && [ ! -e result ] && [ "$(verdict)" = restored ]; then
  setsid nohup sh -c 'echo $$ >undoing; sh ./undo.sh; echo $? >result.$$; mv result.$$ result' </dev/null >>log 2>&1 &
fi
finished {_PATIENCE} || {{ echo "the undo has not ended after {_PATIENCE} s"; exit 1; }}
[ "$(cat result)" = 0 ] || {{ tail -n 20 log; exit 1; }}
""",
        timeout=_PATIENCE + 30,
    )
    return Restore(why="undo this run now", command=script)


def _remember(base: str, scope: Scope) -> Step:
    return Put(
        why="remember what is ours, for the next plan",
        path=f"{base}/scope.json",
        content=json.dumps(_sorted(scope), indent=1) + "\n",
        mode=0o600,
    )


def _sorted(scope: Scope) -> dict[str, list[str]]:
    """Return a scope in one order, so that equal scopes make equal files."""
    prefixes = sorted(scope.prefixes, key=lambda prefix: (prefix.version, prefix))
    return {"ports": sorted(scope.ports), "prefixes": [str(p) for p in prefixes], "names": sorted(scope.names)}


def _recalled(output: Output) -> Scope:
    """Return the scope that a node remembers; an empty one when it remembers none."""
    if not output.text.strip():
        return Scope()
    try:
        return _SCOPE.validate_json(output.text)
    except ValidationError as error:
        raise PlatformError(
            f"cannot read what the node remembers ({output.command}): {error.errors()[0]['msg']}",
            hint="remove that file; then only what the design names now counts as ours",
        ) from error


def _script(text: str, timeout: float = 30.0) -> Command:
    """Return a command that runs a script in a shell of its own, whatever shell the user has."""
    return Command(f"sh -c {quote(text)}", Effect.WRITES, timeout=timeout)
