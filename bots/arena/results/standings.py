"""The standings of a tournament and its pairings: plain data, from the ratings and the counts of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mcts import Game

from ..ratings.blocks import BlockCounts, GameOutcome, Pairing
from ..ratings.elo import EloEstimate, estimate_elo
from ..ratings.mean_returns import BotReturns
from ..ratings.ratings import Ratings

NOBODY_BOT = -1
"""Stands for a bot where it cannot be told whose failure it was."""


class Counts(Protocol):
    """What is counted of a tournament."""

    @property
    def games(self) -> Counter[GameOutcome]:
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


def make_standings(
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


def make_pairing_result(pairing: Pairing) -> PairingResult:
    blocks = pairing.pentanomial
    elo = None if blocks is None else estimate_elo(blocks)
    return PairingResult(pairing.first, pairing.second, *pairing.games, blocks, elo)
