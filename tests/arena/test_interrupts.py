"""Ctrl-C: the first one sets a flag, the second one raises KeyboardInterrupt."""

import os
import signal
import threading

import pytest

from bots.arena.play.interrupts import Interrupts


def ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)


def test_the_first_sets_a_flag_and_the_second_raises():
    with Interrupts() as interrupts:
        assert not interrupts.requested
        ctrl_c()
        assert interrupts.requested
        with pytest.raises(KeyboardInterrupt):
            ctrl_c()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_existing_handler_is_kept():
    seen = []
    signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        with Interrupts() as interrupts:
            ctrl_c()
        assert (seen, interrupts.requested) == ([signal.SIGINT], False)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def test_outside_the_main_thread_nothing_is_changed():
    found = []

    def look():
        with Interrupts():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.default_int_handler]
