"""The thread in which an engine's bot prepares and decides, while another thread reads commands.

Only this thread uses the bot, one task after the other, in the order of the commands; only `Bot.stop` is called from
other threads. A `go` counts as answered before its `bestmove` is written, so a runner that has read the line can send
the next `go` at once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Condition, Event, Lock, Thread
from typing import Any

from mcts import Action, Game, View

from ...base import Bot
from ...clocks import TurnLimit
from ...system.untrusted import failure_of, plain_action
from .output import Output
from .requests import MOST_SIMULATIONS

HALT_SECONDS = 0.01
"""Time between two calls of `Bot.stop`. The call is repeated because one before the start of a search has no effect."""


@dataclass(frozen=True, eq=False)
class GameSetup:
    """A game, its bot and its seed. Each game has an object of its own."""

    game: Game
    bot: Bot
    seed: int


class Decision:
    """A `go` without an answer.

    Args:
        setup: the game and the bot.
        view: view of the player who decides.
        limit: limit of the decision.
        held: True to answer only after `released` is set, or after `stop`.
        ponders: True for `go ponder`, which is held and released by `ponderhit`.
    """

    def __init__(
        self, setup: GameSetup, view: View, limit: TurnLimit, held: bool = False, ponders: bool = False
    ) -> None:
        self.setup, self.view, self.limit, self.ponders = setup, view, limit, ponders
        self.released = Event()
        """Set when the answer of a held decision is allowed."""
        self._stopped = Event()
        self._ended = Event()
        self._lock = Lock()
        if not (held or ponders):
            self.released.set()

    @property
    def is_stopped(self) -> bool:
        """True after `stop`."""
        return self._stopped.is_set()

    @property
    def is_unlimited(self) -> bool:
        """True if the limit sets no end, so that only `stop` ends the decision."""
        limit = self.limit
        return limit.simulations in (None, MOST_SIMULATIONS) and limit.seconds is None and not any(limit.clocks)

    def stop(self) -> None:
        """Make the answer come soon, even before the decision has started. Called by one thread only."""
        if not self._stopped.is_set():
            self._stopped.set()
            self.released.set()
            Thread(target=self._halt, daemon=True).start()

    def choose(self) -> Action:
        """Return the action of the bot. Exceptions of the bot pass."""
        try:
            return self.setup.bot.choose(self.view, self.limit)
        finally:
            self.end()

    def end(self) -> None:
        """Mark the end of the search, so that no later call of `Bot.stop` affects the next decision."""
        with self._lock:
            self._ended.set()

    def _halt(self) -> None:
        while not self._ended.wait(HALT_SECONDS):
            with self._lock:
                if not self._ended.is_set():
                    try:
                        self.setup.bot.stop()
                    except Exception:  # any bot may be loaded; if it cannot stop, it is waited for
                        return


class Thinker:
    """The thread of a bot, and its open tasks.

    Args:
        output: receives the answers.
        info_line: called with a result, the player and the action or None; returns an `info` line, or None.
        no_move: argument of `bestmove` without an action.
    """

    def __init__(
        self, output: Output, info_line: Callable[[Any, int, Action | None], str | None], no_move: str
    ) -> None:
        self._output, self._info_line, self._no_move = output, info_line, no_move
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = Lock()
        self._answered = Condition(self._lock)
        self._answers_to_come = 0
        self._unanswered: list[Decision] = []  # in the order of the commands
        self._prepared: tuple[GameSetup, int] | None = None  # game and player of the last `new_game`
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    @property
    def latest(self) -> Decision | None:
        """The last decision without an answer, or None."""
        with self._lock:
            return self._unanswered[-1] if self._unanswered else None

    def prepare(self, setup: GameSetup, then: Callable[[], None]) -> None:
        """Prepare a bot for a game if necessary, then call a function. Both happen after all earlier tasks."""

        def task() -> None:
            prepared = self._prepared
            player = prepared[1] if prepared is not None and prepared[1] < setup.game.num_players else 0
            if prepared is None or prepared[0] is not setup:
                self._try_to_prepare(setup, player)
            then()

        with self._lock:
            self._put(task)

    def in_order(self, task: Callable[[], None]) -> None:
        """Call a function that answers a command after all earlier answers, but without waiting for a decision."""
        with self._lock:
            if not self._unanswered:
                self._put(task)
                return
            while self._answers_to_come:  # answers to commands before the current go
                self._answered.wait()
        task()

    def _put(self, task: Callable[[], None]) -> None:
        """Add a task that gives an answer. Called with the lock held."""

        def answer() -> None:
            task()
            with self._lock:
                self._answers_to_come -= 1
                self._answered.notify_all()

        self._answers_to_come += 1
        self._tasks.put(answer)

    def decide(self, decision: Decision) -> None:
        """Add a decision."""
        with self._lock:
            self._unanswered.append(decision)
        self._tasks.put(lambda: self._decide(decision))

    def decline(self, reason: object) -> None:
        """Add an answer to a `go` without an action."""

        def task() -> None:
            self._output.error(reason)
            self._output.say(f"bestmove {self._no_move}")

        self._tasks.put(task)

    def retire(self, bot: Bot) -> None:
        """Close a bot after its remaining tasks."""
        self._tasks.put(lambda: _close(bot))

    def stop(self) -> None:
        """Make the answers of all decisions come soon."""
        with self._lock:
            unanswered = list(self._unanswered)
        for decision in unanswered:
            decision.stop()

    def end(self, seconds: float) -> bool:
        """Stop, and wait for all answers. Return False if that takes longer than `seconds`."""
        self.stop()
        self._tasks.put(None)
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()

    def _try_to_prepare(self, setup: GameSetup, player: int) -> bool:
        self._prepared = None
        try:
            setup.bot.new_game(setup.game, player, setup.seed)
        except BaseException as error:  # any bot may be loaded, and the runner always waits for an answer
            self._output.error(failure_of(error).message)
            return False
        self._prepared = setup, player
        return True

    def _decide(self, decision: Decision) -> None:
        text = self._best_move(decision)
        decision.end()
        decision.released.wait()
        with self._lock:
            self._unanswered.remove(decision)  # before the answer: the next go may follow at once
        self._output.say(f"bestmove {text}")

    def _best_move(self, decision: Decision) -> str:
        setup, view = decision.setup, decision.view
        prepared = self._prepared
        if (prepared is None or prepared[0] is not setup or prepared[1] != view.player) and not self._try_to_prepare(
            setup, view.player
        ):
            return self._no_move
        bot = setup.bot
        bot.on_progress = lambda found: self._show(found, view.player)
        try:
            bot.search_info = None
            action = plain_action(decision.choose(), setup.game.spec)
            text = view.action_to_string(action)
            self._show(bot.search_info, view.player, action)
        except BaseException as error:
            self._output.error(failure_of(error).message)
            return self._no_move
        finally:
            bot.on_progress = None
        return text

    def _show(self, found: Any, player: int, chosen: Action | None = None) -> None:
        if (line := self._info_line(found, player, chosen)) is not None:
            self._output.say(line)


def _close(bot: Bot) -> None:
    with suppress(Exception):  # errors while closing have no consequence
        bot.close()
