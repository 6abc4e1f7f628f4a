"""Print the table of coins in docs/truths.md, or with `--plots` draw the convergence of searches."""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path

import mcts
from bots.studies.analysis.plots import plot_regret
from bots.studies.analysis.regret import measure, sample_positions

MOST_TOTAL = 24
WIN, DRAW = 100.0, 50.0
BOTS = ["mcts(solver=false,transpositions=false)", "mcts(transpositions=false)", "mcts(transpositions=true)"]
BUDGETS = [30, 100, 300, 1000, 3000, 10_000, 20_000]
PLOTS = {"convergence_bidding_ttt.svg": "bidding_ttt(coins=3)", "convergence_points_ttt.svg": "points_ttt"}
"""Picture of the page -> its game."""


def main() -> None:
    """Print the table, or draw the plots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plots", action="store_true", help="draw the convergence of searches, in docs/images")
    parser.add_argument("--states", type=int, default=200, help="number of states in the sample of a plot")
    given = parser.parse_args()
    if given.plots:
        for name, spec in PLOTS.items():
            draw(spec, given.states, Path("docs/images", name))
        return
    print_shares()


def print_shares() -> None:
    """Print the smallest numbers of coins with which x is sure of a draw, and of a win, by total coins."""
    print("| Total coins | Draw, with the tiebreaker | Win, with the tiebreaker | Draw, without it | Win, without it |")
    print("| --- | --- | --- | --- | --- |")
    for total in range(MOST_TOTAL + 1):
        cells = [least_coins(total, holder, worth) for holder in "xo" for worth in (DRAW, WIN)]
        print(f"| {total} | {' | '.join('-' if least is None else str(least) for least in cells)} |", flush=True)


def least_coins(total: int, holder: str, worth: float) -> int | None:
    """Return the fewest coins with which the value to x is at least `worth`, or None if all coins are not enough.

    It bisects, since more coins never lower the value.
    """
    low, high = 0, total + 1
    while low < high:
        middle = (low + high) // 2
        if middle > total or value_of(middle, total - middle, holder) >= worth - 1e-6:
            high = middle
        else:
            low = middle + 1
    return None if low > total else low


@cache
def value_of(x_coins: int, o_coins: int, holder: str) -> float:
    """Return the value to x of bidding tic-tac-toe with these coins."""
    game = mcts.load_game("bidding_ttt", coins=x_coins, o_coins=o_coins, tiebreaker=holder)
    return mcts.solve(game, cache=False).value()[0]


def draw(spec: str, states: int, target: Path) -> None:
    """Draw the losses of searches against their simulations."""
    game = mcts.load_game(spec)
    solution = mcts.solve(game, cache=False, threads=2)
    positions = sample_positions(game, states, seed=0, most_below=0)
    curves = {bot: list(measure(solution, bot, BUDGETS, positions)) for bot in BOTS}
    for bot, found in curves.items():
        for point in found:
            print(
                f"{bot} {point.simulations}: mean loss {point.loss.mean:.3f}, optimal {point.optimal:.1%}", flush=True
            )
    plot_regret(curves, f"mean loss of a decision in {spec}", target)


if __name__ == "__main__":
    main()
