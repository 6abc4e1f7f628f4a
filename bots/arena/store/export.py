"""Stored games as records, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mcts import Game, load_game
from mcts.primitives.failures import failures_named

from ...errors import RecordError, StoreError
from ...game import (
    FAILED,
    FINISHED,
    RESIGNED,
    Record,
    RecordedFailure,
    RecordedPly,
    RecordedSeat,
    recorded_plies,
    recorded_rules,
)
from ..records import shown_number
from ..tournament.openings import opening_position
from ..tournament.schedule import Tournament
from .replay import whole_course
from .store import StoredGame, game_id


def record_of(tournament: Tournament, stored: StoredGame, game: Game | None = None) -> Record:
    """Return the record of a stored game.

    Args:
        tournament: the tournament of the game.
        stored: the game.
        game: the game of the tournament; None: it is loaded.

    Raises:
        StoreError: the game cannot be replayed: what was stored is damaged, or the rules have changed.
    """
    game = load_game(tournament.game) if game is None else game
    played = stored.record
    with failures_named(f"game {shown_number(played.number)} cannot be replayed", StoreError, RecordError):
        course = whole_course(game, played)
        start = course.start.to_text() if opening_position(played.opening) else None
        return _record(tournament, stored, game, recorded_plies(course), start)


def _record(
    tournament: Tournament, stored: StoredGame, game: Game, plies: tuple[RecordedPly, ...], start: str | None
) -> Record:
    played = stored.record
    opening = len(plies) - played.plies
    returns = played.returns
    resigned = () if returns is None or played.ending != RESIGNED else returns
    times = played.seconds or [None] * game.num_players
    return Record(
        tournament.game,
        tuple(
            RecordedSeat(player, tournament.bots[bot], tournament.labels[bot], seconds)
            for player, bot, seconds in zip(game.players, played.seats, times, strict=True)
        ),
        plies,
        FAILED if played.failures else played.ending or FINISHED,
        returns,
        tuple(player for player, value in zip(game.players, resigned, strict=False) if value == game.min_utility),
        tuple(
            RecordedFailure(
                failure.whose(game.players, None),
                failure.kind,
                failure.message,
                min(opening + failure.ply, len(plies)),
            )
            for failure in played.failures
        ),
        start,
        opening,
        played.seed,
        library=stored.version,
        date=f"{stored.begun.replace(' ', 'T')}Z" if stored.begun else "",
        game_id=game_id(tournament, played.number),
        rules=recorded_rules(game),
    )


def record_lines(tournament: Tournament, games: Iterable[StoredGame], *, rules: bool = False) -> Iterator[str]:
    """Yield the record of each game as a line of JSON, as `Record.to_line` writes it.

    Args:
        tournament: the tournament.
        games: its games.
        rules: True for records that carry the rulesheet of their game, if it is one.

    Raises:
        StoreError: a game cannot be replayed.
    """
    game = load_game(tournament.game)
    for stored in games:
        yield replace(record_of(tournament, stored, game), rules=recorded_rules(game, carried=rules)).to_line()


def csv_lines(tournament: Tournament, games: Iterable[StoredGame]) -> Iterator[str]:
    """Yield lines of comma-separated values: a header, then one line for each game.

    Each seat has a column for its bot and one for its return.
    """
    line = io.StringIO(newline="")
    writer = csv.writer(line)

    def written(row: Sequence[object]) -> str:
        line.seek(0)
        line.truncate()
        writer.writerow(row)
        return line.getvalue()

    players = range(1, tournament.num_players + 1)
    bots, returns = [f"bot_{p}" for p in players], [f"return_{p}" for p in players]
    yield written(["number", "block", *bots, *returns, "plies", "failures", "opening", "moves"])
    for stored in games:
        record = stored.record
        yield written(
            [
                shown_number(record.number),
                record.block,
                *(tournament.bots[bot] for bot in record.seats),
                *(record.returns or [""] * tournament.num_players),
                record.plies,
                "; ".join(f"{failure.seat + 1}: {failure.kind}" for failure in record.failures),
                " ".join(stored.record.opening),
                record.moves,
            ]
        )
