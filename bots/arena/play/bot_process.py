"""A process for one bot, seen from the process that plays the game.

On Linux it is forked from a process in which no bot has run. Elsewhere, and where every process is to be spawned, it is
a new interpreter.
"""

from __future__ import annotations

import logging
import multiprocessing

from ...errors import BotError
from ...system.child_process import ChildProcess
from ...system.process_tree import end_family
from ...system.start_method import can_fork_bots
from .bot_main import serve

MOST_BYTES = 1 << 20
"""Maximum length of a message of the process."""
START_SECONDS = 45.0
"""Longest time for a process to start. It is less than a worker may spend without running a bot."""


class BotProcess(ChildProcess):
    """A process that runs `bot_main`."""

    def __init__(self) -> None:
        super().__init__(multiprocessing.get_context("fork" if can_fork_bots() else "spawn"), MOST_BYTES)
        # A process of the arena is a daemon of `multiprocessing`, which may not have children. This one ends its own.
        multiprocessing.current_process().daemon = False
        self.start(serve, (logging.getLogger().level,), "arena-bot")

    @property
    def exit_code(self) -> int | None:
        """Exit code, negative for a signal; None while the process runs."""
        return self.process.exitcode

    def wait_until_ready(self) -> None:
        """Wait until the process can be called. It runs no code of a bot before.

        Raises:
            BotError: it has ended, or takes too long.
        """
        try:
            self.results.get(START_SECONDS)  # READY
        except TimeoutError:
            raise BotError(f"a process for a bot did not start within {START_SECONDS:g} s") from None
        except EOFError:
            raise BotError("a process for a bot ended while it started") from None

    def end(self) -> None:
        """End the process and its descendants, wait for it, and close the pipes."""
        if self.process.is_alive():
            assert self.process.pid is not None
            end_family(self.process.pid)
            self.process.kill()
        self.process.join()
        self.close_pipes()
