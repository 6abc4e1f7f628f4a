"""What stands in a file of games: tournaments and games by their ids, and what they came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from mcts import load_game

from ...errors import StoreError
from ...fingerprints import changes, code_of
from ..store.store import Store, StoredGame, StoredTournament
from ..tournament.extension import contains, why_not_extended
from ..tournament.openings import Openings
from ..tournament.schedule import Tournament
from .report import Report, assemble_report
from .tally import Tally

ID_DIGITS = 8
"""How much of a tournament's digest stands in the ids of its games."""
MOST_DIGITS = 10
"""Of a game's number."""


def game_id(tournament: Tournament, number: int) -> str:
    """What identifies a game anywhere: a function of the tournament and the game's number."""
    return f"{tournament.digest[:ID_DIGITS]}-{number}"


def find_tournament(store: Store, wanted: str | None = None) -> StoredTournament:
    """The tournament of a number, counted from 1, or of the beginning of an id; by default, the one played last.

    A tournament that was extended is found by its own id too.

    Raises:
        StoreError: there is none, or more than one.
    """
    every = store.tournaments()
    if wanted is None and every:
        return max(every, key=lambda stored: (stored.last_played, stored.key))
    if wanted in (numbers := [str(number) for number in range(1, len(every) + 1)]):
        return every[numbers.index(wanted)]
    found = [stored for stored in every if stored.tournament.digest.startswith(wanted or "")]
    if not found and wanted is not None:
        found = [part for part in store.parts() if part.tournament.digest.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    known = ", ".join(f"{s.tournament.digest[:ID_DIGITS]} ({s.tournament.game}, {s.games:,} games)" for s in every)
    has = (
        f"{len(found)} tournaments {wanted!r}"
        if found
        else "no tournament" + ("" if wanted is None else f" {wanted!r}")
    )
    raise StoreError(
        f"{store.path!r} has {has}; valid: --tournament with a number from 1 to {len(every)}, or the beginning of one "
        f"of {known}"
        if every
        else f"{store.path!r} has {has}: it is empty; valid: a file that playout arena has written games to"
    )


def default_tournament_note(store: Store, stored: StoredTournament) -> str | None:
    """The sentence that says which of several tournaments of a store is shown; None where there is but one."""
    others = len(store.tournaments()) - 1
    if others < 1:
        return None
    return (
        f"{store.path}: the last played of {others + 1} tournaments, {stored.tournament.digest[:ID_DIGITS]}; "
        "`playout tournaments` lists them, --tournament chooses"
    )


def find_game(store: Store, wanted: str) -> tuple[StoredTournament, StoredGame]:
    """The game of an id, or of a number in the tournament that was played last.

    Raises:
        StoreError: there is none.
    """
    digest, _, number = wanted.rpartition("-")
    if not (number.isascii() and number.isdecimal()) or len(number) > MOST_DIGITS:
        raise StoreError(f"{wanted!r} is no id of a game; valid: as in 1a2b3c4d-17, or a number")
    stored = find_tournament(store, digest or None)
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
    return assemble_report(
        tournament,
        load_game(tournament.game),
        tally,
        failures,
        tournament.labels,
        not over,
        anchors,
        repeats=store.repeats(stored.key, tally.end),
        notes=stored_notes(tournament, store, stored.key),
    )


def extension_refusals(store: Store, tournament: Tournament) -> list[str]:
    """Sentences that say why a tournament to be played does not go on with what is stored of similar ones."""
    tournament = store.match(tournament)
    every = store.tournaments()
    if any(contains(s.tournament, tournament) or contains(tournament, s.tournament) for s in every):
        return []
    return [
        f"Tournament {stored.tournament.digest[:ID_DIGITS]} cannot be extended, so another one begins: {reason}."
        for stored in every
        if (reason := why_not_extended(stored.tournament, tournament)) is not None
    ]


def stored_notes(tournament: Tournament, store: Store, key: int) -> list[str]:
    """What a reader has to know of the openings and of the bots' code."""
    bots = tournament.bots
    now = code_of(bots)
    found: Counter[str] = Counter()
    for session in store.sessions(key):
        for change in changes(session.code, now, bots):
            found[change] += session.games
    notes = [
        f"{games:,} games were played with other code: {change}; another --db or --seed plays them anew."
        for change, games in found.items()
    ]
    if tournament.openings == Openings():
        return notes
    openings, cycles = store.openings(key)
    if openings >= cycles:
        return notes
    return [*notes, f"{openings:,} openings for {cycles:,} blocks of each pairing: they were used repeatedly."]
