import os
import signal
import threading

import pytest

from fabric.workflows.interrupts import interruptible


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_asks_to_stop_and_the_second_one_stops(number):
    stop, said = threading.Event(), []
    before = signal.getsignal(number)

    def twice():
        with interruptible(stop, said.append):
            os.kill(os.getpid(), number)
            assert stop.wait(5)
            os.kill(os.getpid(), number)
            threading.Event().wait(5)

    with pytest.raises(KeyboardInterrupt):
        twice()
    assert "stopping" in said[0]
    assert signal.getsignal(number) == before


def test_another_thread_gets_no_signals_and_needs_no_care():
    ran = []

    def work():
        with interruptible(threading.Event(), ran.append):
            ran.append("worked")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ran == ["worked"]
