"""Reloads, and the guard before them: FRR's own list of what it would delete must stay within what is ours.

frr-reload compares a file with the running configuration, which may have moved since the file was made. Its list is
read on the node, right before the reload, by a small awk program that gets the permitted deletions on its standard
input, as path prefixes such as ``- router bgp 65101 > no neighbor swp1``. Whatever else the list holds ends the command
with code 3 and the lines in its output. Some deletions are listed among the additions, as ``no ...`` (static routes of
VRFs); so those must be statements of the file itself, ``+ router bgp 65101 > no bgp default ipv4-unicast``.

A reload from any file but ``<confdir>/frr.conf`` ends with FRR writing its running configuration over the startup file
(seen with 8.4.4). Therefore the file to load is called frr.conf, and its folder is given as the configuration folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from fabric.changes.command import Command, Effect
from fabric.platforms.parts.frr_bgp import families, is_ours, our_peers
from fabric.platforms.parts.frr_text import BASE, FORWARDING_OFF, IPV4, BgpBlock, Config
from fabric.settings.scope import Scope

RUN_FOLDER = "/run/frr"
_RELOAD = f"/usr/lib/frr/frr-reload.py --confdir {RUN_FOLDER} --stdout"
_ALLOWED_END = "--"

_JUDGE = r"""
!listing { if ($0 == "--") listing = 1; else allowed[count++] = $0 " "; next }
/^Lines To Delete$/ { judge(); side = "-"; next }
/^Lines To Add$/ { judge(); side = "+"; next }
side == "" || /^=+$/ || /^ *$/ { next }
{
  match($0, /^ */); depth = RLENGTH
  if (depth <= level) judge()
  path[depth] = substr($0, depth + 1); level = depth; held = 1
}
END { judge(); exit bad }
function judge(  text, i) {
  if (!held) return
  held = 0; text = side " " path[0]
  for (i = 1; i <= level; i++) text = text " > " path[i]
  if (side == "+" && path[level] !~ /^no /) return
  for (i = 0; i < count; i++) if (index(text " ", allowed[i]) == 1) return
  print "not ours, and would be deleted: " substr(text, 3); bad = 3
}
"""


def guard(path: str, permitted: tuple[str, ...]) -> Command:
    """Return the command that fails (code 3) when loading ``path`` would delete more than ``permitted``.

    It fails with code 4 and FRR's own words when frr-reload cannot read the file.
    """
    return Command(f"sh -c {quote(_judging(path))}", Effect.READS, timeout=60.0, stdin=_lines(permitted))


def reload(path: str, permitted: tuple[str, ...]) -> Command:
    """Return the command that makes ``path`` the running configuration; ``path`` must be frr.conf in `RUN_FOLDER`.

    It judges once more and in the same breath, so that no load goes without, also where nobody looks at the steps
    before: in a timer on the node.
    """
    script = f"{_judging(path)} || exit; exec {_RELOAD} --reload {quote(path)}"
    return Command(f"sh -c {quote(script)}", Effect.WRITES, timeout=120.0, stdin=_lines(permitted))


def _judging(path: str) -> str:
    return (
        "permitted=$(cat); "
        f"list=$({_RELOAD} --test {quote(path)} </dev/null 2>&1) || {{ printf '%s\\n' \"$list\"; exit 4; }}; "
        f'printf \'%s\\n\' "$permitted" {_ALLOWED_END} "$list" | awk {quote(_JUDGE)}'
    )


def _lines(permitted: tuple[str, ...]) -> str:
    return "\n".join(permitted) + "\n"


def permitted(now: Config, wanted: Config, scope: Scope) -> tuple[str, ...]:
    """Return what may be deleted on the way from ``now`` to ``wanted`` (``-``), and the added ``no`` lines (``+``).

    Each is a path of blocks and a statement, such as ``- router bgp 65101 > no bgp router-id 10.255.0.3``.
    """
    deletions = {*_of_router(now.router, wanted.router, scope), *_of_globals(now, wanted)}
    additions = (line for line in _paths(wanted) if line.rpartition(" > ")[2].startswith("no "))
    return (*(f"- {line}" for line in sorted(deletions)), *(f"+ {line}" for line in sorted(set(additions))))


def _of_router(old: BgpBlock | None, new: BgpBlock | None, scope: Scope) -> Iterator[str]:
    if old is None:
        return
    if new is None or new.asn != old.asn:
        yield f"no {_place(old, BASE)}"
        return
    places = [_place(old, name) for name in {*old.sections, IPV4}]
    for peer in our_peers([old, new], scope):
        yield from (f"{place} > {words} {peer}" for place in places for words in ("no neighbor", "neighbor"))
    for name in (BASE, *families(scope)):
        ours = (line for line in old.lines(name) if is_ours(name, line, scope))
        yield from (f"{_place(old, name)} > {_negated(line)}" for line in ours)


def _of_globals(now: Config, wanted: Config) -> Iterator[str]:
    """Yield the switches of the kernel's forwarding that the target leaves out; no other global line may go."""
    kept = {*wanted.before, *wanted.after}
    said = {*now.before, *now.after}
    return (_negated(line) for line in FORWARDING_OFF.values() if line in said - kept)


def _paths(config: Config) -> Iterator[str]:
    """Yield all statements of a configuration with the blocks that they stand in."""
    path: list[str] = []
    for line in (*config.before, *config.after):
        depth = len(line) - len(line.lstrip(" "))
        path = [*path[:depth], line.strip()]
        yield " > ".join(path)
    router = config.router
    if router is not None:
        yield from (f"{_place(router, name)} > {line}" for name, lines in router.sections.items() for line in lines)


def _place(router: BgpBlock, section: str) -> str:
    head = f"router bgp {router.asn}"
    return head if section == BASE else f"{head} > address-family {section}"


def _negated(line: str) -> str:
    return line.removeprefix("no ") if line.startswith("no ") else f"no {line}"
