"""The command `python -m bench.matches`."""

import argparse
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

from bench.peers.environments import NoPeerError, default_folder, interpreter_with
from bench.peers.peer import load_adapter
from bench.stored import store
from mcts import PlayoutError

from .match import MATCHES, RulesDifferError, play

SHORT_GAMES = 4


def line_of(result, seconds):
    """Return a result as a line of text."""
    values = result.values
    low, high = (f"{values[end]:+.0f}" if end in values else "unbounded" for end in ("low", "high"))
    games = f"{values['wins']:.0f} won, {values['draws']:.0f} drawn, {values['losses']:.0f} lost"
    times = f"{values['our_milliseconds']:.1f} and {values['their_milliseconds']:.1f} ms a decision"
    return f"{result.name}: Elo {values['elo']:+.0f} ({low} to {high}), {games}; {times}; {seconds:.0f} s"


def main():
    """Play, print and store the results."""
    parser = argparse.ArgumentParser(prog="python -m bench.matches", description="Play against OpenSpiel's MCTSBot.")
    parser.add_argument("--games", type=int, help="number of games of each match")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="games played at the same time")
    parser.add_argument("--short", action="store_true", help=f"{SHORT_GAMES} games of each match, to try the programs")
    parser.add_argument("--results", type=Path, help="file that receives the results")
    parser.add_argument("--environments", type=Path, default=default_folder(), help="folder of the environments")
    given = parser.parse_args()
    for name in ("games", "workers"):
        if getattr(given, name) is not None and getattr(given, name) < 1:
            parser.error(f"--{name} is {getattr(given, name)}; valid: at least 1")
    games = SHORT_GAMES if given.short else given.games
    requirements = load_adapter("openspiel").REQUIREMENTS
    results = []
    try:
        python = interpreter_with(requirements, given.environments)
        for match in MATCHES:
            begin = time.perf_counter()
            result = play(replace(match, games=games or match.games), python, given.workers)
            result = replace(result, labels={**result.labels, "opponent": f"MCTSBot of {requirements[0]}"})
            print(line_of(result, time.perf_counter() - begin), flush=True)
            results.append(result)
    except NoPeerError as reason:
        sys.exit(f"OpenSpiel cannot be installed: {reason}")
    except (PlayoutError, RulesDifferError) as error:
        sys.exit(f"bench.matches: {error}")
    if given.results:
        options = (["--games", str(games)] if games else []) + ["--workers", str(given.workers)]
        store(given.results, ["python", "-m", "bench.matches", *options], results)


if __name__ == "__main__":
    main()
