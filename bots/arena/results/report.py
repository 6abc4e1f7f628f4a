"""The report of a tournament: standings, ratings, pairings and notes. Text, JSON and page all show this one object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcts import Game

from ...untrusted import LINE_LENGTH, clean_line
from ..ratings.blocks import pairings
from ..ratings.mean_returns import mean_returns
from ..ratings.ratings import Ratings, rate
from ..records import Failure
from ..store.repeats import Repeats
from ..tournament.adjudication import DRAW_AGREED, ENDINGS, MAX_PLIES, RESIGNED
from ..tournament.names import unique_labels
from ..tournament.schedule import Tournament
from .sequential import SequentialTest, sequential_test
from .standings import Counts, PairingResult, Standing, make_pairing_result, make_standings


@dataclass(frozen=True)
class Report:
    """What is shown of a tournament."""

    tournament: Tournament
    game: Game
    standings: tuple[Standing, ...]
    """Best bot first."""
    ratings: Ratings
    """In the order of the tournament's bots."""
    pairings: tuple[PairingResult, ...]
    """Those that met."""
    games: int
    blocks: int
    """Whole ones, which the ratings rest on."""
    failures: tuple[tuple[int, str, Failure], ...]
    """Game number, bot, failure."""
    test: SequentialTest | None
    """None where the tournament has no sequential test."""
    endings: dict[str, int]
    """How many games adjudication ended in which way; ways that did not occur are left out."""
    repeats: Repeats | None
    """None where moves were not looked at."""
    interrupted: bool
    notes: tuple[str, ...]
    """What a reader of the numbers must know."""
    pooled: int = 0
    """How many tournaments were rated together; 0 for the results of one."""


def assemble_report(
    tournament: Tournament,
    game: Game,
    counts: Counts,
    failures: Sequence[tuple[int, tuple[int, ...], Failure]],
    names: Sequence[str],
    interrupted: bool = False,
    anchors: Mapping[int, float] | None = None,
    repeats: Repeats | None = None,
    notes: Sequence[str] = (),
) -> Report:
    """Put together what a tournament came to.

    Args:
        tournament: what was to be played.
        game: its game, loaded.
        counts: what was counted.
        failures: number of the game, its seats, and failure, of every failure.
        names: names or canonical specs of the bots, in the tournament's order.
        interrupted: True when there was more to play.
        anchors: Elo of bots that have one, by index.
        repeats: how many games were identical, where that was looked at.
        notes: what a reader has to know besides what is said of the ratings.

    Raises:
        ParameterError: an anchor is of no bot, or no number.
    """
    labels = unique_labels([clean_line(name, LINE_LENGTH) for name in names])
    ratings = rate(len(labels), counts.blocks, anchors)
    returns = mean_returns(len(labels), game.num_players, counts.games, counts.blocks)
    return Report(
        tournament,
        game,
        make_standings(labels, game, counts, ratings, returns),
        ratings,
        tuple(map(make_pairing_result, pairings(counts.blocks))),
        counts.played,
        counts.blocks.total(),
        tuple((number, labels[seats[f.seat]] if f.seat >= 0 else "nobody", f) for number, seats, f in failures),
        sequential_test(tournament, counts.blocks),
        {ending: counts.endings[ending] for ending in ENDINGS if counts.endings[ending]},
        repeats,
        interrupted,
        (*_notes(tournament, counts, interrupted, ratings, labels, repeats), *notes),
    )


def _notes(
    tournament: Tournament,
    counts: Counts,
    interrupted: bool,
    ratings: Ratings,
    labels: Sequence[str],
    repeats: Repeats | None,
) -> list[str]:
    notes = []
    rated = sum(len(block) * times for block, times in counts.blocks.items())
    if counts.stopped is not None:
        notes.append(
            f"The test ended after {counts.played:,} of at most {tournament.num_games:,} games: {counts.stopped}"
        )
    if counts.endings.total():
        notes.append(_adjudicated(tournament, counts))
    void = counts.played - counts.games.total()
    if void:
        verb = "game counts" if void == 1 else "games count"
        too_long = "it reached the maximal length, or " if counts.endings[MAX_PLIES] else ""
        notes.append(f"{void:,} {verb} for nobody: {too_long}it is not known who failed.")
    if interrupted:
        notes.append(f"Stopped after {counts.played} of {tournament.num_games} games.")
    if rated < counts.played:
        notes.append(f"{counts.played - rated:,} games are not in the Elo: they belong to blocks that are not whole.")
    notes += ratings.notes(labels)
    if repeats is not None and (warning := repeats.warning()) is not None:
        notes.append(warning)
    return notes


def _adjudicated(tournament: Tournament, counts: Counts) -> str:
    """How many games adjudication ended, and how."""
    rules = tournament.adjudication
    described = {
        RESIGNED: "resigned",
        DRAW_AGREED: "drawn by agreement",
        MAX_PLIES: f"ended after {rules.max_plies} plies",
    }
    ways = [f"{counts.endings[ending]:,} {described[ending]}" for ending in ENDINGS if counts.endings[ending]]
    return f"{counts.endings.total():,} of {counts.played:,} games were adjudicated: {', '.join(ways)}."
