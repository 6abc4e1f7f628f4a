"""`RunningGame`: a game that is played: choices of persons, decisions of bots, outcomes of chance, undo and redo."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass

from mcts import Action, IllegalActionError, Limit, State, StateError
from mcts.pictures import read_action
from mcts.seeds import seed_for

from ..base import Bot
from ..errors import ILLEGAL, RESIGN, BotFailureError
from ..game.course import CHANCE_NAME, Course, Turn
from ..game.failures import forfeited
from ..game.faults import fault_of
from ..game.loop import play_on
from ..steps import why_illegal
from ..system.background import AbandonedError
from ..system.untrusted import clean_value, plain_action, plain_steps
from .seats import Seats, blaming

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Choice:
    """An action that a person has chosen while the ply is not played."""

    seat: int
    """Number of the player."""
    action: Action
    seconds: float
    """Time of the decision."""


Undone = list[Turn] | Choice
"""A step of `undo`: some turns, or one choice."""


class RunningGame:
    """The course of a game, and the players who continue it. One thread at a time may change it.

    Args:
        course: the plies so far.
        seats: the players. Their bots are started by `start_bots`.
        seed: root of the random numbers of bots and chance.
        limit: limit of each decision of a bot.
        restarts: number of restarts of all bots; their random numbers depend on it.
        starts_late: True if each bot begins before its next decision, in the thread of this decision.

    Attributes:
        chosen: choices of persons in this ply, by number of the player; the last one that was given is at the end.
        undone: what each `undo` took back, for `redo`.
        resigned: numbers of the players who gave the game up.
        failure: the player whose bot failed since the last ply, and its error; None without one.
        abandoned: True while running decisions are not to be played.
    """

    def __init__(
        self, course: Course, seats: Seats, seed: int, limit: Limit, restarts: int = 0, *, starts_late: bool = False
    ) -> None:
        self.game = course.state.game
        self.course = course
        self.seats = seats
        self.seed = seed
        self.limit = limit
        self.restarts = restarts
        self.chosen: dict[int, Action] = {}
        self.undone: list[Undone] = []
        self.resigned: set[int] = set()
        self.failure: tuple[int, BotFailureError] | None = None
        self.abandoned = False
        self._seconds: dict[int, float] = {}
        """Times of the decisions in this ply."""
        self._asked_at = time.monotonic()
        """Time at which persons could begin to think about this ply."""
        self._starts_late = starts_late
        self._unready: set[int] = set()
        """Players whose bots failed or have not begun: each begins before its next decision."""
        self._informs = not self.game.has_hidden_information and course.steps() is not None
        """True if bots are informed of all steps, which then lead from the initial state to theirs."""

    @property
    def state(self) -> State:
        """The present state."""
        return self.course.state

    @property
    def is_over(self) -> bool:
        """True at the end of the game, and after a resignation."""
        return bool(self.resigned) or self.state.is_terminal()

    @property
    def returns(self) -> tuple[float, ...] | None:
        """Return of each player; None while the game continues."""
        if self.resigned:
            return forfeited(self.game, self.resigned)
        return tuple(self.state.returns()) if self.state.is_terminal() else None

    def missing(self) -> list[int]:
        """Return the persons who have not chosen yet in this ply."""
        return [seat for seat in self.deciding_persons() if seat not in self.chosen]

    def deciding_persons(self) -> list[int]:
        """Return the persons who decide in this ply."""
        return [seat for seat in self.state.acting_players() if seat not in self.seats.bots]

    # Play

    def choose(self, seat: int, action: Action | str) -> None:
        """Note the action of a person who decides. Raises IllegalActionError."""
        read = read_action(self.state, seat, action) if isinstance(action, str) else action
        if not self.state.is_legal(seat, read):
            raise IllegalActionError(why_illegal(self.state, seat, read))
        self._note(Choice(seat, read, _seconds_since(self._asked_at)))
        self.undone.clear()

    def _note(self, choice: Choice) -> None:
        """Make a choice the last one of this ply."""
        self.chosen.pop(choice.seat, None)
        self.chosen[choice.seat] = choice.action
        self._seconds[choice.seat] = choice.seconds

    def go_on(self, plies: int | None) -> int:
        """Play until a person is missing, the game is over, or some plies are played. Return the number before."""
        course = self.course
        before = len(course.turns)

        def told(step: str) -> bool:
            self._begin_ply()
            self._inform(step)
            return plies is None or len(course.turns) < before + plies

        if not self.resigned:
            play_on(course, self.seed, self._turn, told)
        return before

    def _turn(self, acting: Sequence[int]) -> Turn | None:
        """Return the choices of persons and the actions of bots; None if a person has not chosen, or a bot resigns."""
        if self.missing():
            return None
        values: dict[int, float] = {}
        choices = {}
        for seat in acting:
            if seat in self.seats.bots:
                try:
                    choices[seat] = self._bot_action(seat, values)
                except BotFailureError as error:
                    if error.kind != RESIGN:
                        raise
                    self.resigned.add(seat)
                    return None
        return Turn(self.state.joint_action(choices | self.chosen), dict(self._seconds), values)

    def last_decision(self) -> int | None:
        """Return the number of plies before the last decision of a person, None if there is none.

        Without persons, it is that before the last ply.
        """
        persons = set(self.seats.persons) or {*self.game.players, CHANCE_NAME}
        decided = [number for number, ply in enumerate(self.course.plies) if persons & ply.keys()]
        return decided[-1] if decided else None

    @property
    def can_undo(self) -> bool:
        """True if `undo` has something to take back."""
        return bool(self.resigned or self.chosen) or self.last_decision() is not None

    def undo(self) -> None:
        """Take back the resignation, else the last choice of this ply, else all from the last decision of a person on.

        Raises:
            StateError: there is nothing of this.
        """
        if self.resigned:
            self.resigned.clear()
            return
        if self.chosen:
            seat, action = self.chosen.popitem()
            self.undone.append(Choice(seat, action, self._seconds.pop(seat)))
            return
        to = self.last_decision()
        if to is None:
            raise StateError("nothing can be undone: no person has decided before this state")
        turns = self.course.turns
        self.undone.append(turns[to:])
        self.restarts += 1
        self._rewind(turns[:to])

    def redo(self) -> None:
        """Play again what the last `undo` took back. Raises StateError if there is nothing."""
        if not self.undone:
            raise StateError("nothing can be played again: nothing was undone, or a person has played since")
        last = self.undone.pop()
        if isinstance(last, Choice):
            self._note(last)
        else:
            self._rewind(self.course.turns + last)

    def _rewind(self, turns: Sequence[Turn]) -> None:
        """Go back to the start, and apply turns from there."""
        self.course.restart(turns)
        self._begin_ply()
        self.start_bots()

    def _begin_ply(self) -> None:
        """Forget what belongs to the last ply alone."""
        self.chosen.clear()
        self._seconds.clear()
        self.failure = None
        self._asked_at = time.monotonic()

    # Bots

    def start_bots(self) -> None:
        """Start the game of all bots, and inform them of the plies so far, or let them start late.

        Raises:
            BotFailureError: a bot failed, the first one if several did. The others are ready.
        """
        self._unready = set(self.seats.bots)
        begun = () if self._starts_late else self.seats.bots
        failures = [error for seat in begun if (error := self._failure_of_start(seat)) is not None]
        if failures:
            raise failures[0]

    def bots_to_start(self) -> list[int]:
        """Return the players who decide now and whose bots have not begun."""
        return [seat for seat in self.state.acting_players() if seat in self._unready]

    def start_deciding_bots(self) -> None:
        """Start the game of the bots that decide now, if they have not begun. Raises BotFailureError."""
        for seat in self.bots_to_start():
            if (error := self._failure_of_start(seat)) is not None:
                raise error

    def release_bots(self) -> None:
        """Replace all bots by new ones, which have kept nothing, with new random numbers. They start late."""
        self.seats.renew()
        self._unready = set(self.seats.bots)
        self.restarts += bool(self.course.turns)

    def _failure_of_start(self, seat: int) -> BotFailureError | None:
        """Start the game of a bot. Return its failure; None if it is ready."""
        bot = self.seats.bots[seat]
        try:
            with blaming(bot):
                bot.set_limit(self.limit)
                bot.new_game(self.game, seat, seed_for(self.seed, seat, self.restarts))
                for step in self._steps(bot):
                    bot.inform(step)
        except BotFailureError as error:
            return self._failed(seat, error)
        self._unready.discard(seat)
        return None

    def _steps(self, bot: Bot) -> list[str]:
        """Return the steps that a bot is told when it begins."""
        return (self.course.steps() or []) if self._informs and type(bot).inform is not Bot.inform else []

    def _inform(self, step: str) -> None:
        """Inform all bots of a step. Raises the first failure when all have been told."""
        failures = []
        for seat, bot in self.seats.bots.items() if self._informs else ():
            if seat not in self._unready:  # such a bot learns all steps when it begins
                try:
                    with blaming(bot):
                        bot.inform(step)
                except BotFailureError as error:
                    failures.append(self._failed(seat, error))
        if failures:
            raise failures[0]

    def _failed(self, seat: int, error: BotFailureError) -> BotFailureError:
        """Note the failure of a bot, or of the game under it, and return it."""
        fault = fault_of((self.state, self.course.start, self.game.new_initial_state()), plain_steps(error.steps))
        if fault is not None:
            error = BotFailureError(error.kind, str(fault), error.log)
        self._unready.add(seat)
        if self.failure is None:
            self.failure = seat, error
        return error

    def _bot_action(self, seat: int, values: dict[int, float]) -> Action:
        """Return the action of a bot, and add the value that it expects."""
        bot = self.seats.bots[seat]
        begin = time.monotonic()
        if seat in self._unready:
            error = self._failure_of_start(seat)
            if error is not None:
                raise error
        try:
            with blaming(bot):
                action = plain_action(bot.choose(self.state.view(seat), self.limit), self.game.spec)
                if not self.state.is_legal(seat, action):
                    raise BotFailureError(ILLEGAL, f"illegal action: {why_illegal(self.state, seat, action)}")
        except BotFailureError as error:
            raise error if error.kind == RESIGN else self._failed(seat, error) from None
        if self.abandoned:
            raise AbandonedError
        self._seconds[seat] = _seconds_since(begin)
        try:
            with blaming(bot):
                value = clean_value(bot.expected_return(seat), self.game)
        except BotFailureError as error:  # the action counts, and the record has no value
            _log.warning("%s", error)
            value = None
        if value is not None:
            values[seat] = value
        return action


def _seconds_since(begin: float) -> float:
    """Return the seconds since a time of the monotonic clock, to the microsecond."""
    return round(time.monotonic() - begin, 6)
