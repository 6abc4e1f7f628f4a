"""Backward induction over all states of a game without hidden information."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from cext.exact.backward_induction import StageSolver, pack_space
from cext.exact.solved_states import SolvedStates
from cext.exact.state_space import StateSpace, StatesRecurError, TooLargeError, bytes_per_state, why_unsolvable
from cext.game.game import Game

from ..errors import UnsupportedGameError
from .size_estimate import FEW_WALKS, SizeEstimate, estimate_size
from .solution_file import SolutionStatistics

EXPLORE_STEPS = 1 << 16
"""States explored between two checks of signals and two progress reports."""
SOLVE_STATES = 1 << 14
"""States that one thread solves per task."""
_SURELY = 8
"""Few walks decide if the limit and the size that they find differ by this factor."""
_MANY = 1e7
"""States up to which a message has the estimate; above, it says that there are more."""

Progress = Callable[[str, int, int | None], None]
"""Called with the phase, the number of canonical states done, and their total or None; see `solve`."""


def check_kind(game: Game) -> None:
    """Raise UnsupportedGameError if backward induction cannot solve this kind of game."""
    reason = why_unsolvable(game)
    if reason is not None:
        raise UnsupportedGameError(f"{game.spec} cannot be solved: {reason}{_size_of(game)}")


def check_size(game: Game, max_bytes: int, max_states: int) -> SizeEstimate:
    """Return the estimated size of a game. Raise UnsupportedGameError if it exceeds a limit."""
    most = min(max_states, max_bytes // bytes_per_state(game))
    size = estimate_size(game, enough=max(_SURELY * most, _MANY), walks=FEW_WALKS)
    if most / _SURELY < size.states <= _SURELY * most:
        size = estimate_size(game, enough=max(most, _MANY))
    if size.states > most:
        raise UnsupportedGameError(
            f"{game.spec} is too large to solve: it has {size} canonical states; "
            f"valid: up to {most:,}, by max_states={max_states} and memory_mb={max_bytes >> 20}"
        )
    return size


def _size_of(game: Game) -> str:
    """Return the estimated size as the end of a message; "" for states that are not plain data."""
    try:
        return f"; it has {estimate_size(game, enough=_MANY, walks=FEW_WALKS)} canonical states"
    except TypeError:
        return ""


def solve_states(
    game: Game, max_bytes: int, max_states: int, threads: int, progress: Progress | None = None
) -> tuple[SolvedStates, SolutionStatistics]:
    """Solve every state that play can reach.

    Args:
        game: a game that passes `check_kind`.
        max_bytes: memory limit in bytes.
        max_states: limit of canonical states.
        threads: number of threads.
        progress: see `solve`.

    Raises:
        UnsupportedGameError: the game exceeds a limit, or its states recur.
    """
    size = check_size(game, max_bytes, max_states)
    reduces = True
    try:
        space = _explore(game, max_bytes, max_states, reduces, progress)
        if space.entrances_differ:
            reduces = False
            space = _explore(game, max_bytes, max_states, reduces, progress)
    except StatesRecurError as error:
        raise UnsupportedGameError(
            f"{game.spec} cannot be solved: {error}, so backward induction cannot start from the ends"
        ) from None
    except TooLargeError as error:
        states, limit = error.args
        raise UnsupportedGameError(
            f"{game.spec} is too large to solve within {limit}: {states:,} canonical states were found before the "
            f"limit; the estimate, which tends to be low, was {size}"
        ) from None
    space.sort()
    saddles, mixed, max_error = _solve_layers(space, threads, progress)
    num_states = space.num_states
    base, bits, keys, values = pack_space(space)
    del space
    order = np.lexsort(keys.T)
    keys, values = keys[order], values[order]
    statistics = SolutionStatistics(num_states, saddles, mixed, max_error)
    return SolvedStates(game, reduces, base, bits, keys, values), statistics


def _explore(game: Game, max_bytes: int, max_states: int, reduces: bool, progress: Progress | None) -> StateSpace:
    space = StateSpace(game, max_bytes, max_states, reduces)
    while not space.explore(EXPLORE_STEPS):
        if progress is not None:
            progress("exploring", space.num_canonical, None)
    return space


def _solve_layers(space: StateSpace, threads: int, progress: Progress | None) -> tuple[int, int, float]:
    """Solve the states of a sorted space, by ascending height.

    Returns:
        The number of stages with a saddle point, the number of stages without, and the largest error of a value.
    """
    solvers = [StageSolver(space) for _ in range(threads)]
    max_error = 0.0
    with ThreadPoolExecutor(threads) as pool:
        for begin, end in itertools.pairwise(space.layers):
            gap = 0.0
            # Each thread gets one task at a time, so that Ctrl-C waits for no more than these.
            for at in range(begin, end, threads * SOLVE_STATES):
                starts = range(at, min(end, at + threads * SOLVE_STATES), SOLVE_STATES)
                jobs = [
                    pool.submit(solver.solve, start, min(end, start + SOLVE_STATES))
                    for solver, start in zip(solvers, starts, strict=False)
                ]
                gap = max(gap, *(job.result() for job in jobs))
                if progress is not None:
                    progress("solving", min(end, at + threads * SOLVE_STATES), space.num_canonical)
            # The error of a state is at most half its own gap plus the error of its successors.
            max_error += gap / 2
    return sum(solver.num_saddle for solver in solvers), sum(solver.num_mixed for solver in solvers), max_error
