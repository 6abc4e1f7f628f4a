"""`solve`: the exact solution of a game, from a file or computed."""

from __future__ import annotations

import os
from pathlib import Path

from cext.arguments import require
from cext.game.game import Game

from ..errors import ParameterError
from ..limits import check_whole
from ..primitives import files
from .backward_induction import Progress, check_kind, check_size, solve_states
from .sequence_solution import GAP, METHOD, check_hidden, explored, solve_sequence_form
from .solution import Solution
from .solution_file import load_or_none, path_of, save_or_warn
from .tabular_solution import TabularSolution

MEMORY_MB = 4096
"""Default of `memory_mb`."""
MAX_STATES = 200_000_000
"""Default of `max_states`."""


def cache_folder() -> Path:
    """Return the default folder of solution files: below the user's cache folder of this platform."""
    return files.cache_folder("solutions")


def solve(
    game: Game,
    *,
    cache: bool = True,
    cache_dir: str | os.PathLike[str] | None = None,
    memory_mb: int = MEMORY_MB,
    max_states: int = MAX_STATES,
    threads: int = 1,
    method: str | None = None,
    gap: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Return the exact solution of a game of two players with opposite interests.

    A game without hidden information is solved by backward induction over all states that play can reach. A stage in
    which both players decide is solved for a saddle point first, and as a matrix game if it has none. Ctrl-C stops the
    computation.

    A game with hidden information is solved over the players' information sets: by linear programs, and where there are
    many by counterfactual regret minimisation, until best responses gain at most a share `gap` of the range of returns
    (`max_error`). There is no file: of the arguments below only `memory_mb`, `method`, `gap` and `progress` count.

    Args:
        game: the game to solve.
        cache: read the solution from a file if there is one, and write a file after solving. A file that is damaged, of
            another version or of another game is ignored with a logged warning, and the game is solved again.
        cache_dir: folder of solution files; None for the user's cache folder of the platform.
        memory_mb: memory limit in megabytes, 1 to 1,000,000.
        max_states: limit of canonical states, 1 to 4,000,000,000.
        threads: number of threads, 1 to 1024. It does not change any bit of the solution.
        method: for a game with hidden information whose actions are listed: "sequence_form", linear programs; "cfr",
            regret minimisation; None: by the number of actions.
        gap: for the same games, where regret minimisation ends, 1e-9 to 1; None: 1e-5.
        progress: called regularly in the calling thread with the phase, "exploring" or "solving"; the number of
            canonical states done; and their total, None while exploring.

    Returns:
        A Solution. Its methods are the same for all games.

    Raises:
        UnsupportedGameError: the game cannot be solved. The message has the reason and an estimate of the game's size.
        LimitError: a limit is out of range.
        ParameterError: the method is unknown, the gap is out of range, or the game has no choice of methods.
        PlayoutError: a linear program failed, or a million iterations did not reach the gap.
        TypeError: `game` is not a Game.

    Example:
        >>> game = mcts.load_game("mnk")
        >>> solution = mcts.solve(game, cache=False)
        >>> solution.value()
        [50.0, 50.0]
        >>> state = game.state_from_text("x../.../..._o")
        >>> [state.action_to_string(1, action) for action in solution.optimal_actions(state, 1)]
        ['mark(2,2)']
    """
    _check_arguments(game, memory_mb, max_states)
    check_whole("threads", threads, 1, 1024)
    METHOD.read("method", method)
    GAP.read("gap", gap)
    for name, value in (("method", method), ("gap", gap)):
        if value is not None and not (game.has_hidden_information and game.is_enumerable):
            raise ParameterError(f"{name}={value}: {game.spec} is solved by one method only; valid: None")
    if game.has_hidden_information:
        check_hidden(game)
        return solve_sequence_form(game, memory_mb, progress, method, gap)
    check_kind(game)
    path = None
    if cache:
        path = path_of(Path(cache_dir) if cache_dir is not None else cache_folder(), game)
        found = load_or_none(path, game)
        if found is not None:
            return TabularSolution(game, *found, path=path)
    solved, statistics = solve_states(game, memory_mb << 20, max_states, threads, progress)
    if path is not None and not save_or_warn(path, game, solved, statistics):
        path = None
    return TabularSolution(game, solved, statistics, path=path)


def check_solvable(game: Game, *, memory_mb: int = MEMORY_MB, max_states: int = MAX_STATES) -> None:
    """Check without solving whether `solve` accepts a game.

    A game that passes may still turn out to be too large: its size is estimated.

    Args:
        game, memory_mb, max_states: see `solve`.

    Raises:
        UnsupportedGameError, LimitError, TypeError: see `solve`.
    """
    _check_arguments(game, memory_mb, max_states)
    if game.has_hidden_information:
        check_hidden(game)
        explored(game, memory_mb)
        return
    check_kind(game)
    check_size(game, memory_mb << 20, max_states)


def _check_arguments(game: Game, memory_mb: int, max_states: int) -> None:
    require(Game, game, "a game, as mcts.load_game returns it")
    check_whole("memory_mb", memory_mb, 1, 1_000_000)
    check_whole("max_states", max_states, 1, 4_000_000_000)
