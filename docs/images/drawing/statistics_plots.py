"""Plots for docs/statistics.md and docs/arena_testing.md, drawn with the statistics of the arena itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from matplotlib.ticker import FuncFormatter, NullFormatter

from bots.arena.ratings.elo import EloEstimate, estimate_elo
from bots.arena.ratings.sprt import Sprt

from .plots import plot
from .svg import BLUE, GREEN, INK, MUTED, ORANGE

TRUE_ELO = 40.0


def blocks(score: float, draws: float, count: int, luck: random.Random) -> list[int]:
    """Return the counts of simulated blocks of two games.

    Args:
        score: mean score of the first bot.
        draws: share of drawn games.
        count: number of blocks.
        luck: source of random numbers.
    """
    win = score - draws / 2
    counts = [0] * 5
    for _ in range(count):
        first, second = luck.choices((0, 1, 2), (1 - win - draws, draws, win), k=2)
        counts[first + second] += 1
    return counts


def estimated(counts: list[int]) -> EloEstimate:
    """Return the estimate of counts that are not empty."""
    found = estimate_elo(counts)
    assert found is not None
    return found


def intervals() -> str:
    """Intervals of forty simulated tournaments, and the true difference."""
    score = 1 / (1 + 10 ** (-TRUE_ELO / 400))

    def draw(axes: Any) -> None:
        luck = random.Random(5)
        for number in range(1, 41):
            found = estimated(blocks(score, 0.3, 100, luck))
            assert found.lower is not None
            assert found.upper is not None
            hit = found.lower <= TRUE_ELO <= found.upper
            color = BLUE if hit else ORANGE
            axes.plot([number, number], [found.lower, found.upper], color=color, linewidth=2.2)
            axes.plot(number, found.elo, "o", color=color, markersize=4)
        axes.axhline(TRUE_ELO, color=INK, linewidth=1, linestyle="--")
        axes.axhline(0, color=MUTED, linewidth=1)
        axes.annotate("true difference", (40.6, TRUE_ELO), (41.2, TRUE_ELO), va="center", annotation_clip=False)
        axes.set_xlabel("simulated tournament of 200 games")
        axes.set_ylabel("Elo of the first bot, 95 % interval")
        axes.grid(axis="x", visible=False)
        axes.set_xlim(0, 41)

    return plot(draw, 7.6, 3.6)


def width_by_games() -> str:
    """Width of the interval against the number of games, for three shares of draws."""

    def draw(axes: Any) -> None:
        games = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000]
        for draws, color in ((0.0, ORANGE), (0.5, BLUE), (0.9, GREEN)):
            widths = []
            for number in games:
                pairs = number / 2
                loss = (1 - draws) / 2
                parts = [loss**2, 2 * loss * draws, 2 * loss**2 + draws**2, 2 * loss * draws, loss**2]
                error = estimated([round(pairs * part) for part in parts]).error
                widths.append(error)
            axes.plot(games, widths, "o-", color=color, markersize=4, label=f"{draws:.0%} of the games drawn")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_ylim(0.8, 200)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
            axis.set_minor_formatter(NullFormatter())
        axes.set_xlabel("games between two equal bots")
        axes.set_ylabel("± Elo, 95 % interval")
        axes.legend()

    return plot(draw)


def sprt_walks() -> str:
    """Log likelihood ratios of simulated tests until they end, with H0 true and with H1 true."""
    test = Sprt(0.0, 20.0)

    def draw(axes: Any) -> None:
        luck = random.Random(5)
        for elo, color, name in ((0.0, ORANGE, "no difference (H0 true)"), (20.0, BLUE, "20 Elo better (H1 true)")):
            # With 30 % draws, a normalized Elo of 20 is a mean score of 1/2 + 0.0241.
            score = 0.5 + elo / 347.436 * (0.7 / 4) ** 0.5
            for walk in range(4):
                counts = [0] * 5
                games, ratios = [0], [0.0]
                while test.decide(counts) is None:
                    for place, more in enumerate(blocks(score, 0.3, 5, luck)):
                        counts[place] += more
                    games.append(games[-1] + 10)
                    ratios.append(test.llr(counts))
                axes.plot(games, ratios, color=color, linewidth=1.3, label=name if walk == 0 else None)
                axes.plot(games[-1], ratios[-1], "o", color=color, markersize=5)
        for bound, words, shift in ((test.upper, "H1 accepted", 7), (test.lower, "H0 accepted", -15)):
            axes.axhline(bound, color=INK, linewidth=1, linestyle="--")
            axes.annotate(f"{words} at {bound:.2f}", (0, bound), (0, shift), textcoords="offset points")
        axes.set_ylim(test.lower - 0.9, test.upper + 0.9)
        axes.set_xlabel("games")
        axes.set_ylabel("log likelihood ratio")
        axes.legend(loc="upper right", bbox_to_anchor=(1.0, 0.82))

    return plot(draw, 7.6, 4.0)


STILLS: dict[str, Callable[[], str]] = {"intervals": intervals, "elo": width_by_games, "sprt": sprt_walks}
