"""The standings of a tournament and its pairings: plain data, from the ratings and the counts of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cext.game_info import WINS
from mcts import Game

from ..ratings.blocks import BlockCounts, Pairing, Scoring, WinDrawLoss, mean_score, pairings
from ..ratings.elo import EloEstimate, estimate_elo, estimate_normalized
from ..ratings.mean_returns import BotReturns
from ..ratings.ratings import Ratings
from .tally import Counts


@dataclass(frozen=True)
class SeatScore:
    """Results of a bot in one seat."""

    player: str
    """Name of the player in the game."""
    results: WinDrawLoss
    """With three and more players, a win is the highest return alone, and a draw the highest return with others."""
    mean_return: float | None
    """None without games in this seat."""


@dataclass(frozen=True)
class Standing:
    """All results of one bot. Errors are half the width of 95 % intervals, from the spread of whole blocks."""

    index: int
    """Index in the tournament's list of bots, and in all tables of `Report.ratings`."""
    bot: str
    """Label: the name, or the canonical spec of a bot without a name, with #2 and so on for equal specs."""
    rating: float | None
    """Rating in `Ratings.unit`; None for a bot that met no other bot in whole blocks."""
    rating_error: float | None
    """None where the interval is not symmetric."""
    rating_lower: float | None
    """Lower end of the 95 % interval; None where the results set none."""
    rating_upper: float | None
    """Upper end of the 95 % interval; None where the results set none."""
    list: int | None
    """Index in `Ratings.lists`; None for a bot that is not rated."""
    los_next: float | None
    """Likelihood of superiority over the next bot of the list."""
    mean_return: float | None
    """Mean return in all games; None without games."""
    mean_return_error: float | None
    """None without a spread of whole blocks, and where the interval leaves the range of returns."""
    mean_return_lower: float | None
    """Lower end of the 95 % interval; None where it is not above the least return."""
    mean_return_upper: float | None
    """Upper end of the 95 % interval; None where it is not below the greatest return."""
    games: int
    """Number of seats in which the bot played."""
    seats: tuple[SeatScore, ...]
    """Results in each seat."""
    failures: dict[str, int]
    """Number of failures by kind."""

    @property
    def results(self) -> WinDrawLoss:
        """Wins, draws and losses in all seats."""
        return WinDrawLoss(*(sum(counts) for counts in zip(*(seat.results for seat in self.seats), strict=True)))


@dataclass(frozen=True)
class StandingList:
    """The standings of bots whose ratings can be compared, or of all bots that are not rated."""

    title: str
    """Empty if there is only one list."""
    standings: tuple[Standing, ...]
    """Best bot first."""


@dataclass(frozen=True)
class PairingResult(Pairing):
    """Results of two bots against each other in whole blocks."""

    elo: EloEstimate | None
    """Elo of the first bot from these blocks alone, without a seat effect, normalized Elo where returns count. None
    without a spread of returns, and for wins in games of three and more players."""
    points: float | None
    """Difference of the mean returns in these blocks; None where wins count."""


def make_standings(
    labels: Sequence[str], game: Game, counts: Counts, ratings: Ratings, returns: Sequence[BotReturns]
) -> tuple[Standing, ...]:
    """Return the standings list by list, best bot first, then the bots that are not rated by mean return."""
    list_of = {bot: number for number, some in enumerate(ratings.lists) for bot in some}
    rated = [bot for some in ratings.lists for bot in some]
    others = [bot for bot in range(len(labels)) if bot not in list_of]
    best_first = rated + sorted(others, key=lambda bot: -(returns[bot].mean_return or 0.0))
    following: list[int | None] = [*best_first[1:], None]
    return tuple(
        Standing(
            bot,
            labels[bot],
            ratings.values[bot],
            ratings.errors[bot],
            ratings.lower[bot],
            ratings.upper[bot],
            list_of.get(bot),
            None if after is None else ratings.los[bot][after],
            returns[bot].mean_return,
            returns[bot].error,
            returns[bot].lower,
            returns[bot].upper,
            returns[bot].results.games,
            tuple(
                SeatScore(player, seat.results, seat.mean_return)
                for player, seat in zip(game.players, returns[bot].seats, strict=True)
            ),
            {kind: times for (failed, kind), times in sorted(counts.failures.items()) if failed == bot},
        )
        for bot, after in zip(best_first, following, strict=True)
    )


def standing_lists(standings: Sequence[Standing]) -> tuple[StandingList, ...]:
    """Group the standings by list of ratings; the bots that are not rated come last."""
    by_list: dict[int | None, list[Standing]] = {}
    for standing in standings:
        by_list.setdefault(standing.list, []).append(standing)
    if len(by_list) == 1:
        return (StandingList("", tuple(standings)),)
    rated = sum(number is not None for number in by_list)
    titles = ("Not rated" if number is None else f"List {number + 1} of {rated}" for number in by_list)
    return tuple(StandingList(title, tuple(some)) for title, some in zip(titles, by_list.values(), strict=True))


def make_pairing_results(blocks: BlockCounts, scoring: Scoring) -> tuple[PairingResult, ...]:
    """Return the results of every two bots that met in whole blocks, with their Elo."""
    return tuple(_pairing_result(pairing, blocks, scoring) for pairing in pairings(blocks))


def _pairing_result(pairing: Pairing, blocks: BlockCounts, scoring: Scoring) -> PairingResult:
    if scoring.score == WINS:
        elo = None if pairing.pentanomial is None else estimate_elo(pairing.pentanomial)
        return PairingResult(**vars(pairing), elo=elo, points=None)
    scores = scoring.counts(blocks, pairing.first, pairing.second)
    elo = estimate_normalized(scores, len(next(iter(blocks))))
    return PairingResult(**vars(pairing), elo=elo, points=(2 * mean_score(scores) - 1) * scoring.span)
