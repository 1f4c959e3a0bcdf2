"""Progress: how many nodes are done, and which keep the rest waiting; a line on stderr, on terminals only."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

# Seconds: what is over sooner shows nothing, and a node that takes longer is named.
_SILENT = 0.5
_SLOW = 3.0
_NAMED = 3


class Bar:
    """A line that is there while nodes are worked on, and leaves nothing behind; `transport.runner` tells it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = threading.Lock()
        self._live: Live | None = None
        self._running: dict[str, float] = {}
        self._total = self._done = 0
        self._since = 0.0

    def begins(self, nodes: Sequence[str]) -> None:
        """Draw the line, a moment later."""
        with self._lock:
            self._running, self._total, self._done, self._since = {}, len(nodes), 0, time.monotonic()
        self._draw()

    def starts(self, node: str) -> None:
        """Count from when a node takes its time."""
        with self._lock:
            self._running[node] = time.monotonic()

    def ends(self, node: str) -> None:
        """Count a node as done."""
        with self._lock:
            self._running.pop(node, None)
            self._done += 1

    def over(self) -> None:
        """Take the line away."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    @contextmanager
    def away(self) -> Iterator[None]:
        """Take the line away for a moment, such as for a question."""
        shown = self._live is not None
        self.over()
        try:
            yield
        finally:
            if shown:
                self._draw()

    def _draw(self) -> None:
        from rich.live import Live

        self._live = Live(
            console=self._console,
            get_renderable=self._line,
            refresh_per_second=4,
            transient=True,
            redirect_stdout=False,
        )
        self._live.start()

    def _line(self) -> RenderableType:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        now = time.monotonic()
        with self._lock:
            done, total, since = self._done, self._total, self._since
            slow = [node for node, begun in self._running.items() if now - begun > _SLOW]
        if now - since < _SILENT:
            return Text("", end="")
        named = f"waiting for {', '.join(slow[:_NAMED])}" if slow else ""
        more = f" and {len(slow) - _NAMED} more" if len(slow) > _NAMED else ""
        row = Table.grid(padding=(0, 1))
        row.add_row(ProgressBar(total, done, width=20), f"{done:,}/{total:,} nodes", Text(f"{named}{more}", "dim"))
        return row


@contextmanager
def watching(ask: Callable[[str], str], *, no_color: bool = False) -> Iterator[Callable[[str], str]]:
    """Show progress on stderr while nodes are worked on, where that is a terminal that can move its cursor.

    Gives ``ask`` back in such a way that the line makes room for the question.
    """
    if not _wanted():
        yield ask
        return
    from rich.console import Console

    from fabric.transport.runner import WATCHER

    bar = Bar(Console(stderr=True, no_color=no_color or None))

    def asked(question: str) -> str:
        with bar.away():
            return ask(question)

    token = WATCHER.set(bar)
    try:
        yield asked
    finally:
        WATCHER.reset(token)


def _wanted() -> bool:
    dumb = os.environ.get("TERM", "") in {"", "dumb"}
    return sys.stderr.isatty() and not dumb and os.environ.get("FABRIC_DEBUG") != "1"
