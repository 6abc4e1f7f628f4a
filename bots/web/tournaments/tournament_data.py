"""Tournaments, games and ratings of a database as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from mcts import Game
from mcts.game_rules import phrases_of

from ...arena.report.failure_groups import FAILURE_GROUPS, FailureGroups
from ...arena.report.results_view import results_view
from ...arena.results.pool import pool
from ...arena.results.queries import report_of_tally, tally_of
from ...arena.store.export import record_of
from ...arena.store.store import Store, StoredGame, StoredTournament
from ...arena.tournament.names import unique_labels
from ...game import replayed
from ...game.failures import NO_SEAT
from ...system.untrusted import LINE_LENGTH, clean_line
from ..problems import Problem
from ..security.sight import Sight

LAST_GAMES = 20
"""Number of games that are shown with the ratings of a tournament."""
MOST_BOTS = 200
"""Most bots that are rated together."""
MOST_GAMES = 1_000_000
"""Most games that are rated together."""


def head_of(stored: StoredTournament, refused: str | None) -> dict[str, Any]:
    """Return a tournament in a list.

    Args:
        stored: the tournament.
        refused: the reason why its results are not shown; None if they are.
    """
    of = stored.tournament
    return {
        "id": of.digest,
        "game": of.game,
        "bots": _labels(stored),
        "pairing": of.pairing.title,
        "begun": stored.begun,
        "last_played": stored.last_played,
        "games": stored.games,
        "games_scheduled": of.num_games,
        "refused": refused,
    }


def check_size(rated: Sequence[StoredTournament]) -> None:
    """Raise Problem if tournaments are too large to be rated while others wait."""
    games = sum(stored.games for stored in rated)
    if games > MOST_GAMES:
        raise Problem(409, "too_large", f"{games:,} games; valid: up to {MOST_GAMES:,}, or playout ratings")
    bots = sum(len(stored.tournament.bots) for stored in rated)
    distinct = len({bot for stored in rated for bot in stored.tournament.bots}) if len(rated) > 1 else bots
    if distinct > MOST_BOTS:
        raise Problem(409, "too_large", f"{distinct:,} bots; valid: up to {MOST_BOTS}, or playout ratings")


def results_of(store: Store, stored: StoredTournament, game: Game) -> dict[str, Any]:
    """Return the ratings and results of a tournament so far, with its last games. Raises Problem, StoreError."""
    check_size([stored])
    tally = tally_of(store, stored)
    report = report_of_tally(store, stored.key, stored.tournament, tally, with_failures=False)
    failures = FailureGroups[int](FAILURE_GROUPS)
    for number, seats, failure in store.failures(stored.key):
        if number < tally.end:
            failures.add(number, failure.whose(seats, NO_SEAT), replace(failure, log=""))
    return {
        **head_of(stored, None),
        "games": tally.known,
        "is_over": not report.interrupted,
        "report": results_view(report, tally.lengths, failures.sorted()),
        "last_games": games_of(store, stored, game, None, LAST_GAMES)["games"],
    }


def games_of(store: Store, stored: StoredTournament, game: Game, before: int | None, count: int) -> dict[str, Any]:
    """Return some games of a tournament, from the highest number down.

    Args:
        store: the file.
        stored: the tournament.
        game: its game.
        before: the number above those of the games; None for all games.
        count: most games.
    """
    numbers = store.last_numbers(stored.key, count, before)
    games = [_game_dict(stored, game, found) for number in numbers for found in store.games(stored.key, number)]
    return {"games": games}


def game_of(store: Store, stored: StoredTournament, game: Game, number: int) -> dict[str, Any]:
    """Return one game of a tournament with its record. Raises Problem, StoreError."""
    found = _stored_game(store, stored, number)
    record = record_of(stored.tournament, found, game)
    return {**_game_dict(stored, game, found), "record": record.to_dict(), "phrases": phrases_of(game.info)}


def ply_of(store: Store, stored: StoredTournament, game: Game, number: int, ply: int) -> dict[str, Any]:
    """Return the position after some plies of a game of a tournament. Raises Problem, StoreError."""
    record = record_of(stored.tournament, _stored_game(store, stored, number), game)
    if not 0 <= ply <= len(record.plies):
        raise Problem(404, "no_such_ply", f"ply {ply}; valid: 0 to {len(record.plies)}")
    sight = Sight(state := next(islice(replayed(record, game), ply, None)).state, None, revealed=True)
    return {
        "ply": ply,
        "actions": dict(record.plies[ply - 1].actions) if ply else None,
        "waits_for": [game.players[seat] for seat in state.acting_players()],
        "written": sight.written({text for each in record.plies for text in each.actions.values() if text}),
        **sight.to_dict(),
    }


def leaderboard_of(
    store: Store, stored: Iterable[StoredTournament], game: str, refused: Callable[[str], str | None]
) -> dict[str, Any]:
    """Return the ratings of all bots of a game, from all tournaments of the file together. Raises StoreError.

    Args:
        store: the file.
        stored: its tournaments.
        game: canonical spec of the game.
        refused: returns the reason why the results of a game are not shown; None if they are.
    """
    games: dict[str, dict[str, Any]] = {}
    for one in stored:
        spec = one.tournament.game
        of = games.setdefault(spec, {"game": spec, "tournaments": 0, "games": 0, "refused": refused(spec)})
        of["tournaments"] += 1
        of["games"] += one.games
    found = pool([store], game)
    return {
        "game": game,
        "games": list(games.values()),
        "report": results_view(found.report),
        "tournaments": [source.tournament for source in found.sources],
    }


def _stored_game(store: Store, stored: StoredTournament, number: int) -> StoredGame:
    if number < stored.tournament.num_games:
        for found in store.games(stored.key, number):
            return found
    raise Problem(404, "unknown_game_number", f"game {number} of this tournament is not stored")


def _game_dict(stored: StoredTournament, game: Game, found: StoredGame) -> dict[str, Any]:
    record, labels = found.record, _labels(stored)
    returns = record.returns or [None] * game.num_players
    seconds = record.seconds or [None] * game.num_players
    return {
        "number": record.number,
        "seats": [
            {"player": player, "bot": labels[bot], "return": value, "seconds": taken}
            for player, bot, value, taken in zip(game.players, record.seats, returns, seconds, strict=True)
        ],
        "plies": record.plies,
        "ending": record.ending or None,
        "failures": [
            {
                "player": failure.whose(game.players, None),
                "kind": failure.kind,
                "message": failure.message,
                "ply": failure.ply,
            }
            for failure in record.failures
        ],
        "begun": found.begun,
    }


def _labels(stored: StoredTournament) -> list[str]:
    """Return the labels of the bots, as reports have them."""
    return unique_labels([clean_line(label, LINE_LENGTH) for label in stored.tournament.labels])
