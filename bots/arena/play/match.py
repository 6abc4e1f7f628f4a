"""Plays one game between bots, on views only, and records what happened. It never raises for what a bot does."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from mcts import NOOP, Action, Game, State, View

from ...base import Bot
from ...clocks import TurnLimit
from ...failures import ILLEGAL, LATE
from ...seeds import seed_for
from ...steps import step_text, why_illegal
from ...untrusted import clean_line, failure_of, plain_action
from ..records import NO_SEAT, Failure, GameRecord, ScheduledGame
from ..tournament.adjudication import NO_ADJUDICATION, Adjudication
from ..tournament.failure_policy import forfeited_returns
from ..tournament.limits import BotLimit, Clock, plain_turn_limit, turn_limit
from ..tournament.openings import opening_steps, start_state
from .adjudicator import Adjudicator, Verdict, clean_value

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
    """Play one game from the beginning.

    Each bot's seed is a function of the game's seed and its seat, and each bot gets its own view and nothing more.
    Views, limits and clocks of all who decide in a step are fixed before the first of them is asked, and all are asked
    before any action is applied. Whatever a bot raises, in any of its methods or those of its answer, is its failure.

    Args:
        game: what is played.
        bot_at: the bot in a seat, the same at each call, no instance in two seats.
        scheduled: number, seats and seed.
        limits: for each seat, what its bot may spend.
        deadline_seconds: what each call of a bot may take on the wall clock.
        on_turn: called with a seat before code of its bot runs, and with NO_SEAT after.
        adjudication: rules that end the game early.

    Returns:
        What happened.
    """
    return _Match(game, bot_at, scheduled, limits, deadline_seconds, on_turn, adjudication).play()


class _Match:
    """One game while it is played. Times are on the monotonic clock."""

    def __init__(
        self,
        game: Game,
        bot_at: Callable[[int], Bot],
        scheduled: ScheduledGame,
        limits: Sequence[BotLimit],
        deadline_seconds: float,
        on_turn: Callable[[int], None],
        adjudication: Adjudication,
    ) -> None:
        self.game = game
        self.bot_at = bot_at
        self.scheduled = scheduled
        self.limits = limits
        self.deadline_seconds = deadline_seconds
        self.on_turn = on_turn
        self.state = start_state(game, scheduled.opening)
        self.moves: list[str] = []
        self.failures: list[Failure] = []
        self.seconds = [0.0] * game.num_players
        self.clocks = [Clock(limit) for limit in limits] if any(limit.clock_seconds for limit in limits) else []
        self.reads_values = adjudication.reads_values
        self.adjudicator = None if adjudication == NO_ADJUDICATION else Adjudicator(adjudication, game)
        self.verdict: Verdict | None = None
        self.listeners: list[int] = []  # seats of bots that want to be told what was played

    def play(self) -> GameRecord:
        for seat in range(self.game.num_players):
            self.ask(seat, partial(self.prepare, seat))
        while not self.failures and self.verdict is None and (acting := self.state.acting_players()):
            joint = self.joint_action(acting)
            if not self.failures:
                self.advance(acting, joint)
        returns, ending = self.outcome()
        return GameRecord(
            self.scheduled.number,
            self.scheduled.block,
            self.scheduled.seats,
            returns,
            len(self.moves),
            " ".join(self.moves),
            tuple(self.failures),
            tuple(self.seconds),
            ending,
        )

    def outcome(self) -> tuple[tuple[float, ...] | None, str]:
        """Returns and ending of the game; a failure in the step that adjudication ended counts first."""
        if self.failures:
            return forfeited_returns(self.game, self.failures), ""
        if self.verdict is not None:
            return self.verdict.returns, self.verdict.ending
        return tuple(self.state.returns()), ""

    def prepare(self, seat: int) -> None:
        bot = self.bot_at(seat)
        bot.set_limit(self.turn_limit(seat))
        bot.new_game(self.game, seat, seed_for(self.scheduled.seed, seat))
        if not self.game.has_hidden_information and type(bot).inform is not Bot.inform:
            self.listeners.append(seat)
            for step in opening_steps(self.scheduled.opening):
                bot.inform(step)

    def joint_action(self, acting: Sequence[int]) -> list[Action]:
        """What all players do, NOOP for those who do not decide; failures are noted."""
        joint: list[Action] = [NOOP] * self.game.num_players
        questions = {}
        for seat in acting:
            questions[seat] = partial(self.decide, seat, self.state.view(seat), self.turn_limit(seat))
        for seat in acting:
            joint[seat], seconds = self.ask(seat, questions[seat])
            self.seconds[seat] += seconds
            if self.clocks and not self.clocks[seat].spend(seconds) and not self.has_failed(seat):
                self.fail(seat, LATE, f"its clock ran out: the decision took {seconds:.3g} s")
        for seat in acting:
            if not self.has_failed(seat) and not _is_legal(self.state, seat, joint[seat]):
                self.fail(seat, ILLEGAL, why_illegal(self.state, seat, joint[seat]))
        return joint

    def decide(self, seat: int, view: View, limit: TurnLimit) -> int | tuple[int, ...]:
        """The action that a bot chooses; its value is noted, where adjudication needs it."""
        bot = self.bot_at(seat)
        action: int | tuple[int, ...] = bot.choose(view, limit)
        if type(action) is not int:  # an integer is plain, and one that is too large is not legal
            action = plain_action(action, self.game.spec)
        if self.reads_values and self.adjudicator is not None:
            self.adjudicator.note(seat, clean_value(bot.expected_return(seat), self.game))
        return action

    def advance(self, acting: Sequence[int], joint: Sequence[Action]) -> None:
        """Apply a legal joint action, and tell those who want to know."""
        step = step_text(self.state, acting, joint)
        self.moves.append(step)
        self.state.apply_actions(joint)
        for seat in self.listeners:
            self.ask(seat, partial(self.inform, seat, step))
        if self.adjudicator is not None and not self.state.is_terminal():
            self.verdict = self.adjudicator.verdict(len(self.moves))

    def inform(self, seat: int, step: str) -> None:
        self.bot_at(seat).inform(step)

    def turn_limit(self, seat: int) -> TurnLimit:
        if not self.clocks:
            return plain_turn_limit(self.limits[seat], self.deadline_seconds)
        return turn_limit(self.limits[seat], self.deadline_seconds, tuple(clock.face() for clock in self.clocks))

    def ask(self, seat: int, question: Callable[[], Any]) -> tuple[Any, float]:
        """The answer of the bot in a seat, and its seconds; notes a failure if there is none in time."""
        self.on_turn(seat)
        answer = None
        begin = time.monotonic()
        try:
            answer = question()
        except BaseException as error:  # a bot may raise what else ends a program
            facts = failure_of(error)
            who = self.game.players[seat]
            _log.info("game %d: the bot of %s failed: %s\n%s", self.scheduled.number, who, facts.message, facts.log)
            self.fail(seat, *facts)
        seconds = time.monotonic() - begin
        self.on_turn(NO_SEAT)
        if seconds > self.deadline_seconds and not self.has_failed(seat):
            self.fail(seat, LATE, f"took {seconds:.3g} s, the deadline is {self.deadline_seconds:g} s")
        return answer, seconds

    def has_failed(self, seat: int) -> bool:
        return any(failure.seat == seat for failure in self.failures)

    def fail(self, seat: int, kind: str, message: str, log: str = "") -> None:
        self.failures.append(Failure(seat, kind, clean_line(message), len(self.moves), log))


def _is_legal(state: State, seat: int, action: Any) -> bool:
    try:
        return state.is_legal(seat, action)
    except Exception:  # a game written in Python may expect other actions
        return False
