"""Spaces of Gymnasium for observations and actions of a game, which PettingZoo uses too."""

from __future__ import annotations

from typing import Any

import numpy as np

from cext.game.game import Game
from cext.games.bidding_3d_ttt.bid_weights import num_tiles

from ..primitives.failures import needed_by

with needed_by("environments need", "gymnasium", "gymnasium", "pettingzoo"):
    from gymnasium.spaces import Box, Dict, Discrete


def action_space(game: Game, waits: int = 0) -> Any:
    """Return the space of the actions of a game: numbers from 0, or with sealed bids a weight for each tile.

    Args:
        game: the game, from `supported_game`.
        waits: number of actions behind those of a game that lists them.
    """
    tiles = num_tiles(game)
    return Box(0.0, 1.0, (tiles,), np.float32) if tiles else Discrete(game.num_actions + waits)


def observation_space(game: Game, waits: int = 0) -> Any:
    """Return the space of `observation`, and of `action_mask` or `open_tiles`. Arguments as `action_space`."""
    tiles = num_tiles(game)
    numbers = game.encoding_size + game.num_players
    name, size = ("open_tiles", tiles) if tiles else ("action_mask", game.num_actions + waits)
    return Dict(
        {
            "observation": Box(-np.inf, np.inf, (numbers,), np.float32),
            name: Box(0, 1, (size,), np.int8),
        }
    )
