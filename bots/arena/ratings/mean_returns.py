"""What bots got, on the game's own scale: where the sum of returns is not fixed, ranks alone would drop the margins."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass

from .blocks import DRAW, LOSS, WIN, BlockCounts, GameOutcome, WinDrawLoss, result_of
from .confidence import half_width


@dataclass(frozen=True)
class SeatReturns:
    """How a bot did as one of the players.

    With three and more players, a win is to be alone at the top, and a draw to be there with others.
    """

    results: WinDrawLoss
    mean_return: float | None
    """None where it never sat there."""


@dataclass(frozen=True)
class BotReturns:
    """How a bot did in all games."""

    seats: tuple[SeatReturns, ...]
    mean_return: float | None
    """None where it played no game."""
    error: float | None
    """Half the width of the 95 % interval of the mean, from the spread of whole blocks; None where there is none."""

    @property
    def results(self) -> WinDrawLoss:
        """Of all seats."""
        return WinDrawLoss(*(sum(counts) for counts in zip(*(seat.results for seat in self.seats), strict=True)))


def mean_returns(num_bots: int, num_seats: int, games: Counter[GameOutcome], blocks: BlockCounts) -> list[BotReturns]:
    """What bots got.

    Args:
        num_bots: indices are in [0, num_bots).
        num_seats: players of the game.
        games: how often each distinct game was played.
        blocks: those of them that are in whole blocks: the errors rest on these alone.
    """
    results: defaultdict[tuple[int, int], Counter[float]] = defaultdict(Counter)
    totals: defaultdict[tuple[int, int], float] = defaultdict(float)
    for game, times in sorted(games.items()):  # sums must not depend on who finished first
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
            seats.append(SeatReturns(WinDrawLoss(of_seat[WIN], of_seat[DRAW], of_seat[LOSS]), mean))
        count = sum(seat.results.games for seat in seats)
        mean = sum(totals[bot, seat] for seat in range(num_seats)) / count if count else None
        found.append(BotReturns(tuple(seats), mean, errors[bot]))
    return found


def _errors(num_bots: int, counts: BlockCounts) -> list[float | None]:
    """Errors of mean returns. A bot may sit in a block more often than in another: the mean is a ratio of sums, and its
    error is that of the ratio's linear approximation."""
    sums: list[list[tuple[float, int, int]]] = [
        [] for _ in range(num_bots)
    ]  # total return, games, how many such blocks
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
