"""Rounds of sealed bids solved as matrix games by double oracle, by a player's view alone."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import ClassVar, NamedTuple

from cext.arguments import shown
from cext.game.actions import Action
from cext.game.game import Game, View
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver, fits_rounds, has_sealed_bids
from cext.parameters import Flag, Integer, Parameter, Real, Text

from ..errors import NetFileError
from ..limits import Limit
from ..nets.shipped_nets import chosen_net
from ..nets.value_net import ValueNet
from ..options import NO_NET, SHIPPED
from ..primitives.progress import ProgressClock
from ..rounds import LEAST_PROBABILITY
from ..rounds.first_round import shipped_strategy
from .base import SampledSearchResult, ViewSearcher

_PIECE = 200_000
"""Values of positions between two looks at the clock and at Ctrl-C."""


class _Opened(NamedTuple):
    """A search: a solver, or without one a strategy that is known."""

    solver: RoundSolver | None
    known: dict[Action, float]


class DoubleOracle(ViewSearcher):
    """A mixed strategy for the next round, from a matrix game of bids that grows by best replies.

    The rows and columns are bids of the player and of the opponent. The payoffs are values of the position after the
    round: the score if the game is over, else an estimate or the output of a value net. The opponent's chips are
    hidden, so the opponent has several types. Every solution of the matrix by regret matching is followed by a better
    bid for each side, found by local moves (double oracle: McMahan, Gordon and Blum 2003). Nothing but the player's
    view is used. In limits and results, simulations are values of positions. `action_values` of a result has all bids
    of the player in the matrix, also those that the policy leaves out, each with its value against the opponent's
    strategy; no visits are counted. A bid of a first-round strategy that comes with the package has no value: None.

    Args:
        game: a two-player constant-sum game with sealed bids.
        types: number of quantiles of the opponent's chips, 1 to 8.
        opening: draw the first bid from the first-round strategy that comes with the package, if there is one for the
            game.
        net: values positions after the round: `none`, a simple estimate; `shipped`, the net that comes with the
            package; the path of the file of a net; or a `mcts.ValueNet`. None: the net of the package where it is
            better than the estimate, else the estimate.
        naive: probability, 0 to 1, by which the opponent is taken for a naive player, who answers random bids;
            otherwise it is taken for one that knows the strategy. The strategy is a restricted Nash response (Johanson,
            Zinkevich and Bowling 2007). With 0 it approaches an equilibrium, which wins less from weak bidders.
        seed: root of the random streams; the same seed, view and number of simulations give the same result.

    Attributes:
        net: the net that values positions after the round; None: the estimate.

    Raises:
        NetFileError: the file of the net cannot be read, is damaged, or is not for the game.
        ParameterError: a parameter is out of range.
        UnsupportedGameError: the game has no sealed bids, or the net is for another game.
    """

    NAME = "double_oracle"
    SUMMARY = "rounds of sealed bids solved as matrix games that grow by best replies"
    PARAMETERS: ClassVar[dict[str, Parameter]] = {
        "types": Integer(5, 1, 8),
        "opening": Flag(True),
        "net": Text(None, (NO_NET, SHIPPED)),
        "naive": Real(0.5, 0.0, 1.0),
    }

    def __init__(
        self,
        game: Game,
        *,
        types: int = 5,
        opening: bool = True,
        net: ValueNet | str | None = None,
        naive: float = 0.5,
        seed: int = 0,
    ) -> None:
        named = NO_NET if isinstance(net, ValueNet) else net
        super().__init__(game, seed=seed, types=types, opening=opening, net=named, naive=naive)
        self.net = found = chosen_net(game, net)
        if found is not None and not fits_rounds(game, found.core):
            raise NetFileError(
                f"the net {shown(net)} has other blocks of inputs than the rounds of {game.spec} need; "
                "valid: a net of playout train"
            )

    @classmethod
    def why_unsupported(cls, game: Game) -> str | None:
        if not has_sealed_bids(game):
            return "it is for games with sealed bids; use mcts"
        return None

    def _open_search(self, view: View) -> _Opened:
        first = self.game.new_initial_state()
        is_first = self.parameters["opening"] and view == first.view(view.player)
        strategy = shipped_strategy(self.game) if is_first else None
        if strategy is not None:
            return _Opened(None, strategy.images(first, view.player, self.seed))
        types, naive = self.parameters["types"], self.parameters["naive"]
        core = None if self.net is None else self.net.core
        return _Opened(RoundSolver(view, view.player, types=types, seed=self.seed, net=core, naive=naive), {})

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
        return self._drawn(view, policy, dict.fromkeys(policy, 0), worth, value, leaves, seconds, interrupted)


SEARCHER = DoubleOracle
