"""Rounds of sealed bids solved as matrix games by double oracle, by a player's view alone."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import ClassVar, NamedTuple

from cext.game.actions import Action
from cext.game.game import Game, View
from cext.games.bidding_3d_ttt.first_round import first_bids
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver, has_sealed_bids
from cext.parameters import Flag, Integer, Parameter, Real

from ..limits import Limit
from ..primitives.progress import ProgressClock
from .base import SampledSearchResult, ViewSearcher

LEAST_PROBABILITY = 0.01
"""Bids of a smaller probability are left out of a strategy that is played."""
_PIECE = 200_000
"""Values of positions between two looks at the clock and at Ctrl-C."""


class _Opened(NamedTuple):
    """A search: a solver, or without one a strategy that is known."""

    solver: RoundSolver | None
    known: dict[Action, float]


class DoubleOracle(ViewSearcher):
    """A mixed strategy for the next round, from a matrix game of bids that grows by best replies.

    The rows and columns are bids of the player and of the opponent. The payoffs are values of the position after the
    round: the score if the game is over, else an estimate. The opponent's chips are hidden, so the opponent has several
    types. Every solution of the matrix by regret matching is followed by a better
    bid for each side, found by local moves (double oracle: McMahan, Gordon and Blum 2003). Nothing but the player's
    view is used. In limits and results, simulations are values of positions. `action_values` of a result has all bids
    of the player in the matrix, also those that the policy leaves out, each with its value against the opponent's
    strategy; no visits are counted. A bid of a first-round strategy that comes with the package has no value: None.

    Args:
        game: a two-player constant-sum game with sealed bids.
        types: number of quantiles of the opponent's chips, 1 to 8.
        opening: draw the first bid from the first-round strategy that comes with the package, if there is one for the
            game.
        naive: probability, 0 to 1, by which the opponent is taken for a naive player, who answers random bids;
            otherwise it is taken for one that knows the strategy. The strategy is a restricted Nash response (Johanson,
            Zinkevich and Bowling 2007). With 0 it approaches an equilibrium, which wins less from weak bidders.
        seed: root of the random streams; the same seed, view and number of simulations give the same result.

    Raises:
        ParameterError: a parameter is out of range.
        UnsupportedGameError: the game has no sealed bids.
    """

    NAME = "double_oracle"
    SUMMARY = "rounds of sealed bids solved as matrix games that grow by best replies"
    PARAMETERS: ClassVar[dict[str, Parameter]] = {
        "types": Integer(5, 1, 8),
        "opening": Flag(True),
        "naive": Real(0.5, 0.0, 1.0),
    }

    def __init__(self, game: Game, *, types: int = 5, opening: bool = True, naive: float = 0.5, seed: int = 0) -> None:
        super().__init__(game, seed=seed, types=types, opening=opening, naive=naive)

    @classmethod
    def why_unsupported(cls, game: Game) -> str | None:
        if not has_sealed_bids(game):
            return f"it is for games with sealed bids, bidding_3d_ttt; use {'mcts' if game.is_enumerable else 'random'}"
        return None

    def _open_search(self, view: View) -> _Opened:
        if self.parameters["opening"] and view == self.game.new_initial_state().view(view.player):
            known = first_bids(self.game, view.player, self.seed)
            if known:
                return _Opened(None, known)
        types, naive = self.parameters["types"], self.parameters["naive"]
        return _Opened(RoundSolver(view, view.player, types=types, seed=self.seed, naive=naive), {})

    def _search(self, search: _Opened, limit: Limit, began: float, report: Callable[[], object] | None) -> None:
        """Grow the matrix up to the limit, in pieces that end at numbers of values; by one reply in any case."""
        solver = search.solver
        if solver is None:
            return
        clock = ProgressClock()
        most = math.inf if limit.simulations is None else limit.simulations
        end = math.inf if limit.seconds is None else began + limit.seconds
        solver.grow(1)
        while not (self._stopped or solver.finished or solver.leaves >= most or time.monotonic() >= end):
            left = None if limit.seconds is None else max(0.0, end - time.monotonic())
            solver.grow(int(min(solver.leaves + _PIECE, most)), left)
            if report is not None and clock.is_due():
                report()
        solver.settle()

    def _result_of(self, view: View, search: _Opened, seconds: float, interrupted: bool) -> SampledSearchResult:
        solver = search.solver
        policy, value, leaves = search.known, 0.5, 0
        worth: dict[Action, float | None] = dict.fromkeys(policy)
        if solver is not None:
            policy, value, leaves = dict(solver.strategy(LEAST_PROBABILITY)), solver.value, solver.leaves
            worth = {bid: self._values(view, found)[view.player] for bid, found in solver.own_values()}
        values = self._values(view, value)
        return self._drawn(view, policy, dict.fromkeys(policy, 0), worth, values, leaves, seconds, interrupted)


SEARCHER = DoubleOracle
