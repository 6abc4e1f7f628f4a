"""Plays one game between bots, on views only, and records what happened. It never raises for what a bot does."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mcts import NOOP, Game, IllegalActionError, Limit, State

from ..base import Bot
from ..seeds import seed_for
from .openings import start_state
from .schedule import Scheduled

CRASH = "crash"
"""The bot raised an exception."""
ILLEGAL = "illegal move"
"""It answered with something that is no legal action."""
LATE = "late"
"""It answered after the deadline."""
STALL = "stall"
"""It did not answer; its process was ended long after the deadline."""
DEATH = "death"
"""Its process died, twice in the same game, while it was to decide."""

NOBODY = -1
"""Stands for a seat where no bot is deciding."""
_MESSAGE_LENGTH = 300

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Failure:
    """A bot's failure. It forfeits the game."""

    seat: int
    """The player it was, or NOBODY where it cannot be told whose fault it is: the game then counts for nobody."""
    kind: str
    """CRASH, ILLEGAL, LATE, STALL or DEATH."""
    message: str
    """What happened, in one line."""
    ply: int
    """How many steps had been played."""


@dataclass(frozen=True)
class Record:
    """One game after it was played."""

    number: int
    """As in Scheduled."""
    block: int
    """As in Scheduled."""
    seats: tuple[int, ...]
    """As in Scheduled."""
    returns: tuple[float, ...] | None
    """What each player got, on the game's own scale; None where the game counts for nobody."""
    plies: int
    """Steps played."""
    moves: str
    """The steps, separated by spaces: the action text of the one player who decided, or where several did, the actions
    of all players joined by `|`, with `noop` for one who did not."""
    failures: tuple[Failure, ...] = ()
    """Why the game was not played to its end; several where several bots failed in the same step."""


def forfeited_returns(game: Game, failures: Sequence[Failure]) -> tuple[float, ...] | None:
    """The rule for a game that was not played to its end.

    Every bot that failed gets the least return of the game and every other bot the greatest; where nobody is known to
    have failed, the game counts for nobody.
    """
    failed = {failure.seat for failure in failures}
    if NOBODY in failed:
        return None
    return tuple(game.min_utility if player in failed else game.max_utility for player in range(game.num_players))


def play_game(
    game: Game,
    bot_at: Callable[[int], Bot],
    scheduled: Scheduled,
    limit: Limit,
    deadline_seconds: float,
    on_turn: Callable[[int], None],
) -> Record:
    """Play one game from the beginning.

    Each bot's seed is a function of the game's seed and its seat, and each bot gets its own view and nothing more. All
    who decide in a step are asked before any action is applied.

    Args:
        game: what is played.
        bot_at: the bot in a seat, the same at each call, no instance in two seats.
        scheduled: number, seats and seed.
        limit: what a decision may cost, told to the bots.
        deadline_seconds: what a decision may take on the wall clock.
        on_turn: called with the seat that is to decide, and with NOBODY when it has.

    Returns:
        What happened.
    """
    state = start_state(game, scheduled.opening)
    moves: list[str] = []
    failures: list[Failure] = []

    def ask(seat: int, question: Callable[[], Any]) -> Any:
        """The answer of the bot in a seat; notes a failure if there is none in time."""
        on_turn(seat)
        begin = time.monotonic()
        try:
            answer = question()
        except (Exception, SystemExit) as error:
            _log.info("game %d: the bot of %s crashed", scheduled.number, game.players[seat], exc_info=True)
            fail(seat, CRASH, f"{type(error).__name__}: {error}")
            return None
        finally:
            on_turn(NOBODY)
        seconds = time.monotonic() - begin
        if seconds > deadline_seconds:
            fail(seat, LATE, f"took {seconds:.3g} s, the deadline is {deadline_seconds:g} s")
        return answer

    def fail(seat: int, kind: str, message: str) -> None:
        failures.append(Failure(seat, kind, _one_line(message), len(moves)))

    def prepare(seat: int) -> None:
        bot_at(seat).new_game(game, seat, seed_for(scheduled.seed, seat))

    for seat in range(game.num_players):
        ask(seat, partial(prepare, seat))
    while not failures and (acting := state.acting_players()):
        joint: list[Any] = [NOOP] * game.num_players
        for seat in acting:
            joint[seat] = ask(seat, partial(bot_at(seat).choose, state.view(seat), limit))
        for seat in acting:
            if all(failure.seat != seat for failure in failures) and not _is_legal(state, seat, joint[seat]):
                fail(seat, ILLEGAL, why_illegal(state, seat, joint[seat]))
        if not failures:
            moves.append(step_text(state, acting, joint))
            state.apply_actions(joint)
    returns = forfeited_returns(game, failures) if failures else tuple(state.returns())
    return Record(
        scheduled.number, scheduled.block, scheduled.seats, returns, len(moves), " ".join(moves), tuple(failures)
    )


def step_text(state: State, acting: Sequence[int], joint: Sequence[Any]) -> str:
    """A joint action as `Record.moves` has it."""
    if len(acting) == 1:
        return state.action_to_string(acting[0], joint[acting[0]])
    return "|".join(state.action_to_string(player, action) for player, action in enumerate(joint))


def _is_legal(state: State, seat: int, action: Any) -> bool:
    try:
        return state.is_legal(seat, action)
    except Exception:  # an answer can be any object, with any behaviour
        return False


def why_illegal(state: State, seat: int, action: Any) -> str:
    """What is wrong with an action that is not legal, whatever object it is."""
    joint = [state.sample_action(player, 0) for player in range(state.game.num_players)]
    joint[seat] = action
    try:
        state.clone().apply_actions(joint)
    except IllegalActionError as error:
        return str(error)
    except Exception:
        return f"an object of type {type(action).__name__} is no action of {state.game.spec}"
    raise AssertionError("a legal action was to be explained as illegal")


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MESSAGE_LENGTH else line[: _MESSAGE_LENGTH - 3] + "..."
