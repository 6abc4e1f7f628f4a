"""Exact solutions of games: values, optimal play, and how much any other way of playing gives away."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

from cext.arguments import require
from cext.exact.backward_induction import StageSolver, pack_space
from cext.exact.solved_states import SolvedStates
from cext.exact.state_space import StateSpace, StatesRecurError, TooLargeError, bytes_per_state, why_unsolvable
from cext.game import Game, State, View
from cext.matrix_game import matrix_game

from .errors import IllegalActionError, StateError, UnsupportedGameError
from .exact_file import SolutionFacts, load_or_none, path_of, save_or_warn
from .exact_response import BestResponses, Response, as_policy, checked
from .exact_size import SizeEstimate, estimate_size
from .hidden_solution import check_hidden_bids, solve_hidden_bids
from .limits import Limit, check_whole
from .solution import BidShape, Solution, Where

EXPLORE_STEPS = 1 << 16
"""States between two looks at the clock, signals and progress."""
SOLVE_STATES = 1 << 14
"""States that a thread solves at once."""
MEMORY_MB = 4096
MAX_STATES = 200_000_000
BOT_SAMPLES = 16
"""How often a bot is asked at each decision by default."""
TOLERANCE = 1e-9
"""Values that differ by less, on a game's own scale for a range of 1, count as equal."""

Progress = Callable[[str, int, int | None], None]
"""Called with "exploring" or "solving", how many canonical states are done, and how many there are, once known."""


def cache_folder() -> Path:
    """Where solutions are kept unless a folder is named: the platform's cache folder of this user."""
    return Path(platformdirs.user_cache_dir("playout")) / "solutions"


def solve(
    game: Game,
    *,
    cache: bool = True,
    cache_dir: str | os.PathLike[str] | None = None,
    memory_mb: int = MEMORY_MB,
    max_states: int = MAX_STATES,
    threads: int = 1,
    progress: Progress | None = None,
) -> Solution:
    """The exact solution of a game, by backward induction over all states that play can reach.

    The game has two players with opposite interests. Stages in which both decide are solved for a saddle point first
    and as a matrix game where there is none. Ctrl-C stops it. Where something is hidden, which is solved for
    bidding_3d_ttt with few chips, the answer comes from a linear program over what the players know, in seconds and
    without a file, so that the arguments below do not matter.

    Args:
        game: what to solve.
        cache: whether to look for the solution on disk first, and to keep it there. A file that is damaged, of another
            version or of another game is not used: a warning says so, and the game is solved again.
        cache_dir: folder of such files; the platform's cache folder where None.
        memory_mb: memory for it, 1 to 1,000,000.
        max_states: canonical states at most, 1 to 4,000,000,000.
        threads: how many solve states at once, 1 to 1024; the solution is the same to the bit.
        progress: called now and then, in this thread.

    Returns:
        A Solution; its methods are the same for all games.

    Raises:
        UnsupportedGameError: a game that this cannot solve, with the reason and a guess of its size.
        LimitError: a limit out of range.
    """
    require(Game, game, "a game, as mcts.load_game returns it")
    check_whole("memory_mb", memory_mb, 1, 1_000_000)
    check_whole("max_states", max_states, 1, 4_000_000_000)
    check_whole("threads", threads, 1, 1024)
    path = None
    if game.has_hidden_information:
        return solve_hidden_bids(game)
    _check_kind(game)
    if cache:
        path = path_of(Path(cache_dir) if cache_dir is not None else cache_folder(), game)
        found = load_or_none(path, game)
        if found is not None:
            return OpenSolution(game, *found, path=path)
    solved, facts = _solve_open(game, memory_mb << 20, max_states, threads, progress or _no_progress)
    if path is not None and not save_or_warn(path, game, solved, facts):
        path = None
    return OpenSolution(game, solved, facts, path=path)


def check_solvable(game: Game, *, memory_mb: int = MEMORY_MB, max_states: int = MAX_STATES) -> None:
    """Raise what `solve` would raise at once, in a moment and without solving: UnsupportedGameError or LimitError.

    Args:
        game, memory_mb, max_states: as of `solve`. A game that passes may still turn out to be too large.
    """
    require(Game, game, "a game, as mcts.load_game returns it")
    check_whole("memory_mb", memory_mb, 1, 1_000_000)
    check_whole("max_states", max_states, 1, 4_000_000_000)
    if game.has_hidden_information:
        check_hidden_bids(game)
        return
    _check_kind(game)
    _check_size(game, memory_mb << 20, max_states)


def _check_kind(game: Game) -> None:
    reason = why_unsolvable(game)
    if reason is not None:
        raise UnsupportedGameError(f"{game.spec} cannot be solved: {reason}{_size_of(game)}")


def _check_size(game: Game, max_bytes: int, max_states: int) -> SizeEstimate:
    size = estimate_size(game)
    most = min(max_states, max_bytes // bytes_per_state(game))
    if size.states > most:
        raise UnsupportedGameError(
            f"{game.spec} is too large to solve: it has {size} states that are no images of each other; "
            f"valid: up to {most:,}, by max_states={max_states} and memory_mb={max_bytes >> 20}"
        )
    return size


def _size_of(game: Game) -> str:
    """A guess of a game's size, as the end of a message; nothing where states cannot be compared as plain data."""
    try:
        return f"; it has {estimate_size(game)} states that are no images of each other"
    except TypeError:
        return ""


def _no_progress(_phase: str, _done: int, _total: int | None) -> None:
    pass


def _solve_open(
    game: Game, max_bytes: int, max_states: int, threads: int, progress: Progress
) -> tuple[SolvedStates, SolutionFacts]:
    """Solve a game in which nothing is hidden. Raises UnsupportedGameError."""
    size = _check_size(game, max_bytes, max_states)
    reduces = True
    try:
        space = _explore(game, max_bytes, max_states, reduces, progress)
        if space.entrances_differ:
            reduces = False
            space = _explore(game, max_bytes, max_states, reduces, progress)
    except StatesRecurError as error:
        raise UnsupportedGameError(f"{game.spec} cannot be solved: {error}, so there is no end to count from") from None
    except TooLargeError as error:
        states, limit = error.args
        raise UnsupportedGameError(
            f"{game.spec} is too large to solve within {limit}: {states:,} states that are no images of each other "
            f"were found until then; a guess, rather too low, was {size}"
        ) from None
    space.sort()
    saddles, mixed, max_error = _induce(space, threads, progress)
    num_states = space.num_states
    base, bits, keys, values = pack_space(space)
    del space
    order = np.lexsort(keys.T)
    keys, values = keys[order], values[order]
    return SolvedStates(game, reduces, base, bits, keys, values), SolutionFacts(num_states, saddles, mixed, max_error)


def _explore(game: Game, max_bytes: int, max_states: int, reduces: bool, progress: Progress) -> StateSpace:
    space = StateSpace(game, max_bytes, max_states, reduces)
    while not space.explore(EXPLORE_STEPS):
        progress("exploring", space.num_canonical, None)
    return space


def _induce(space: StateSpace, threads: int, progress: Progress) -> tuple[int, int, float]:
    """Solve all states of a space; stages with a saddle point, stages without, and how far values may be off."""
    solvers = [StageSolver(space) for _ in range(threads)]
    max_error = 0.0
    with ThreadPoolExecutor(threads) as pool:
        for begin, end in itertools.pairwise(space.layers):
            gap = 0.0
            # One piece of work for each thread at a time: so Ctrl-C waits for no more than these.
            for at in range(begin, end, threads * SOLVE_STATES):
                starts = range(at, min(end, at + threads * SOLVE_STATES), SOLVE_STATES)
                jobs = [
                    pool.submit(solver.solve, start, min(end, start + SOLVE_STATES))
                    for solver, start in zip(solvers, starts, strict=False)
                ]
                gap = max(gap, *(job.result() for job in jobs))
                progress("solving", min(end, at + threads * SOLVE_STATES), space.num_canonical)
            # A state is off by half its own gap, and by what the states behind it are.
            max_error += gap / 2
    return sum(solver.num_saddle for solver in solvers), sum(solver.num_mixed for solver in solvers), max_error


class OpenSolution(Solution):
    """The solution of a game in which nothing is hidden.

    Nothing but a key and a value is kept for each state, mapped from a file where there is one; policies are computed
    when they are asked for.
    """

    def __init__(self, game: Game, solved: SolvedStates, facts: SolutionFacts, path: Path | None) -> None:
        self.game = game
        self.path = path
        self._solved = solved
        self._facts = facts
        self._tolerance = TOLERANCE * (game.max_utility - game.min_utility)
        self._sum = float(game.utility_sum or 0.0)

    @property
    def num_states(self) -> int:
        return self._facts.num_states

    @property
    def num_canonical_states(self) -> int:
        return len(self._solved)

    @property
    def num_information_states(self) -> None:
        return None

    @property
    def num_simultaneous_stages(self) -> int:
        return self._facts.num_saddle + self._facts.num_mixed

    @property
    def num_mixed_stages(self) -> int:
        return self._facts.num_mixed

    @property
    def max_error(self) -> float:
        """0 where no stage has to be mixed."""
        return self._facts.max_error

    def value(self, where: Where | None = None) -> list[float]:
        first = self._solved.value(self.game.new_initial_state() if where is None else _state_of(where))
        return [first, self._sum - first]

    def policy(self, where: Where, player: int | None = None) -> dict[Any, float]:
        state, player = self._decision(where, player)
        actions = self._actions(state, player)
        payoffs = self._payoffs(state, player)
        if len(state.acting_players()) < 2:
            best = self.optimal_actions(state, player)
            return dict.fromkeys(best, 1.0 / len(best))
        alone = self._optimal_alone(payoffs)
        if alone:
            return {actions[alone[0]]: 1.0}
        strategy = matrix_game(payoffs)[1]
        strategy[strategy < self._tolerance / 1000] = 0.0
        strategy /= strategy.sum()
        return {action: float(share) for action, share in zip(actions, strategy, strict=True) if share > 0}

    def optimal_actions(self, where: Where, player: int | None = None) -> list[Any]:
        state, player = self._decision(where, player)
        actions = self._actions(state, player)
        if player not in state.acting_players():
            return actions
        alone = self._optimal_alone(self._payoffs(state, player))
        if alone:
            return [actions[i] for i in alone]
        return sorted(self.policy(state, player))

    def loss(self, where: Where, player: int | None, choice: Any) -> float:
        state, player = self._decision(where, player)
        actions = self._actions(state, player)
        payoffs = self._payoffs(state, player)
        mixture = as_policy(choice, 1, 0, Limit())(state, player) if callable(choice) else choice
        if not callable(choice) and not isinstance(choice, Mapping):
            if not state.is_legal(player, choice):
                raise IllegalActionError(f"{choice!r} is illegal at {state!r}; valid: {actions}")
            mixture = {choice: 1.0}
        strategy = np.zeros(len(actions))
        for action, probability in checked(mixture, state, player).items():
            strategy[actions.index(action)] = probability
        return max(0.0, self.value(state)[player] - float((strategy @ payoffs).min()))

    def best_responses(
        self,
        policy: Any,
        state: State | None = None,
        *,
        samples: int | None = None,
        seed: int = 0,
        limit: Limit | None = None,
    ) -> BestResponses:
        start = self.game.new_initial_state() if state is None else _state_of(state)
        values = self.value(start)
        play = as_policy(policy, BOT_SAMPLES if samples is None else samples, seed, limit or Limit())
        responses = [Response(play, player) for player in range(self.game.num_players)]
        found = tuple(response.value(start) for response in responses)
        gains = tuple(max(0.0, best - value) for best, value in zip(found, values, strict=True))
        return BestResponses(found, gains, sum(response.asked for response in responses))

    def bid_distribution(self, where: Where, player: int | None = None) -> tuple[BidShape, ...]:
        raise self._for_hidden_bids("bid_distribution", "policy")

    def mean_loss(self, policy: Any, samples: int | None = None, seed: int = 0, *, limit: Limit | None = None) -> float:
        raise self._for_hidden_bids("mean_loss", "loss")

    def expected_returns(
        self, first: Any, second: Any, samples: int | None = None, seed: int = 0, *, limit: Limit | None = None
    ) -> tuple[float, float]:
        raise self._for_hidden_bids("expected_returns", "best_responses")

    def _for_hidden_bids(self, name: str, instead: str) -> UnsupportedGameError:
        return UnsupportedGameError(f"{name} is for hidden bids, and {self.game.spec} has none; valid: {instead}")

    def _decision(self, where: Where, player: int | None) -> tuple[State, int]:
        """The state of a position and the player who decides there."""
        if isinstance(where, View):
            if player is not None and player != where.player:
                raise StateError(f"the view is of player {where.player}, not of player {player}")
            return where.resample(0), where.player  # nothing is hidden: it is the state
        if player is None:
            raise StateError("a state does not say who decides; valid: a view, or a state together with a player")
        return where, player

    def _actions(self, state: State, player: int) -> list[int]:
        """What a player can do at a state of the solution. Raises as policy does."""
        require(State, state, "a state, as game.new_initial_state() returns it")
        self._solved.value(state)
        actions = state.legal_actions(player)
        if not actions:
            raise StateError(f"the game {self.game.name} is over: there is nothing to decide")
        return actions

    def _payoffs(self, state: State, player: int) -> NDArray[np.float64]:
        """What a player gets, rows for its own actions, columns for the other's."""
        payoffs = self._solved.payoffs(state)
        return payoffs if player == 0 else self._sum - payoffs.T

    def _optimal_alone(self, payoffs: NDArray[np.float64]) -> list[int]:
        """Rows that secure the value of a stage, as far as it has a saddle point."""
        secured = payoffs.min(axis=1)
        if secured.max() < payoffs.max(axis=0).min() - self._tolerance:
            return []
        return [int(row) for row in np.flatnonzero(secured >= secured.max() - self._tolerance)]


def _state_of(where: Where) -> State:
    """The state of a position of a game in which nothing is hidden."""
    return where.resample(0) if isinstance(where, View) else where
