"""A process for one bot, seen from the process that plays the game.

On Linux it is forked from a process in which no bot has run. Elsewhere, and where every process is to be spawned, it is
a new interpreter.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
from abc import ABC, abstractmethod
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from ...errors import BotError
from ...system.deadlines import Deadline
from ...system.features import KILL
from ...system.pipes import Receiver, Sender
from ...system.process_tree import descendants, end_processes
from ...system.start_method import can_fork_bots, interrupts_held
from .bot_main import READY, serve_forked, serve_spawned

START_SECONDS = 45.0
"""Longest time for a process to start. It is less than a worker may spend without running a bot."""


class BotProcess(ABC):
    """A process that runs `bot_main`, and the ends of the pipes to and from it."""

    def __init__(self) -> None:
        their_calls, calls = multiprocessing.Pipe(duplex=False)
        results, their_results = multiprocessing.Pipe(duplex=False)
        try:
            self._start(their_calls, their_results)
        finally:
            their_calls.close()
            their_results.close()
        self.calls, self.results = Sender(calls), Receiver(results)

    @abstractmethod
    def _start(self, calls: Connection, results: Connection) -> None:
        """Start the process with its ends of the pipes."""

    @property
    @abstractmethod
    def exit_code(self) -> int | None:
        """Exit code, negative for a signal; None while the process runs."""

    @abstractmethod
    def _kill(self) -> None:
        """End the process and wait for it."""

    def wait_until_ready(self) -> None:
        """Wait until the process can be called. It runs no code of a bot before.

        Raises:
            BotError: it has ended, or takes too long.
        """
        deadline, found = Deadline(START_SECONDS), b""
        while len(found) < len(READY):
            if not self.wait_for_results(deadline.seconds_left):
                raise BotError(f"a process for a bot did not start within {START_SECONDS:g} s")
            chunk = self.results.read()
            if not chunk:
                raise BotError("a process for a bot ended while it started")
            found += chunk

    def wait_for_results(self, seconds: float) -> bool:
        """Wait at most so many seconds, and return True if results can be read."""
        return bool(wait([self.results.connection], seconds))

    def end(self) -> None:
        """End the process and its descendants, and close the pipes."""
        if self.exit_code is None:
            self._kill()
        self.calls.close()
        self.results.close()


class _ForkedProcess(BotProcess):
    def _start(self, calls: Connection, results: Connection) -> None:
        self._code: int | None = None
        self._pid = os.fork()
        if self._pid == 0:
            serve_forked(calls, results)

    @property
    def exit_code(self) -> int | None:
        if self._code is None:
            ended, status = os.waitpid(self._pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if ended else None
        return self._code

    def _kill(self) -> None:
        end_processes([*descendants(self._pid), self._pid])
        os.waitpid(self._pid, 0)
        self._code = -KILL


class _SpawnedProcess(BotProcess):
    def _start(self, calls: Connection, results: Connection) -> None:
        # A process of the arena is a daemon of `multiprocessing`, which may not have children. This one ends its own.
        multiprocessing.current_process().daemon = False
        self._process = multiprocessing.get_context("spawn").Process(
            target=serve_spawned, args=(calls, results, logging.getLogger().level), name="arena-bot", daemon=True
        )
        with interrupts_held():
            self._process.start()

    @property
    def exit_code(self) -> int | None:
        return self._process.exitcode

    def _kill(self) -> None:
        pid = self._process.pid
        assert pid is not None
        end_processes(descendants(pid))
        with suppress(OSError):
            self._process.kill()
        self._process.join()


def new_bot_process() -> BotProcess:
    """Start a process for a bot."""
    return _ForkedProcess() if can_fork_bots() else _SpawnedProcess()
