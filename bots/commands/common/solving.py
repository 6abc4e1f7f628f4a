"""Solving a game with its progress on stderr."""

from __future__ import annotations

import os
import time

from cext.arguments import counted
from mcts import Game, Solution, solve

from .consoles import stderr


def solve_game(
    game: Game, cache: str | None, memory_mb: int, method: str | None = None, gap: float | None = None
) -> tuple[Solution, float]:
    """Solve a game, or read its stored solution.

    Args:
        game: the game.
        cache: folder of stored solutions; None for the user's cache folder.
        memory_mb: memory limit.
        method, gap: see `mcts.solve`.

    Returns:
        The solution, and the seconds it took.

    Raises:
        UnsupportedGameError: the game is too large, or of a kind that cannot be solved.
        ParameterError: the method is unknown, the gap is out of range, or the game has no choice of methods.
    """
    begin = time.perf_counter()
    with stderr().status(f"solving {game.spec}") as status:

        def show(phase: str, done: int, total: int | None) -> None:
            status.update(
                f"solving {game.spec}: {phase}, {counted(done, 'state')}" + ("" if total is None else f" of {total:,}")
            )

        threads = os.cpu_count() or 1
        solution = solve(
            game, cache_dir=cache, memory_mb=memory_mb, threads=threads, method=method, gap=gap, progress=show
        )
    return solution, time.perf_counter() - begin
