"""Openings of games with sealed bids: mixed strategies for the first round, solved beforehand.

The first round is symmetric. A bid stands for all its images under the symmetries of the boards, and an opening is a
distribution over such classes of bids. The rival plays a random image of the same opening. Openings that come with the
package are in `openings.json`; `python -m bench.bid_openings` makes them.
"""

from __future__ import annotations

import json
import random
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
"""A reply enters the matrix if it wins so much more than half."""


@dataclass(frozen=True)
class Opening:
    """A mixed strategy for the first round."""

    bids: tuple[tuple[int, ...], ...]
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


def solve_opening(game: Game, turns: int = 250, seed: int = 1, net: ValueNet | None = None) -> Opening:
    """Return a mixed strategy for the first round, by double oracle with random images.

    Args:
        game: a game with sealed bids whose first round is symmetric.
        turns: number of replies that are looked for.
        seed: root of the random streams.
        net: values positions after the round; None: the game's own estimate.
    """
    import numpy as np

    state = game.new_initial_state()
    solver = RoundSolver(state, 0, seed=seed, net=None if net is None else net.core)
    solver.grow(FIRST_LEAVES)
    solver.settle()
    pool: list[tuple[int, ...]] = []
    values = np.zeros((0, 0))
    for bid, _ in sorted(solver.strategy(), key=lambda found: -found[1])[:FIRST_BIDS]:
        values = _extended(solver, values, pool, bid)
        pool.append(bid)
    weights = matrix_game(values)[1]
    draw = random.Random(seed)
    for turn in range(turns):
        start = pool[int(weights.argmax())] if turn % 3 == 0 else draw.choices(pool, list(weights))[0]
        if turn % 3 == 1:
            start = state.sample_action(0, draw.getrandbits(64))  # type: ignore[assignment]
        kept = [number for number, weight in enumerate(weights) if weight >= LEAST_WEIGHT]
        shares = [float(weights[number] / weights[kept].sum()) for number in kept]
        bid, _ = reply_to_images(solver, start, [pool[number] for number in kept], shares, PATIENCE)
        gain = sum(
            share * image_value(solver, bid, pool[number], IMAGES)  # with images that it was not made for
            for number, share in zip(kept, shares, strict=True)
        )
        if gain < 0.5 + LEAST_GAIN or bid in pool:
            continue
        if len(pool) == MOST_BIDS:
            worst = int(weights.argmin())
            del pool[worst]
            values = np.delete(np.delete(values, worst, 0), worst, 1)
        values = _extended(solver, values, pool, bid)
        pool.append(bid)
        weights = matrix_game(values)[1]
    order = [int(number) for number in np.argsort(-weights) if weights[number] >= LEAST_WEIGHT]
    total = float(weights[order].sum())
    return Opening(tuple(pool[number] for number in order), tuple(float(weights[number]) / total for number in order))


def _extended(
    solver: RoundSolver, values: NDArray[Any], pool: list[tuple[int, ...]], bid: tuple[int, ...]
) -> NDArray[Any]:
    """Return the matrix of values with one more bid. The game is symmetric, so both orders give one number."""
    import numpy as np

    count = len(pool)
    more = np.full((count + 1, count + 1), 0.5)
    more[:count, :count] = values
    for number, other in enumerate(pool):
        value = (image_value(solver, bid, other, IMAGES) + 1 - image_value(solver, other, bid, IMAGES)) / 2
        more[count, number], more[number, count] = value, 1 - value
    return more
