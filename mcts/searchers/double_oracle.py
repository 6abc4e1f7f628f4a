"""Rounds of sealed bids solved as matrix games by double oracle, by a player's view alone."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from cext.actions import Action
from cext.game import NOOP, Game, State, View
from cext.parameters import Flag, Integer, Parameter
from cext.stages.solver import RoundSolver, has_sealed_bids

from ..limits import Limit, search_limit
from ..openings import shipped_opening
from ..progress import ProgressClock
from .base import Searcher, view_of
from .sampled_mcts import SampledSearchResult

_PIECE = 200_000
"""Values of positions between two looks at the clock and at Ctrl-C."""
_LEAST_PROBABILITY = 0.01
"""Bids with a smaller probability are left out of the strategy."""


class DoubleOracle(Searcher):
    """A mixed strategy for the next round, from a matrix game of bids that grows by best replies.

    The rows and columns are bids of the player and of the rival. The payoffs are values of the position after the
    round: the score if the game is over, else an estimate. The rival's purse is hidden, so the rival has several types.
    Every solution of the matrix by regret matching is followed by a better bid for each side, found by local moves
    (double oracle: McMahan, Gordon and Blum 2003). Nothing but the player's view is used.

    Args:
        game: a two-player constant-sum game with sealed bids.
        types: number of quantiles of the rival's purse, 1 to 8.
        opening: draw the first bid from the opening that comes with the package, if there is one for the game.
        seed: root of the random streams; the same seed, view and number of simulations give the same result.

    Raises:
        ParameterError: a parameter is out of range.
        UnsupportedGameError: the game has no sealed bids.
    """

    NAME = "double_oracle"
    SUMMARY = "rounds of sealed bids solved as matrix games that grow by best replies"
    PARAMETERS: ClassVar[dict[str, Parameter]] = {"types": Integer(5, 1, 8), "opening": Flag(True)}

    def __init__(self, game: Game, *, types: int = 5, opening: bool = True, seed: int = 0) -> None:
        super().__init__(game, seed=seed, types=types, opening=opening)
        self._stopped = False

    @classmethod
    def why_unsupported(cls, game: Game) -> str | None:
        if not has_sealed_bids(game):
            return "it is for games with sealed bids; use mcts"
        return None

    def run(
        self,
        position: State | View,
        limit: Limit | int | None = None,
        seconds: float | None = None,
        *,
        simulations: int | None = None,
        player: int | None = None,
        on_progress: Callable[[SampledSearchResult], object] | None = None,
    ) -> SampledSearchResult:
        """Solve the round for one player.

        Args:
            position: a view of a state of this searcher's game, not over; or such a state, if nothing is hidden.
            limit: a `Limit`, or a number of simulations. The memory is fixed, so `memory_mb` changes nothing.
            simulations: at most about so many values of positions; instead of `limit`.
            seconds: at most about so long. Not together with a `Limit`.
            player: the player who decides; by default the player of the view, or the first that decides.
            on_progress: called with the result so far while the search runs: first after about 0.1 s, then whenever the
                time has doubled, at least once a second. It does not change the result.

        Returns:
            A SampledSearchResult. Simulations are values of positions. After Ctrl-C or `stop` it has what was found
            until then, with `interrupted` set.

        Raises:
            LimitError: neither limit is given, one is given twice or is out of range.
            StateError: the game is over, the position is of another game, or is a state with hidden information.
            TypeError: `position` is neither a View nor a State.
            ValueError: `player` is not the player of the view.
        """
        limit = search_limit(limit, simulations, seconds)
        self.check_position(position)
        view = view_of(position, player)
        if view.player not in view.acting_players():
            both = self._values(view, 0.5)
            return SampledSearchResult(view, NOOP, {NOOP: 1.0}, {NOOP: 0}, {NOOP: None}, both, 0, 0.0)
        began = time.monotonic()
        first = self.game.new_initial_state()
        opening = shipped_opening(self.game) if self.parameters["opening"] and view == first.view(view.player) else None
        if opening is not None:
            policy = opening.images(first, view.player, self.seed)
            return self._found(view, policy, 0.5, 0, time.monotonic() - began, interrupted=False)
        self._stopped = interrupted = False
        solver = RoundSolver(view, view.player, types=self.parameters["types"], seed=self.seed)
        try:
            self._solve(view, solver, limit, began, on_progress)
        except KeyboardInterrupt:
            interrupted = True
        return self._result(view, solver, time.monotonic() - began, interrupted or self._stopped)

    def stop(self) -> None:
        """End a run in another thread soon. The run returns what it has found, with `interrupted` set."""
        self._stopped = True

    def _solve(
        self,
        view: View,
        solver: RoundSolver,
        limit: Limit,
        began: float,
        on_progress: Callable[[SampledSearchResult], object] | None,
    ) -> None:
        """Grow the matrix up to the limit, in pieces that end at numbers of values."""
        clock = ProgressClock()
        most = math.inf if limit.simulations is None else limit.simulations
        end = math.inf if limit.seconds is None else began + limit.seconds
        while not (self._stopped or solver.finished or solver.leaves >= most or time.monotonic() >= end):
            left = None if limit.seconds is None else max(0.0, end - time.monotonic())
            solver.grow(int(min(solver.leaves + _PIECE, most)), left)
            if on_progress is not None and clock.is_due():
                on_progress(self._result(view, solver, time.monotonic() - began, False))
        solver.settle()

    def _values(self, view: View, value: float) -> tuple[float, float]:
        """Return the returns of both players for the viewing player's value in [0, 1]."""
        mine = self.game.min_utility + value * (self.game.max_utility - self.game.min_utility)
        assert self.game.utility_sum is not None
        other = self.game.utility_sum - mine
        return (mine, other) if view.player == 0 else (other, mine)

    def _result(self, view: View, solver: RoundSolver, seconds: float, interrupted: bool) -> SampledSearchResult:
        policy: dict[Action, float] = dict(solver.strategy(_LEAST_PROBABILITY))
        return self._found(view, policy, solver.value, solver.leaves, seconds, interrupted)

    def _found(
        self, view: View, policy: dict[Action, float], value: float, leaves: int, seconds: float, interrupted: bool
    ) -> SampledSearchResult:
        draw = random.Random(self.seed * 2 + view.player)
        values = self._values(view, value)
        return SampledSearchResult(
            view=view,
            action=draw.choices(list(policy), list(policy.values()))[0],
            policy=policy,
            visits=dict.fromkeys(policy, 0),
            action_values=dict.fromkeys(policy, values[view.player]),
            values=values,
            simulations=leaves,
            seconds=seconds,
            interrupted=interrupted,
        )


def stage_values(states: Sequence[State], seed: int = 0, leaves: int = 60_000) -> list[float]:
    """Return the value of each state to the first player in [0, 1], from a short solution of its next round.

    Both players' purses are taken as known.

    Args:
        states: of a game with sealed bids, not over.
        seed: root of the random streams.
        leaves: values of positions for each state.
    """
    found = []
    draw = random.Random(seed)
    for state in states:
        solver = RoundSolver(state, 0, seed=draw.getrandbits(64))
        solver.grow(leaves)
        solver.settle()
        found.append(solver.value)
    return found


SEARCHER = DoubleOracle
