"""Tournaments of random bots: games played, counted and stored."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bots import arena

from .child import Child
from .workload import Workload

SPEC = "points_ttt"
GAMES = 20_000
LONG_GAMES = 300_000


def play(workers: int, executor: str, games: int) -> float:
    """Play a tournament into a new file. Return the size of the file per game."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arena.db"
        tournament = arena.describe(SPEC, ["random", "random"], games=games, seed=1)
        with arena.run(tournament, workers=workers, executor=executor, db=str(path)) as result:
            if result.num_games != games:
                raise RuntimeError(f"{result.num_games} of {games} games were played")
        return path.stat().st_size / games


def prepare(workers: int, executor: str, games: int) -> Callable[[], float]:
    """Return a function that plays a tournament. The start of the workers is part of it."""
    return partial(play, workers, executor, games)


_LONG_TOURNAMENT = """
import tempfile, time
from pathlib import Path
from bots import arena
def prepare(spec, games):
    arena.describe(spec, ["random", "random"], games=2)
def work(spec, games):
    games, done, times = int(games), 0, [time.perf_counter()]
    def count(records):
        nonlocal done
        done += len(records)
        while len(times) <= 10 and done >= len(times) * games / 10:
            times.append(time.perf_counter())
    tournament = arena.describe(spec, ["random", "random"], games=games, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        with arena.run(tournament, workers=2, db=str(Path(folder) / "arena.db"), on_records=count) as result:
            assert result.num_games == games
    second, last = times[2] - times[1], times[10] - times[9]
    return {"last_tenth_rate_over_second": second / last}
"""


def prepare_long(games: int) -> Callable[[], dict[str, float]]:
    """Return a function that plays a long tournament in a new process, whose memory is measured without its workers."""
    return Child(_LONG_TOURNAMENT, SPEC, str(games))


LONG = Workload(
    f"arena/{SPEC}, a long tournament, workers=2",
    "games",
    LONG_GAMES,
    prepare_long,
    short_units=400,
    rounds=1,
    warmup_rounds=0,
    passes=1,
    values=dict,
)

WORKLOADS = (
    *(
        Workload(
            f"arena/{SPEC}, {executor}, workers={workers}",
            "games",
            GAMES,
            partial(prepare, workers, executor),
            short_units=40,
            rounds=1,
            warmup_rounds=0,
            passes=5,
            values=lambda size: {"file_bytes_per_game": size},
        )
        for executor, workers in (("processes", 1), ("processes", 2), ("threads", 1))
    ),
    LONG,
)
