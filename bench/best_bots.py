"""Compare bots at equal time in the games without chance, and store the results in bench/results/best_bots.json.

    python -m bench.best_bots                                      # all games, about half an hour on two cores
    python -m bench.best_bots --game points_ttt --games 20         # one game, quickly

Each tournament is a command, which is printed before it runs. Results of games that are not played again stay.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from typing import Any

from bots.benchmark.result_file import Result
from cext.spec import parse_spec

from .stored import add_out, store

VARIANTS = ["mcts", "mcts(selection=ucb1)"]
JOINT = ["mcts", "mcts(joint_selection=exp3)"]
BOTS = {
    "mnk(m=5,n=5,k=4)": ["random", "greedy", *VARIANTS],
    "bidding_ttt": ["random", "greedy", *JOINT, "exact"],
    "tic_block": ["random", "greedy", *JOINT],
    "points_ttt": ["random", "greedy", *VARIANTS, "exact"],
    "three_player_ttt": ["random", "greedy", *VARIANTS],
    "bidding_3d_ttt": ["random", "greedy", "web", "double_oracle"],
}
"""Bots of each game. `exact` takes no time: it looks decisions up in a solution."""


def command(spec: str, games: int, seconds: float, seed: int, workers: int) -> list[str]:
    """Return the command of the tournament of a game."""
    arguments = ["arena", spec, *BOTS[spec], "--games", str(games), "--seconds", f"{seconds:g}", "--seed", str(seed)]
    if spec.startswith("mnk"):
        arguments += ["--opening-plies", "2"]
    return ["playout", *arguments, "--workers", str(workers), "--no-db"]


def play(words: list[str]) -> dict[str, Any]:
    """Run the command with this interpreter's package; return the report."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [sys.executable, "-P", "-m", "bots.cli", *words[1:], "--json"]
        done = subprocess.run(arguments, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def results_of(report: dict[str, Any], name: str, labels: dict[str, str]) -> list[Result]:
    """Return one result for each bot of a report, best bot first.

    Args:
        report: the report of a tournament.
        name: the names of the results are this one, a slash and the bot.
        labels: of each result, beside the bot.

    Raises:
        SystemExit: a bot failed.
    """
    if report["failures"]:
        raise SystemExit(f"bots failed: {json.dumps(report['failures'])[:500]}")
    found = []
    keys = ("elo", "elo_lower", "elo_upper", "difference", "difference_lower", "difference_upper", "mean_return")
    keys += ("mean_return_error", "games", "wins", "draws", "losses")
    for bot in report["bots"]:
        values = {key: bot[key] for key in keys if bot.get(key) is not None}
        found.append(Result(f"{name}/{bot['bot']}", values=values, labels={"bot": bot["bot"], **labels}))
    return found


def main() -> None:
    """Play and store the tournaments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=list(BOTS), help="one game; may be repeated")
    parser.add_argument("--games", type=int, default=60, help="games of each pairing (%(default)s)")
    parser.add_argument("--seconds", type=float, default=0.02, help="time of a decision (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    add_out(parser, "best_bots")
    given = parser.parse_args()
    for spec in given.game or BOTS:
        words = command(spec, given.games, given.seconds, given.seed, given.workers)
        print(shlex.join(words), flush=True)
        results = results_of(play(words), f"best_bots/{parse_spec(spec)[0]}", {"command": shlex.join(words)})
        for result in results:
            print(f"  {result.values.get('elo', float('nan')):+7.0f}  {result.labels['bot']}", flush=True)
        store(given.out, ["python", "-m", "bench.best_bots", *sys.argv[1:]], results)


if __name__ == "__main__":
    main()
