"""Mean returns on the scale of the game. Ratings use ranks alone; mean returns show the margins too.

The mean return of a bot is a ratio of two sums over blocks; its error is that of the linear approximation of the ratio
(Cochran, "Sampling techniques", 1977, chapter 6).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass

from .blocks import BlockCounts, GameOutcome, WinDrawLoss, result_of
from .confidence import half_width


@dataclass(frozen=True)
class SeatReturns:
    """Results and mean return in one seat.

    With three and more players, a win is the highest return alone, and a draw the highest return with others.
    """

    results: WinDrawLoss
    mean_return: float | None
    """None without games in this seat."""


@dataclass(frozen=True)
class BotReturns:
    """Results and mean return of a bot in all games."""

    seats: tuple[SeatReturns, ...]
    mean_return: float | None
    """None without games."""
    error: float | None
    """Half the width of the 95 % interval of the mean, from the spread of whole blocks; None without a spread, and
    where the interval leaves the range of returns."""
    lower: float | None
    """Lower end of the interval; None without a spread, and where it is not above the least return."""
    upper: float | None
    """Upper end of the interval; None without a spread, and where it is not below the greatest return."""

    @property
    def results(self) -> WinDrawLoss:
        """Results in all seats."""
        return WinDrawLoss(*(sum(counts) for counts in zip(*(seat.results for seat in self.seats), strict=True)))


def mean_returns(
    num_bots: int,
    num_seats: int,
    games: Counter[GameOutcome],
    blocks: BlockCounts,
    scale: tuple[float, float] = (-math.inf, math.inf),
) -> list[BotReturns]:
    """Return results and mean returns by the index of the bot.

    Args:
        num_bots: indices are in [0, num_bots).
        num_seats: players of the game.
        games: number of times that each distinct game was played.
        blocks: counts of the whole blocks among them; errors come from these alone.
        scale: least and greatest return. Intervals end there.
    """
    results: defaultdict[tuple[int, int], Counter[float]] = defaultdict(Counter)
    totals: defaultdict[tuple[int, int], float] = defaultdict(float)
    for game, times in sorted(games.items()):  # sums must not depend on the order in which games finished
        for seat, bot in enumerate(game.seats):
            results[bot, seat][result_of(game.returns, seat)] += times
            totals[bot, seat] += game.returns[seat] * times
    errors = _errors(num_bots, blocks)
    found = []
    for bot in range(num_bots):
        seats = []
        for seat in range(num_seats):
            of_seat = results[bot, seat]
            count = of_seat.total()
            mean = totals[bot, seat] / count if count else None
            seats.append(SeatReturns(WinDrawLoss.of_scores(of_seat), mean))
        count = sum(seat.results.games for seat in seats)
        mean = sum(totals[bot, seat] for seat in range(num_seats)) / count if count else None
        found.append(BotReturns(tuple(seats), mean, *_within(scale, mean, errors[bot])))
    return found


def _within(
    scale: tuple[float, float], mean: float | None, error: float | None
) -> tuple[float | None, float | None, float | None]:
    """Return the error of a mean and the ends of its interval, None where the interval leaves the range of returns."""
    if mean is None or error is None:
        return None, None, None
    lower = mean - error if mean - error > scale[0] else None
    upper = mean + error if mean + error < scale[1] else None
    return None if lower is None or upper is None else error, lower, upper


def _errors(num_bots: int, counts: BlockCounts) -> list[float | None]:
    """Return the errors of mean returns. The mean is a ratio of sums, since bots play in some blocks more often."""
    sums: list[list[tuple[float, int, int]]] = [[] for _ in range(num_bots)]  # total return, games, number of blocks
    for block, times in sorted(counts.items()):
        of_block: defaultdict[int, list[float]] = defaultdict(list)
        for game in block:
            for seat, bot in enumerate(game.seats):
                of_block[bot].append(game.returns[seat])
        for bot, got in of_block.items():
            sums[bot].append((sum(got), len(got), times))
    errors: list[float | None] = []
    for of_bot in sums:
        width = half_width(sum(times for _, _, times in of_bot) - 1)
        if width is None:
            errors.append(None)
            continue
        games = sum(count * times for _, count, times in of_bot)
        mean = sum(total * times for total, _, times in of_bot) / games
        squares = sum((total - mean * count) ** 2 * times for total, count, times in of_bot)
        errors.append(width * math.sqrt(squares) / games if squares > 1e-18 * (mean * games) ** 2 else None)
    return errors
