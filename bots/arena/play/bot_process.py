"""A process for one bot, seen from the process that plays the game.

On Linux it is forked from a process in which no bot has run. Elsewhere, and where every process is to be spawned, it is
a new interpreter.
"""

from __future__ import annotations

import logging
import multiprocessing

from ...errors import BotError
from ...system.pipes import receiver_of, sender_to
from ...system.process_tree import end_family
from ...system.start_method import ProcessContext, can_fork_bots, interrupts_held
from .bot_main import serve

MOST_BYTES = 1 << 20
"""Maximum length of a message of the process."""
START_SECONDS = 45.0
"""Longest time for a process to start. It is less than a worker may spend without running a bot."""


class BotProcess:
    """A process that runs `bot_main`, and the ends of the pipes to and from it."""

    def __init__(self) -> None:
        context: ProcessContext = multiprocessing.get_context("fork" if can_fork_bots() else "spawn")
        their_calls, calls = context.Pipe(duplex=False)
        results, their_results = context.Pipe(duplex=False)
        # A process of the arena is a daemon of `multiprocessing`, which may not have children. This one ends its own.
        multiprocessing.current_process().daemon = False
        self._process = context.Process(
            target=serve, args=(their_calls, their_results, logging.getLogger().level), name="arena-bot", daemon=True
        )
        try:
            with interrupts_held():
                self._process.start()
        finally:
            their_calls.close()
            their_results.close()
        self.calls, self.results = sender_to(calls), receiver_of(results, MOST_BYTES)

    @property
    def exit_code(self) -> int | None:
        """Exit code, negative for a signal; None while the process runs."""
        code: int | None = self._process.exitcode
        return code

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
        if self._process.is_alive():
            assert self._process.pid is not None
            end_family(self._process.pid)
            self._process.kill()
        self._process.join()
        self.calls.close()
        self.results.close()
