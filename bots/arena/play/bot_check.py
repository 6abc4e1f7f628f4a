"""Check bots before the first game. Code of other packages runs in a process of its own, under the deadline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cext.spec import parse_spec
from mcts import Game, PlayoutError, load_game

from ...errors import BotError, BotFailureError
from ...game.failures import NO_SEAT
from ...registry import is_foreign, load_bot
from ...system.untrusted import failure_of
from .bot_process import BotProcess
from .executors.processes import ProcessExecutor
from .heartbeat import WorkerLostError, my_heartbeat
from .isolation import IsolatedBot

_CALLS = 3
"""Number of calls of a bot that is checked, each of which has the deadline: it is made, checked and closed."""


def checked_bots(game: Game, specs: Sequence[str], deadline_seconds: float) -> tuple[str, ...]:
    """Return the canonical specs of bots that can be made and can play a game.

    Args:
        game: the game.
        specs: of the bots.
        deadline_seconds: maximum duration of each call of a bot of another package.

    Raises:
        PlayoutError: as `load_bot` and `Bot.check_game`, for the first bot that they refuse.
        BotError: a bot of another package fails while it is made or checked.
    """
    foreign = tuple(spec for spec in dict.fromkeys(specs) if is_foreign(spec))
    found = {spec: _checked(game, spec) for spec in dict.fromkeys(specs) if spec not in foreign}
    if foreign:
        found |= zip(foreign, _checked_apart(game.spec, foreign, deadline_seconds), strict=True)
    return tuple(found[spec] for spec in specs)


def _checked(game: Game, spec: str) -> str:
    bot = load_bot(spec)
    bot.check_game(game)
    return bot.spec


@lru_cache(maxsize=256)  # a tournament is checked when it is described, and when it is played
def _checked_apart(game: str, specs: tuple[str, ...], deadline_seconds: float) -> list[str]:
    """Return the canonical specs of bots, each of which is made in a process of its own below a worker."""
    with ProcessExecutor(1) as executor:
        future = executor.submit_clean(_check_each, game, specs, deadline_seconds)
        error = future.exception()
        if error is None:
            return list(map(str, future.result()))
    if isinstance(error, WorkerLostError):
        who = specs[error.game] if 0 <= error.game < len(specs) else ", ".join(specs)
        raise BotError(f"bot {who} ends the process that checks it: {error.kind} ({error.detail})")
    raise error if isinstance(error, PlayoutError) else BotError(failure_of(error).message)


def _check_each(game: str, specs: Sequence[str], deadline_seconds: float) -> list[str]:
    """In a worker: return the canonical specs of bots. Raises PlayoutError."""
    loaded, heartbeat, found = load_game(game), my_heartbeat(), []
    for number, spec in enumerate(specs):
        heartbeat.turn(NO_SEAT, _CALLS * deadline_seconds)
        heartbeat.begin_game(number)
        process = BotProcess()
        process.wait_until_ready()
        try:
            bot = IsolatedBot(spec, deadline_seconds, process)
            try:
                bot.check_game(loaded)
                parse_spec(bot.spec)
                found.append(bot.spec)
            finally:
                bot.close()
        except BotFailureError as failure:
            raise BotError(f"bot {spec} cannot be made: {failure.kind}: {failure}") from None
    return found
