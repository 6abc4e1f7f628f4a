"""The thread in which an engine's bot prepares and decides, while commands are read in another.

The bot is used by this thread alone, one task after the other, in the order in which they were asked for; only its
`stop` is called from elsewhere. A `go` counts as answered before its `bestmove` is written, so whoever has read that
line can send the next `go` at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Condition, Event, Lock, Thread
from typing import Any

from mcts import Action, Game, View

from ..base import Bot
from ..clocks import TurnLimit
from ..untrusted import failure_of, plain_action
from .output import Output
from .requests import MOST_SIMULATIONS
from .search_info import info_line

HALT_SECONDS = 0.01
"""Between two calls of `Bot.stop`: one that comes before a search has begun is lost."""
NO_MOVE = "none"
"""Stands after `bestmove` where there is none."""


@dataclass(frozen=True, eq=False)
class GameSetup:
    """A game that a bot is to play; another object is another game."""

    game: Game
    bot: Bot
    seed: int


class Decision:
    """A `go` that is to be answered.

    Args:
        setup: the game and the bot.
        view: what the player sees who decides.
        limit: what the decision may cost.
        held: True to answer after `release` or `stop` and not before.
        ponders: True where it is `ponderhit` that releases it.
    """

    def __init__(
        self, setup: GameSetup, view: View, limit: TurnLimit, held: bool = False, ponders: bool = False
    ) -> None:
        self.setup, self.view, self.limit, self.ponders = setup, view, limit, ponders
        self._released = Event()
        self._stopped = Event()
        self._ended = Event()
        self._lock = Lock()
        if not (held or ponders):
            self._released.set()

    @property
    def is_stopped(self) -> bool:
        """True when it was told to stop."""
        return self._stopped.is_set()

    @property
    def is_unlimited(self) -> bool:
        """True where nothing but `stop` would end it, as far as the limit says."""
        limit = self.limit
        return limit.simulations in (None, MOST_SIMULATIONS) and limit.seconds is None and not any(limit.clocks)

    def release(self) -> None:
        """Allow the answer of a decision that is held."""
        self._released.set()

    def stop(self) -> None:
        """Have it answered soon, whether it has begun or not. Called by one thread."""
        if not self._stopped.is_set():
            self._stopped.set()
            self._released.set()
            Thread(target=self._halt, daemon=True).start()

    def choose(self) -> Action:
        """Return the bot's answer. Raises whatever the bot raises."""
        try:
            return self.setup.bot.choose(self.view, self.limit)
        finally:
            self.end()

    def end(self) -> None:
        """Note that the bot does not think any more: no call of its `stop` comes later and meets the next decision."""
        with self._lock:
            self._ended.set()

    def wait(self) -> None:
        """Wait until the answer is allowed."""
        self._released.wait()

    def _halt(self) -> None:
        while not self._ended.wait(HALT_SECONDS):
            with self._lock:
                if not self._ended.is_set():
                    try:
                        self.setup.bot.stop()
                    except Exception:  # a bot can be anybody's; one that cannot stop is waited for
                        return


class Thinker:
    """The thread of a bot, and what it has been asked for.

    Args:
        output: where answers are written.
    """

    def __init__(self, output: Output) -> None:
        self._output = output
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = Lock()
        self._answered = Condition(self._lock)
        self._answers_to_come = 0
        self._unanswered: list[Decision] = []  # in the order in which they were asked for
        self._prepared: tuple[GameSetup, int] | None = None  # the game and player that the bot has prepared for
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    @property
    def latest(self) -> Decision | None:
        """The last decision that was asked for and is not answered."""
        with self._lock:
            return self._unanswered[-1] if self._unanswered else None

    def prepare(self, setup: GameSetup, then: Callable[[], None]) -> None:
        """Have a bot prepare for a game, unless it has, and call a function after that, and after all asked before."""

        def task() -> None:
            prepared = self._prepared
            player = prepared[1] if prepared is not None and prepared[1] < setup.game.num_players else 0
            if prepared is None or prepared[0] is not setup:
                self._try_to_prepare(setup, player)
            then()

        with self._lock:
            self._put(task)

    def in_order(self, task: Callable[[], None]) -> None:
        """Call a function that answers a command: after the answers before it, but do not wait for a decision."""
        with self._lock:
            if not self._unanswered:
                self._put(task)
                return
            while self._answers_to_come:  # those to commands before the go that is waiting or under way
                self._answered.wait()
        task()

    def _put(self, task: Callable[[], None]) -> None:
        """Have an answer given by the thread, after all that was asked before. Called with the lock held."""

        def answer() -> None:
            task()
            with self._lock:
                self._answers_to_come -= 1
                self._answered.notify_all()

        self._answers_to_come += 1
        self._tasks.put(answer)

    def decide(self, decision: Decision) -> None:
        """Have a decision made and answered."""
        with self._lock:
            self._unanswered.append(decision)
        self._tasks.put(lambda: self._decide(decision))

    def decline(self, reason: object) -> None:
        """Answer a `go` without a move, after all that was asked before."""

        def task() -> None:
            self._output.error(reason)
            self._output.say(f"bestmove {NO_MOVE}")

        self._tasks.put(task)

    def retire(self, bot: Bot) -> None:
        """Close a bot that is not needed any more, after what it still has to do."""
        self._tasks.put(lambda: _close(bot))

    def stop(self) -> None:
        """Have all decisions answered soon."""
        with self._lock:
            unanswered = list(self._unanswered)
        for decision in unanswered:
            decision.stop()

    def end(self, seconds: float) -> bool:
        """Stop, and wait until everything has been answered; False where that takes longer than so many seconds."""
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
        except BaseException as error:  # a bot can be anybody's, and the runner waits for an answer whatever happens
            self._output.error(failure_of(error).message)
            return False
        self._prepared = setup, player
        return True

    def _decide(self, decision: Decision) -> None:
        text = self._best_move(decision)
        decision.end()
        decision.wait()
        with self._lock:
            self._unanswered.remove(decision)  # before the answer: the next go may follow at once
        self._output.say(f"bestmove {text}")

    def _best_move(self, decision: Decision) -> str:
        setup, view = decision.setup, decision.view
        prepared = self._prepared
        if (prepared is None or prepared[0] is not setup or prepared[1] != view.player) and not self._try_to_prepare(
            setup, view.player
        ):
            return NO_MOVE
        bot = setup.bot
        bot.on_progress = lambda found: self._show(found, view.player)
        try:
            bot.search_info = None
            text = view.action_to_string(plain_action(decision.choose(), setup.game.spec))
            self._show(bot.search_info, view.player)
        except BaseException as error:
            self._output.error(failure_of(error).message)
            return NO_MOVE
        finally:
            bot.on_progress = None
        return text

    def _show(self, found: Any, player: int) -> None:
        if (line := info_line(found, player)) is not None:
            self._output.say(line)


def _close(bot: Bot) -> None:
    try:
        bot.close()
    except Exception:  # nobody can do anything about it
        return
