"""Openings of games with sealed bids: mixed strategies for the first round, solved beforehand.

The first round is symmetric. A bid stands for all its images under the symmetries of the boards, and an opening is a
distribution over such classes of bids. The rival plays a random image of the same opening. Openings that come with the
package are in `openings.json`; `python -m bench.bid_openings` makes them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from cext.actions import Action
from cext.game import Game, State
from cext.matrix_game import matrix_game
from cext.stages.opening import image_of, image_value, reply_to_images
from cext.stages.solver import RoundSolver

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .nets.value_net import ValueNet

FILE = "openings.json"
FIRST_LEAVES = 400_000
"""Values of positions for the first bids, from a solution without symmetry."""
FIRST_BIDS = 12
MOST_BIDS = 90
IMAGES = 200
"""Images for the value of a bid against another."""
PATIENCE = 300
"""Moves that fail in a row before a reply is final."""
LEAST_WEIGHT = 0.004
"""Bids of a smaller probability are left out."""
LEAST_GAIN = 0.002
"""A reply enters the matrix if it wins so much more than the strategy does."""
FIXED_IMAGES = 20
"""Images for the value of a bid against a fixed one."""

Bid = tuple[int, ...]


@dataclass(frozen=True)
class Opening:
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
            image = image_of(solver, bid)  # each image changes sides
            if player == 0:
                image = image_of(solver, image)
            found[image] = found.get(image, 0.0) + weight
        return found


@cache
def _shipped() -> dict[str, dict[str, float]]:
    text = resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    found: dict[str, dict[str, float]] = json.loads(text)
    return found


@cache
def shipped_opening(game: Game) -> Opening | None:
    """Return the opening that comes with the package for a game, or None."""
    found = _shipped().get(game.spec)
    if found is None:
        return None
    state = game.new_initial_state()
    bids = tuple(state.string_to_action(0, text) for text in found)
    total = sum(found.values())
    return Opening(bids, tuple(weight / total for weight in found.values()))  # type: ignore[arg-type]


def solve_opening(
    game: Game,
    turns: int = 250,
    seed: int = 1,
    net: ValueNet | None = None,
    fixed_bids: Sequence[Bid] = (),
    fixed_share: float = 0.5,
) -> Opening:
    """Return a mixed strategy for the first round, by double oracle with random images.

    Args:
        game: a game with sealed bids whose first round is symmetric.
        turns: number of times that replies are looked for.
        seed: root of the random streams.
        net: values positions after the round; None: the game's own estimate.
        fixed_bids: first bids, as bids of the first player, of rivals that do not answer the opening. With them, the
            opening is a restricted Nash response (Johanson, Zinkevich and Bowling 2007); without, it approaches an
            equilibrium.
        fixed_share: probability, 0 to 1, that the rival plays one of the fixed bids. It is used only if there are any.

    Raises:
        ValueError: the share is out of range, or a fixed bid is not legal.
    """
    if not 0.0 <= fixed_share <= 1.0:
        raise ValueError(f"fixed_share={fixed_share}; valid: 0 to 1")
    state = game.new_initial_state()
    solver = RoundSolver(state, 0, seed=seed, net=None if net is None else net.core)
    solver.grow(FIRST_LEAVES)
    solver.settle()
    draw = random.Random(seed)
    matrix = _Matrix(solver, fixed_bids, fixed_share if fixed_bids else 0.0)
    for bid, _ in sorted(solver.strategy(), key=lambda found: -found[1])[:FIRST_BIDS]:
        matrix.add(bid)
    for turn in range(turns):
        for is_rival in (False, True) if fixed_bids else (False,):
            weights = matrix.strategies()[is_rival]
            start = matrix.pool[int(weights.argmax())] if turn % 3 == 0 else draw.choices(matrix.pool, list(weights))[0]
            if turn % 3 == 1:
                start = state.sample_action(0, draw.getrandbits(64))  # type: ignore[assignment]
            bids, shares = matrix.target(is_rival)
            bid, _ = reply_to_images(solver, start, bids, shares, PATIENCE)
            gain = sum(
                share * image_value(solver, bid, other, IMAGES)  # with images that it was not made for
                for other, share in zip(bids, shares, strict=True)
            )
            if gain >= matrix.value(is_rival) + LEAST_GAIN and bid not in matrix.pool:
                matrix.add(bid)
    weights = matrix.strategies()[False]
    order = [int(number) for number in (-weights).argsort() if weights[number] >= LEAST_WEIGHT]
    total = float(weights[order].sum())
    return Opening(
        tuple(matrix.pool[number] for number in order), tuple(float(weights[number]) / total for number in order)
    )


class _Matrix:
    """The matrix game of the first round. Both sides choose from one pool of bids.

    Attributes:
        pool: bids of the first player.
    """

    def __init__(self, solver: RoundSolver, fixed_bids: Sequence[Bid], fixed_share: float) -> None:
        import numpy as np

        self.pool: list[Bid] = []
        self._solver = solver
        self._fixed_bids = fixed_bids
        self._fixed_share = fixed_share
        self._values = np.zeros((0, 0))
        self._against_fixed = np.zeros(0)
        self._solved: tuple[float, NDArray[Any], NDArray[Any]] | None = None

    def add(self, bid: Bid) -> None:
        """Put a bid into the pool, in place of the least used one if it is full."""
        import numpy as np

        if len(self.pool) == MOST_BIDS:
            own, rival = self.strategies()
            worst = int((own + rival).argmin())
            del self.pool[worst]
            self._values = np.delete(np.delete(self._values, worst, 0), worst, 1)
            self._against_fixed = np.delete(self._against_fixed, worst)
        count = len(self.pool)
        more = np.full((count + 1, count + 1), 0.5)
        more[:count, :count] = self._values
        for number, other in enumerate(self.pool):  # the game is symmetric, so both orders give one number
            ahead, behind = (image_value(self._solver, *pair, IMAGES) for pair in ((bid, other), (other, bid)))
            more[count, number] = (ahead + 1 - behind) / 2
            more[number, count] = 1 - more[count, number]
        gained = [image_value(self._solver, bid, other, FIXED_IMAGES) for other in self._fixed_bids]
        self._values = more
        self._against_fixed = np.append(self._against_fixed, sum(gained) / max(1, len(gained)))
        self.pool.append(bid)
        self._solved = None

    def _solution(self) -> tuple[float, NDArray[Any], NDArray[Any]]:
        if self._solved is None:
            payoffs = (1 - self._fixed_share) * self._values + self._fixed_share * self._against_fixed[:, None]
            value, own, rival = matrix_game(payoffs)
            self._solved = value, own, rival if self._fixed_bids else own  # without fixed bids, both sides are alike
        return self._solved

    def strategies(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the probability of each bid of the pool for the player, and for a rival that answers it."""
        _, own, rival = self._solution()
        return own, rival

    def value(self, is_rival: bool) -> float:
        """Return what a side earns from its target."""
        value, own, rival = self._solution()
        return 1 - float(own @ self._values @ rival) if is_rival else value

    def target(self, is_rival: bool) -> tuple[list[Bid], list[float]]:
        """Return bids that a side answers, with their probabilities; those that are hardly played are left out."""
        weights = self.strategies()[not is_rival]
        kept = [number for number, weight in enumerate(weights) if weight >= LEAST_WEIGHT]
        bids = [self.pool[number] for number in kept]
        shares = [float(weights[number] / weights[kept].sum()) for number in kept]
        if self._fixed_bids and not is_rival:
            bids += self._fixed_bids
            shares = [(1 - self._fixed_share) * share for share in shares]
            shares += [self._fixed_share / len(self._fixed_bids)] * len(self._fixed_bids)
        return bids, shares
