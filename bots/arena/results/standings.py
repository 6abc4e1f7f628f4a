"""What a tournament comes to: standings with ratings, pairings and notes, all of it plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from mcts import Game

from ...untrusted import LINE_LENGTH, clean_line
from ..play.match import Failure
from ..ratings.blocks import BlockCounts, Pairing, Played, pairings
from ..ratings.elo import EloEstimate, estimate_elo
from ..ratings.mean_returns import BotReturns, mean_returns
from ..ratings.ratings import Ratings, rate
from ..store.repeats import Repeats
from ..tournament.adjudication import DRAW_AGREED, ENDINGS, MAX_PLIES, RESIGNED
from ..tournament.names import unique_labels
from ..tournament.schedule import Tournament
from .sequential import SequentialTest, sequential_test

NOBODY_BOT = -1
"""Stands for a bot where it cannot be told whose failure it was."""


class Counts(Protocol):
    """What is counted of a tournament."""

    @property
    def games(self) -> Counter[Played]:
        """Distinct games that count for the bots in them."""
        ...

    @property
    def blocks(self) -> BlockCounts:
        """Distinct whole blocks, in which every game counts."""
        ...

    @property
    def failures(self) -> Counter[tuple[int, str]]:
        """How often which bot (or NOBODY_BOT) failed in which way."""
        ...

    @property
    def endings(self) -> Counter[str]:
        """How many games adjudication ended in which way."""
        ...

    @property
    def played(self) -> int:
        """All games, those that count for nobody among them."""
        ...

    @property
    def stopped(self) -> str | None:
        """Why a sequential test ended, None where it has not."""
        ...


@dataclass(frozen=True)
class SeatScore:
    """How a bot did as one of the players.

    With three and more players, won means alone at the top, and drawn at the top with others.
    """

    player: str
    wins: int
    draws: int
    losses: int
    mean_return: float | None


@dataclass(frozen=True)
class Standing:
    """All that is said of one bot. Errors are half the width of 95 % intervals, from the spread of whole blocks."""

    index: int
    """Its place in the tournament's list of bots, and in all tables of `Report.ratings`."""
    bot: str
    """Its name, or where it has none its canonical spec, with #2 and so on where several bots have the same."""
    elo: float | None
    """None for a bot that met no other in whole blocks."""
    elo_error: float | None
    """None where the interval is not symmetric."""
    elo_lower: float | None
    """Lower end of the 95 % interval; None where the results set none."""
    elo_upper: float | None
    list: int | None
    """Which of `Ratings.lists` it is in; None for a bot that is not rated."""
    los_next: float | None
    """How likely it is to be better than the next in its list."""
    mean_return: float | None
    mean_return_error: float | None
    games: int
    seats: tuple[SeatScore, ...]
    failures: dict[str, int]
    """Kind -> how often."""

    @property
    def total(self) -> tuple[int, int, int]:
        """Wins, draws and losses in all seats."""
        return (sum(s.wins for s in self.seats), sum(s.draws for s in self.seats), sum(s.losses for s in self.seats))


@dataclass(frozen=True)
class PairingResult:
    """How two bots did against each other in whole blocks."""

    first: int
    """Index of a bot."""
    second: int
    """Greater than the first's."""
    wins: int
    """Of the first; with three and more players, every two seats of a game in which they sat count."""
    draws: int
    losses: int
    pentanomial: tuple[int, int, int, int, int] | None
    """Blocks by what the first scored: 0, 1/2, 1, 3/2, 2. None where the game is not for two."""
    elo: EloEstimate | None
    """From these blocks alone, with no seat effect; None where the game is not for two."""


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


def summarise(
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
        _standings(labels, game, counts, ratings, returns),
        ratings,
        tuple(map(_pairing_result, pairings(counts.blocks))),
        counts.played,
        counts.blocks.total(),
        tuple((number, labels[seats[f.seat]] if f.seat >= 0 else "nobody", f) for number, seats, f in failures),
        sequential_test(tournament, counts.blocks),
        {ending: counts.endings[ending] for ending in ENDINGS if counts.endings[ending]},
        repeats,
        interrupted,
        (*_notes(tournament, counts, interrupted, ratings, labels, repeats), *notes),
    )


def _standings(
    labels: Sequence[str], game: Game, counts: Counts, ratings: Ratings, returns: Sequence[BotReturns]
) -> tuple[Standing, ...]:
    """List by list, best first; then the bots that are not rated, by mean return."""
    list_of = {bot: number for number, some in enumerate(ratings.lists) for bot in some}
    rated = [bot for some in ratings.lists for bot in some]
    others = [bot for bot in range(len(labels)) if bot not in list_of]
    best_first = rated + sorted(others, key=lambda bot: -(returns[bot].mean_return or 0.0))
    following: list[int | None] = [*best_first[1:], None]
    return tuple(
        Standing(
            bot,
            labels[bot],
            ratings.elo[bot],
            ratings.errors[bot],
            ratings.lower[bot],
            ratings.upper[bot],
            list_of.get(bot),
            None if after is None else ratings.los[bot][after],
            returns[bot].mean_return,
            returns[bot].error,
            returns[bot].results.games,
            tuple(
                SeatScore(player, *seat.results, seat.mean_return)
                for player, seat in zip(game.players, returns[bot].seats, strict=True)
            ),
            {kind: times for (failed, kind), times in sorted(counts.failures.items()) if failed == bot},
        )
        for bot, after in zip(best_first, following, strict=True)
    )


def _pairing_result(pairing: Pairing) -> PairingResult:
    blocks = pairing.pentanomial
    elo = None if blocks is None else estimate_elo(blocks)
    return PairingResult(pairing.first, pairing.second, *pairing.games, blocks, elo)


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
