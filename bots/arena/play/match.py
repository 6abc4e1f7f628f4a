"""Play one game between bots and record it. Bots receive views only, and their errors end in the record."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

from mcts import NOOP, Action, Game, State, View
from mcts.seeds import seed_for

from ...base import Bot
from ...clocks import TurnLimit
from ...errors import CRASH, ILLEGAL, LATE, RESIGN
from ...game.course import Course, Turn
from ...game.failures import NO_SEAT, Failure
from ...game.loop import play_on
from ...steps import why_illegal
from ...system.untrusted import Steps, clean_line, clean_value, failure_of, plain_action
from ..formats import keeps_decisions
from ..records import GameRecord, ScheduledGame, shown_number
from ..tournament.adjudication import NO_ADJUDICATION, Adjudication
from ..tournament.failure_policy import forfeited_returns
from ..tournament.limits import BotLimit, Clock, plain_turn_limit, turn_limit
from ..tournament.openings import opening_steps, start_state
from .adjudicator import Adjudicator, Verdict, resigned

_log = logging.getLogger(__name__)


def play_game(
    game: Game,
    bot_at: Callable[[int], Bot],
    scheduled: ScheduledGame,
    limits: Sequence[BotLimit],
    deadline_seconds: float,
    on_turn: Callable[[int], None],
    adjudication: Adjudication = NO_ADJUDICATION,
) -> GameRecord:
    """Play one game.

    The seed of a bot is a function of the game's seed and the seat. A bot receives its own view only. In every ply,
    views, limits and clocks of all acting players are fixed before the first bot is called, and all bots are called
    before an action is applied. An exception in a method of a bot, or of an object that it returns, is a failure of the
    bot.

    Args:
        game: the game to be played.
        bot_at: returns the bot in a seat, always the same one, and no instance in two seats.
        scheduled: number, seats, seed and opening.
        limits: limit of the bot in each seat.
        deadline_seconds: maximum wall-clock time of each call of a bot.
        on_turn: called with a seat before code of its bot runs, and with NO_SEAT afterwards.
        adjudication: rules that end the game early.

    Returns:
        The record of the game.
    """
    return _Match(game, bot_at, scheduled, limits, deadline_seconds, on_turn, adjudication).play()


@dataclass
class _Match:
    """State of a running game. The fields are the arguments of `play_game`."""

    game: Game
    bot_at: Callable[[int], Bot]
    scheduled: ScheduledGame
    limits: Sequence[BotLimit]
    deadline_seconds: float
    on_turn: Callable[[int], None]
    adjudication: Adjudication

    def __post_init__(self) -> None:
        game, scheduled, limits = self.game, self.scheduled, self.limits
        self.course = Course(start_state(game, scheduled.opening))
        self.state = self.course.state
        self.failures: list[Failure] = []
        self.seconds = [0.0] * game.num_players
        self.slowest = [0.0] * game.num_players
        self.clocks = [Clock(limit) for limit in limits] if any(limit.clock_seconds for limit in limits) else []
        is_adjudicated = self.adjudication != NO_ADJUDICATION
        self.adjudicator = Adjudicator(self.adjudication, game) if is_adjudicated else None
        self.verdict: Verdict | None = None
        self.keeps_decisions = keeps_decisions(game)
        self.decisions: list[tuple[float, float | None]] = []
        self.value: float | None = None  # that the bot expects after the last decision
        self.listeners: list[int] = []  # seats of bots that override `inform`

    def play(self) -> GameRecord:
        """Play the game to its end."""
        for seat in range(self.game.num_players):
            self.call(seat, partial(self.prepare, seat))
        if not self.failures:
            scheduled = self.scheduled
            deal = scheduled.seed if scheduled.deal is None else scheduled.deal
            with self.steps_noted():
                play_on(self.course, deal, self.turn, self.told)
        with self.steps_noted():
            returns, ending = self.outcome()
        return GameRecord.of(
            self.scheduled,
            returns=returns,
            plies=len(self.course.moves),
            moves=" ".join(self.course.moves),
            failures=tuple(self.failures),
            seconds=tuple(self.seconds),
            slowest=tuple(self.slowest),
            decisions=tuple(self.decisions),
            ending=ending,
        )

    @contextmanager
    def steps_noted(self) -> Iterator[None]:
        """Add the steps of the game to an error of its own code that has none, as one in a text of an action."""
        try:
            yield
        except Exception as error:
            if not hasattr(error, "failed_play"):
                error.failed_play = tuple(tuple(turn.joint) for turn in self.course.turns)  # type: ignore[attr-defined]
            raise

    def outcome(self) -> tuple[tuple[float, ...] | None, str]:
        """Return the returns and the ending. A failure takes precedence over a verdict of the same ply."""
        if self.failures:
            return forfeited_returns(self.game, self.failures), ""
        if self.verdict is not None:
            return self.verdict.returns, self.verdict.ending
        return tuple(self.state.returns()), ""

    def prepare(self, seat: int) -> None:
        """Start the game for the bot in a seat."""
        bot = self.bot_at(seat)
        bot.set_limit(self.turn_limit(seat))
        bot.new_game(self.game, seat, seed_for(self.scheduled.seed, seat))
        if not self.game.has_hidden_information and type(bot).inform is not Bot.inform:
            self.listeners.append(seat)
            for step in opening_steps(self.scheduled.opening):
                bot.inform(step)

    def turn(self, acting: Sequence[int]) -> Turn | None:
        """Return the actions of those who act; None if a bot failed, which is recorded."""
        joint: list[Action] = [NOOP] * self.game.num_players
        calls = {}
        for seat in acting:
            calls[seat] = partial(self.decide, seat, self.state.view(seat), self.turn_limit(seat))
        for seat in acting:
            joint[seat], seconds = self.call(seat, calls[seat])
            self.seconds[seat] += seconds
            self.slowest[seat] = max(self.slowest[seat], seconds)
            if seconds > (most := self.limits[seat].longest_seconds(self.deadline_seconds)):
                self.late(seat, seconds, most)
            if self.clocks and not self.clocks[seat].spend(seconds) and not self.has_failed(seat):
                self.fail(seat, LATE, f"its clock ran out: the decision took {seconds:.3g} s")
        for seat in acting:
            if self.verdict is None and not self.has_failed(seat) and not _is_legal(self.state, seat, joint[seat]):
                self.fail(seat, ILLEGAL, why_illegal(self.state, seat, joint[seat]))
        if self.failures or self.verdict:
            return None
        if self.keeps_decisions:
            self.decisions.append((seconds, self.value))
        return Turn(joint)

    def decide(self, seat: int, view: View, limit: TurnLimit) -> int | tuple[int, ...]:
        """Return the action of a bot, and read its value if adjudication or the record needs it."""
        bot = self.bot_at(seat)
        action: int | tuple[int, ...] = bot.choose(view, limit)
        if type(action) is not int:  # an int needs no conversion; a large one is not legal
            action = plain_action(action, self.game.spec)
        if self.keeps_decisions or self.adjudication.reads_values:
            self.value = clean_value(bot.expected_return(seat), self.game)
            if self.adjudicator is not None:
                self.adjudicator.count(seat, self.value)
        return action

    def told(self, step: str) -> bool:
        """Inform the bots of a step, and adjudicate. Return True if the game continues."""
        for seat in self.listeners:
            self.call(seat, partial(self.inform, seat, step))
        if self.adjudicator is not None and not self.state.is_terminal():
            self.verdict = self.adjudicator.verdict(len(self.course.moves))
        return not self.failures and self.verdict is None

    def inform(self, seat: int, step: str) -> None:
        """Inform the bot in a seat of a step."""
        self.bot_at(seat).inform(step)

    def turn_limit(self, seat: int) -> TurnLimit:
        """Return the limit of the next decision in a seat."""
        if not self.clocks:
            return plain_turn_limit(self.limits[seat], self.deadline_seconds)
        return turn_limit(self.limits[seat], self.deadline_seconds, tuple(clock.face() for clock in self.clocks))

    def call(self, seat: int, function: Callable[[], Any]) -> tuple[Any, float]:
        """Run code of the bot in a seat. Return its result and its seconds; errors and late results are failures."""
        self.on_turn(seat)
        result = None
        begin = monotonic()
        try:
            result = function()
        except BaseException as error:  # including SystemExit and KeyboardInterrupt
            facts = failure_of(error)
            who = self.game.players[seat]
            number = shown_number(self.scheduled.number)
            _log.info("game %d: the bot of %s failed: %s\n%s", number, who, facts.message, facts.log)
            self.fail(seat, *facts)
        seconds = monotonic() - begin
        self.on_turn(NO_SEAT)
        if seconds > self.deadline_seconds:
            self.late(seat, seconds, self.deadline_seconds)
        return result, seconds

    def late(self, seat: int, seconds: float, most: float) -> None:
        """Record that a call of a bot took too long, unless the seat has failed."""
        if not self.has_failed(seat):
            self.fail(seat, LATE, f"took {seconds:.3g} s, the deadline is {most:g} s")

    def has_failed(self, seat: int) -> bool:
        """Return True if a failure of the seat is recorded."""
        return any(failure.seat == seat for failure in self.failures)

    def fail(self, seat: int, kind: str, message: str, log: str = "", steps: Steps = ()) -> None:
        """Record a failure; or the end of the game, if the bot resigns."""
        if kind == RESIGN:
            if self.game.num_players == 2:
                self.verdict = self.verdict or resigned(self.game, seat)
                return
            kind = CRASH
        self.failures.append(Failure(seat, kind, clean_line(message), len(self.course.moves), log, steps))


def _is_legal(state: State, seat: int, action: Any) -> bool:
    try:
        return state.is_legal(seat, action)
    except Exception:  # a game in Python may raise anything for an action of another type
        return False
