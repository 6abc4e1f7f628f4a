"""Strategies for the first round that come with the package."""

from __future__ import annotations

import json
import random
from functools import cache
from importlib import resources

from ...game.actions import Action
from ...game.game import Game

FIRST_ROUND = "first_round.json"
"""The file of strategies for the first round: spec of the game -> text of a bid of the first player -> probability.

They come from this solver with 100 million values, with every bid valued against random images of the opponent's, and
with the values of a net for 80 chips. Solved with the estimate alone, they win 8 points less from `spread`.
"""


@cache
def _first_round(game: Game) -> dict[tuple[int, ...], float]:
    """Return bid of the first player -> weight, of the strategy that comes with the package; empty without one."""
    found = json.loads(resources.files(__package__).joinpath(FIRST_ROUND).read_text(encoding="utf-8"))
    state = game.new_initial_state()
    return {state.string_to_action(0, text): weight for text, weight in found.get(game.spec, {}).items()}  # type: ignore[misc]


def first_bids(game: Game, player: int, seed: int) -> dict[Action, float]:
    """Return the strategy for the first round that comes with the package for a game, as bid -> probability.

    Each bid is a random image of a stored one. The first round is symmetric: the boards may be mirrored top to bottom,
    and left to right with an exchange of the players, and each board may be turned and mirrored.

    Args:
        game: a game with sealed bids.
        player: 0 or 1.
        seed: root of the random images.
    """
    draw = random.Random(seed)
    stored = _first_round(game)
    total = sum(stored.values())
    found: dict[Action, float] = {}
    for bid, weight in stored.items():
        upside = draw.random() < 0.5
        turns = [draw.randrange(8) for _ in range(9)]
        image = [0] * len(bid)
        for tile, chips in enumerate(bid):
            if chips:
                (row, column), (y, x) = divmod(tile // 9, 3), divmod(tile % 9, 3)
                turn = turns[tile // 9]
                x, y = (2 - x if turn & 1 else x), (2 - y if turn & 2 else y)
                x, y = (y, x) if turn & 4 else (x, y)
                board = 3 * (2 - row if upside else row) + (2 - column if player else column)
                image[9 * board + 3 * y + x] = chips
        found[tuple(image)] = found.get(tuple(image), 0.0) + weight / total
    return found
