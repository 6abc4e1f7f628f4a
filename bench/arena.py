"""Measure the games per second that the arena plays, counts and stores, and the memory of its own process.

usage: python bench/arena.py [--game SPEC] [--games N] [--workers N] [--executor WHERE], where playout is installed
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path

import mcts
from bots.arena.play.executors import DEFAULT_EXECUTOR
from bots.arena.runner import run_tournament
from bots.arena.store.store import Store
from bots.arena.tournament.openings import Openings
from bots.arena.tournament.schedule import Tournament, rounds_for

PARTS = 10
KIB_PER_MB = 1e6 / 1024


class Pace:
    """Times at which each tenth of the games was done."""

    def __init__(self, games):
        self.games = games
        self.done = 0
        self.times = []
        self.cpu_times = []

    def add(self, records, tally):
        """Count games. The first call, without games, is the start."""
        self.done += len(records)
        while self.done >= len(self.times) * self.games / PARTS:
            self.times.append(time.perf_counter())
            self.cpu_times.append(time.process_time())

    def cpu_microseconds(self, part):
        """Return the processor time of the parent per game in one part. Other load on the machine hardly changes it."""
        return 1e6 * (self.cpu_times[part + 1] - self.cpu_times[part]) / (self.games / PARTS)

    def rate(self, part):
        """Return the games per second in one part."""
        return self.games / PARTS / max(self.times[part + 1] - self.times[part], 1e-9)


def peak_mb():
    """Return the peak memory of this process, without its children, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KIB_PER_MB


def main():
    """Measure and print the results."""
    arguments = argparse.ArgumentParser(description="Measure the stored games per second of random bots.")
    arguments.add_argument("--game", default="points_ttt", help="the game")
    arguments.add_argument("--games", type=int, default=40_000, help="number of games")
    arguments.add_argument("--workers", type=int, default=2, help="number of parallel workers")
    arguments.add_argument("--executor", default=DEFAULT_EXECUTOR, help="processes, threads, or dask://HOST:PORT")
    arguments.add_argument("--opening-plies", type=int, default=0, help="random steps before the bots play")
    given = arguments.parse_args()
    game = mcts.load_game(given.game)
    bots = ("random",) * game.num_players
    openings = Openings(given.opening_plies)
    tournament = Tournament(
        game.spec, game.num_players, bots, rounds_for(given.games, game.num_players), 1, openings=openings
    )
    pace = Pace(tournament.num_games)
    before = peak_mb()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arena.db"
        with Store(str(path)) as store:
            run_tournament(tournament, given.workers, pace.add, executor=given.executor, store=store)
            size = path.stat().st_size
            begin = time.perf_counter()
            again = run_tournament(tournament, given.workers, store=store)
            found = time.perf_counter() - begin
            begin = time.perf_counter()
            repeats = store.repeats(again.key, tournament.num_games)
            counted = time.perf_counter() - begin
    whole = tournament.num_games / (pace.times[-1] - pace.times[0])
    print(f"{tournament.num_games:,} games of {game.spec}, {given.workers} workers: {whole:,.0f} stored games/s")
    print("by tenths of the games, games/s:", " ".join(f"{pace.rate(part):,.0f}" for part in range(PARTS)))
    print(f"last tenth / first tenth: {pace.rate(PARTS - 1) / pace.rate(0):.2f}")
    print("by tenths, parent's µs/game:", " ".join(f"{pace.cpu_microseconds(part):.1f}" for part in range(PARTS)))
    print(
        f"parent: {peak_mb():,.0f} MB at most, {before:,.0f} MB before; {size / tournament.num_games:,.0f} B per game"
    )
    print(f"read and counted again in {found:.1f} s; {repeats.repeated:,} repeated games found in {counted:.1f} s")


if __name__ == "__main__":
    main()
