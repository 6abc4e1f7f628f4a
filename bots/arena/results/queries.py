"""Tournaments and games of a file by their ids, and the report of a stored tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from cext.arguments import counted
from mcts import load_game

from ...errors import StoreError
from ..fingerprints import changes, code_of
from ..ratings.rating_model import RatingModel
from ..store.repeats import WARNING_SHARE
from ..store.store import ID_DIGITS, Store, StoredGame, StoredTournament
from ..tournament.extension import contains, why_not_extended
from ..tournament.openings import Openings
from ..tournament.schedule import Tournament
from .report import Report, assemble_report
from .tally import Tally

MOST_DIGITS = 10
"""Most digits of the number of a game."""
OVER_SHARE, OVER_SECONDS = 1.5, 0.05
"""A decision is much too long if it exceeds this multiple of its limit by this number of seconds."""


def find_tournament(store: Store, wanted: str | None = None) -> StoredTournament:
    """Return the tournament with a number (counted from 1) or an id; by default, the one that was played last.

    The first digits of an id are enough. A tournament that was extended is found by its former id too.

    Raises:
        StoreError: there is no such tournament, or more than one.
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
    known = ", ".join(
        f"{s.tournament.digest[:ID_DIGITS]} ({s.tournament.game}, {counted(s.games, 'game')})" for s in every
    )
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
    """Return the sentence that names the tournament shown by default; None if the store has only one."""
    others = len(store.tournaments()) - 1
    if others < 1:
        return None
    return (
        f"{store.path}: the last played of {others + 1} tournaments, {stored.tournament.digest[:ID_DIGITS]}; "
        "`playout tournaments` lists them, --tournament chooses"
    )


def find_game(store: Store, wanted: str) -> tuple[StoredTournament, StoredGame]:
    """Return the game with an id, or with a number in the tournament that was played last. The first game is 1.

    Raises:
        StoreError: there is no such game.
    """
    digest, _, number = wanted.rpartition("-")
    if not (number.isascii() and number.isdecimal()) or len(number) > MOST_DIGITS:
        raise StoreError(f"{wanted!r} is not the id of a game; valid: as in 1a2b3c4d-17, or a number")
    stored = find_tournament(store, digest or None)
    for game in store.games(stored.key, int(number) - 1) if 1 <= int(number) <= stored.tournament.num_games else ():
        return stored, game
    raise StoreError(
        f"game {number} is not in {store.path!r}; valid: one of the {stored.games:,} stored games of this tournament, "
        f"whose numbers are from 1 to {stored.tournament.num_games}"
    )


def tally_of(store: Store, stored: StoredTournament) -> Tally:
    """Return the counts of a stored tournament."""
    tally = Tally(stored.tournament)
    for record in store.results(stored.key):
        tally.add(record)
    return tally


def tournament_report(
    store: Store,
    stored: StoredTournament,
    anchors: Mapping[int, float] | None = None,
    model: RatingModel | None = None,
) -> Report:
    """Return the report of the games that are stored by now. The arguments are as in `report_of_tally`."""
    return report_of_tally(store, stored.key, stored.tournament, tally_of(store, stored), anchors, model)


def report_of_tally(
    store: Store,
    key: int,
    tournament: Tournament,
    tally: Tally,
    anchors: Mapping[int, float] | None = None,
    model: RatingModel | None = None,
    *,
    interrupted: bool | None = None,
    with_failures: bool = True,
) -> Report:
    """Return the report of a tournament from its counts and from the failures, repeats and sessions in its store.

    Args:
        store: the file with the games of the tournament.
        key: key of the tournament in the store.
        tournament: the tournament, with the present names of its bots.
        tally: the counts of its games.
        anchors: given ratings by index of the bot.
        model: the rating model; the default is that of `rate`.
        interrupted: True if games remain to be played; by default, taken from the tally.
        with_failures: False to leave out `Report.failures`.

    Raises:
        StoreError: the file cannot be read, or is damaged.
        ParameterError: an anchor belongs to no bot or is not finite, or the model does not fit these games.
    """
    if interrupted is None:
        interrupted = tally.stopped is None and tally.known < tournament.num_games
    return assemble_report(
        tournament,
        load_game(tournament.game),
        tally,
        [found for found in store.failures(key) if found[0] < tally.end] if with_failures else [],
        tournament.labels,
        interrupted,
        anchors,
        store.repeats(key, tally.end),
        [*_notes(tournament, store, key), *_overtime(tournament, store, key, tally.end)],
        model,
    )


def _overtime(tournament: Tournament, store: Store, key: int, end: int) -> list[str]:
    """Return a sentence for each bot that took much longer than its limit in many games."""
    every = map(tournament.limit_of, range(len(tournament.bots)))
    limits = {bot: one.seconds for bot, one in enumerate(every) if one.seconds and one.margin_seconds is None}
    if not limits:
        return []
    games: Counter[int] = Counter()
    over: dict[int, list[float]] = {bot: [] for bot in limits}
    for seats, times in store.longest_decisions(key, end):
        for bot, seconds in zip(seats, times, strict=False):  # empty if times are unknown
            games[bot] += 1
            if bot in limits and seconds > OVER_SHARE * limits[bot] + OVER_SECONDS:
                over[bot].append(seconds)
    return [
        f"{tournament.labels[bot]} took longer than its limit of {limits[bot]:g} s for a decision in {len(found):,} of "
        f"{counted(games[bot], 'game')}, up to {max(found):.3g} s: --margin S makes it lose a game in which it takes S "
        "seconds more."
        for bot, found in over.items()
        if len(found) > WARNING_SHARE * games[bot]
    ]


def extension_refusals(store: Store, tournament: Tournament) -> list[str]:
    """Return sentences that say why a tournament does not extend the stored tournaments that are similar to it."""
    every = store.tournaments()
    if any(contains(s.tournament, tournament) or contains(tournament, s.tournament) for s in every):
        return []
    return [
        f"Tournament {stored.tournament.digest[:ID_DIGITS]} cannot be extended, so a new one begins: {reason}."
        for stored in every
        if (reason := why_not_extended(stored.tournament, tournament)) is not None
    ]


def _notes(tournament: Tournament, store: Store, key: int) -> list[str]:
    """Return the notes on changed code and on repeated openings."""
    bots = tournament.bots
    now = code_of(bots)
    found: Counter[str] = Counter()
    for session in store.sessions(key):
        for change in changes(session.code, now, bots):
            found[change] += session.games
    notes = [
        f"{counted(games, 'game was', 'games were')} played with other code: {change}; "
        "another --db or --seed plays them again."
        for change, games in found.items()
    ]
    if tournament.openings == Openings():
        return notes
    openings, cycles = store.openings(key)
    if openings >= cycles:
        return notes
    return [
        *notes,
        f"{counted(openings, 'opening')} for {counted(cycles, 'block')} of each pairing: openings were used "
        "repeatedly.",
    ]
