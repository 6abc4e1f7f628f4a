"""The inside of a worker process: plays the games whose numbers it is sent."""

from __future__ import annotations

import signal
import time
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection

from mcts import Game, load_game

from ..base import Bot
from ..registry import load_bot
from .logs import LogSource
from .match import NOBODY, Record, play_game
from .policies import REPLAY
from .schedule import Tournament

GAME, SEAT, SINCE = range(3)
"""Places of a desk: the game being played, the seat that is to decide, and since when by the monotonic clock."""
NO_GAME = -1
DESK_SIZE = 3


@dataclass
class Desk:
    """What a worker is doing right now, in memory that the parent can read even after the worker has died."""

    places: MutableSequence[float]

    def turn(self, seat: int) -> None:
        """Note who is to decide from now on."""
        self.places[SINCE] = time.monotonic()
        self.places[SEAT] = seat

    def sit_down(self, number: int) -> None:
        """Note which game is played from now on."""
        self.places[SEAT] = NOBODY
        self.places[GAME] = number


def work(
    tournament: Tournament,
    connection: Connection,
    not_mine: Sequence[Connection],
    places: MutableSequence[float],
    logs: LogSource,
) -> None:
    """Answer every list of game numbers with the list of their records, until None comes or the parent is gone.

    Args:
        tournament: what is played.
        connection: this worker's end.
        not_mine: ends that this process may have inherited, closed first: while a copy of the parent's end is open, a
            worker would not notice that the parent is gone.
        places: memory of a Desk.
        logs: where this process sends its logs.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the parent decides
    for other in not_mine:
        other.close()
    logs.attach()
    game = load_game(tournament.game)
    desk = Desk(places)
    seated: dict[tuple[int, int], Bot] = {}
    try:
        while (numbers := connection.recv()) is not None:
            connection.send([_play(tournament, game, seated, number, desk) for number in numbers])
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the parent is gone, and with it everyone who would want the results
    finally:
        for bot in seated.values():
            bot.close()


def _play(tournament: Tournament, game: Game, seated: dict[tuple[int, int], Bot], number: int, desk: Desk) -> Record:
    scheduled = tournament.scheduled(number)
    desk.sit_down(number)

    def bot_at(seat: int) -> Bot:
        """Made once, so that a short game does not pay for making bots."""
        key = scheduled.seats[seat], seat
        if key not in seated:
            seated[key] = load_bot(tournament.bots[key[0]])
        return seated[key]

    limits = [tournament.limit_of(bot) for bot in scheduled.seats]
    for played_again in count():
        record = play_game(game, bot_at, scheduled, limits, tournament.deadline_seconds, desk.turn)
        for failure in record.failures:  # a bot that failed may be in any condition: the next game gets a new one
            if (bot := seated.pop((scheduled.seats[failure.seat], failure.seat), None)) is not None:
                bot.close()
        kinds = [failure.kind for failure in record.failures]
        if not kinds or tournament.policies.verdict(kinds, played_again) != REPLAY:
            break
    desk.sit_down(NO_GAME)
    return record
