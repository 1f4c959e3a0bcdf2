"""Interruption: Ctrl-C and SIGTERM as a request that a run looks at between two steps, not an exception in one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interruptible(stop: threading.Event, say: Callable[[str], None]) -> Iterator[None]:
    """Set ``stop`` at the first signal; a second one ends the program at once.

    Outside the main thread, where Python delivers no signals, this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def ask_to_stop(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        say("stopping: what is being written is undone first; again to stop at once (devices restore themselves)")
        for number in _SIGNALS:
            signal.signal(number, signal.default_int_handler)

    for number in _SIGNALS:
        signal.signal(number, ask_to_stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
