"""Mixed strategies for the first round of sealed bids, solved beforehand.

The first round is symmetric. A bid stands for all its images under the symmetries of the boards, and a strategy is a
distribution over such classes of bids. The opponent plays a random image of the same strategy. Strategies that come
with the package are in `first_round.json`; `python -m bench.first_rounds` makes them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from cext.game.actions import Action
from cext.game.game import Game, State
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver

if TYPE_CHECKING:
    from ..nets.value_net import ValueNet

FILE = "first_round.json"
IMAGES = 80
"""Images of a bid for its value against another."""
PIECE = 1_000_000
"""Values of positions between two looks at Ctrl-C."""
LEAST_WEIGHT = 0.004
"""Bids of a smaller probability are left out."""

Bid = tuple[int, ...]


@dataclass(frozen=True)
class FirstRoundStrategy:
    """A mixed strategy for the first round."""

    bids: tuple[Bid, ...]
    """One bid of the first player of each class."""
    weights: tuple[float, ...]
    """The probability of each class."""

    def images(self, state: State, player: int, seed: int) -> dict[Action, float]:
        """Return a random image of each class, as a bid of `player`, with its probability.

        Args:
            state: the first state of the game.
            player: 0 or 1.
            seed: root of the random images.
        """
        solver = RoundSolver(state, 0, seed=seed)
        found: dict[Action, float] = {}
        for bid, weight in zip(self.bids, self.weights, strict=True):
            image = solver.image_of(bid)  # each image changes sides
            if player == 0:
                image = solver.image_of(image)
            found[image] = found.get(image, 0.0) + weight
        return found


@cache
def _shipped() -> dict[str, dict[str, float]]:
    text = resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    found: dict[str, dict[str, float]] = json.loads(text)
    return found


@cache
def shipped_strategy(game: Game) -> FirstRoundStrategy | None:
    """Return the strategy that comes with the package for a game, or None."""
    found = _shipped().get(game.spec)
    if found is None:
        return None
    state = game.new_initial_state()
    bids = tuple(state.string_to_action(0, text) for text in found)
    total = sum(found.values())
    return FirstRoundStrategy(bids, tuple(weight / total for weight in found.values()))  # type: ignore[arg-type]


def solve_first_round(
    game: Game,
    leaves: int = 100_000_000,
    seed: int = 1,
    net: ValueNet | None = None,
    fixed_bids: Sequence[Bid] = (),
    fixed_share: float = 0.5,
) -> FirstRoundStrategy:
    """Return a mixed strategy for the first round, by double oracle with random images.

    Args:
        game: a game with sealed bids.
        leaves: values of positions that are computed, rounded up to millions.
        seed: root of the random streams.
        net: values positions after the round; None: the game's own estimate.
        fixed_bids: first bids, at most 96, as bids of the first player, of opponents that do not answer the strategy.
            With them, it is a restricted Nash response (Johanson, Zinkevich and Bowling 2007); without, it approaches
            an equilibrium.
        fixed_share: probability, 0 to 1, that the opponent plays a fixed bid. It is used only if there are any.

    Raises:
        ValueError: the share is out of range, there are too many fixed bids, or one is not legal.
    """
    if not 0.0 <= fixed_share <= 1.0:
        raise ValueError(f"fixed_share={fixed_share}; valid: 0 to 1")
    core = None if net is None else net.core
    solver = RoundSolver(game.new_initial_state(), 0, seed=seed, net=core, naive=fixed_share, images=IMAGES)
    solver.fix(fixed_bids)
    while solver.leaves < leaves and not solver.finished:
        solver.grow(solver.leaves + PIECE)
    solver.settle()
    found = sorted(solver.strategy(LEAST_WEIGHT), key=lambda bid: -bid[1])
    return FirstRoundStrategy(tuple(bid for bid, _ in found), tuple(weight for _, weight in found))
