"""Simulate sequential tests: how often they accept H1, and how many games they take.

The results are stored in bench/results/sprt_games.json.

    python -m bench.sprt_games                  # 400 tests of each kind, about twenty minutes on two cores
    python -m bench.sprt_games --tests 20       # a quick look

The games are drawn at random: blocks of two independent games, a share of which is drawn. The tests are those of the
arena, `bots.arena.ratings.sprt`, with error rates of 5 %. Narrow tests are looked at after every few blocks only.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import sys
from statistics import fmean, median, quantiles

from bots.arena.ratings.elo import NELO_PER_DEVIATION
from bots.arena.ratings.sprt import Sprt
from bots.benchmark.result_file import Result

from .stored import add_out, store

WIDTHS = [100.0, 50.0, 20.0, 10.0, 5.0]
DIFFERENCES = [-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0]
"""True differences, in units of elo1; elo0 is 0."""
DRAWS = 0.3
MOST_GAMES = 1_000_000


def result_chances(nelo: float, draws: float) -> tuple[float, float, float]:
    """Return the chances of a loss, a draw and a win at a normalized Elo and a share of draws."""
    deviations = nelo / NELO_PER_DEVIATION
    lead = deviations * math.sqrt((1 - draws) / 4 / (1 + deviations**2))
    return (1 - draws) / 2 - lead, draws, (1 - draws) / 2 + lead


def simulate(test: Sprt, nelo: float, draws: float, luck: random.Random, every: int = 1) -> tuple[str | None, int]:
    """Return the accepted hypothesis of one simulated test, and its number of games.

    Args:
        test: the test.
        nelo: true difference in normalized Elo.
        draws: share of drawn games.
        luck: source of random numbers.
        every: blocks between two looks at the test.
    """
    chances = result_chances(nelo, draws)
    counts = [0] * 5
    for block in range(1, MOST_GAMES // 2 + 1):
        first, second = luck.choices((0, 1, 2), chances, k=2)
        counts[first + second] += 1
        if block % every == 0 and (decision := test.decide(counts)):
            return decision, 2 * block
    return None, MOST_GAMES


def measure(job: tuple[float, float, int]) -> Result:
    """Return the result of one kind of test: elo1, the true difference in units of elo1, and the number of tests."""
    width, difference, tests = job
    test = Sprt(0.0, width)
    luck = random.Random(f"{width} {difference}")
    every = max(1, round((60 / width) ** 2))
    outcomes = [simulate(test, difference * width, DRAWS, luck, every) for _ in range(tests)]
    games = [count for _, count in outcomes]
    values = {
        "elo1": width,
        "true": difference * width,
        "tests": float(tests),
        "draws": DRAWS,
        "accepted_h1": fmean(decision == "H1" for decision, _ in outcomes),
        "mean_games": fmean(games),
        "median_games": float(median(games)),
        "games_90": quantiles(games, n=10)[-1],
    }
    return Result(f"sprt_games/0,{width:g}/{difference * width:g}", values=values)


def main() -> None:
    """Simulate the tests, print and store the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=int, default=400, help="simulated tests of each kind (%(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="processes (%(default)s)")
    add_out(parser, "sprt_games")
    given = parser.parse_args()
    if given.tests < 2:
        parser.error(f"--tests {given.tests}: valid: 2 and more")
    jobs = [(width, difference, given.tests) for width in WIDTHS for difference in DIFFERENCES]
    results = []
    print("elo1  true   H1 %   mean games  median  90 %")
    with multiprocessing.get_context("spawn").Pool(given.workers) as pool:
        for result in pool.imap(measure, jobs):
            results.append(result)
            row = result.values
            print(
                f"{row['elo1']:4g}  {row['true']:5g}  {row['accepted_h1']:5.1%}  {row['mean_games']:9,.0f}  "
                f"{row['median_games']:6,.0f}  {row['games_90']:6,.0f}",
                flush=True,
            )
    store(given.out, ["python", "-m", "bench.sprt_games", *sys.argv[1:]], results)


if __name__ == "__main__":
    main()
