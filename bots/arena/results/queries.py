"""What stands in a file of games: tournaments and games by their ids, and what they came to."""

from __future__ import annotations

from collections.abc import Mapping

from mcts import StoreError, load_game

from ..store.store import Store, StoredGame, StoredTournament
from ..tournament.schedule import Openings, Tournament
from .standings import Report, summarise
from .tally import Tally

ID_DIGITS = 8
"""How much of a tournament's digest stands in the ids of its games."""


def game_id(tournament: Tournament, number: int) -> str:
    """What identifies a game anywhere: a function of the tournament and the game's number."""
    return f"{tournament.digest[:ID_DIGITS]}-{number}"


def the_tournament(store: Store, wanted: str | None) -> StoredTournament:
    """The one tournament of a store, or the one whose id begins so.

    Raises:
        StoreError: there is none, or more than one.
    """
    every = store.tournaments()
    found = [stored for stored in every if stored.tournament.digest.startswith(wanted or "")]
    if len(found) == 1:
        return found[0]
    known = ", ".join(f"{s.tournament.digest[:ID_DIGITS]} ({s.tournament.game}, {s.games:,} games)" for s in every)
    has = f"{len(found)} tournaments" if found else "no tournament" + ("" if wanted is None else f" {wanted!r}")
    raise StoreError(
        f"{store.path!r} has {has}; valid: --tournament with the beginning of one of {known or 'none: it is empty'}"
    )


def the_game(store: Store, wanted: str) -> tuple[StoredTournament, StoredGame]:
    """The game of an id, or of a number where there is but one tournament.

    Raises:
        StoreError: there is none.
    """
    digest, _, number = wanted.rpartition("-")
    if not number.isdecimal():
        raise StoreError(f"{wanted!r} is no id of a game; valid: as in 1a2b3c4d-17, or a number")
    stored = the_tournament(store, digest or None)
    for game in store.games(stored.key, int(number)) if int(number) < stored.tournament.num_games else ():
        return stored, game
    raise StoreError(
        f"game {number} is not in {store.path!r}; {stored.games:,} games of this tournament are, "
        f"of the numbers 0 to {stored.tournament.num_games - 1}"
    )


def tally_of(store: Store, stored: StoredTournament) -> Tally:
    """The counts of a stored tournament."""
    tally = Tally(stored.tournament)
    for record in store.results(stored.key):
        tally.add(record)
    return tally


def tournament_report(store: Store, stored: StoredTournament, anchors: Mapping[int, float] | None = None) -> Report:
    """What a stored tournament has come to by now, rated relative to anchors: Elo by index of the bot."""
    tournament = stored.tournament
    tally = tally_of(store, stored)
    failures = [found for found in store.failures(stored.key) if found[0] < tally.end]
    over = tally.stopped is not None or stored.games >= tournament.num_games
    return summarise(
        tournament,
        load_game(tournament.game),
        tally,
        failures,
        tournament.labels,
        not over,
        anchors,
        repeats=store.repeats(stored.key, tally.end),
        notes=notes_of(tournament, store, stored.key),
    )


def notes_of(tournament: Tournament, store: Store, key: int) -> list[str]:
    """What a reader has to know of the openings."""
    if tournament.openings == Openings():
        return []
    openings, cycles = store.openings(key, tournament.pairings)
    if openings >= cycles:
        return []
    return [f"{openings:,} openings for {cycles:,} blocks of each pairing: they were used repeatedly."]
