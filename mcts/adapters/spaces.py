"""Spaces of Gymnasium for observations and actions of a game, which PettingZoo uses too."""

from __future__ import annotations

from typing import Any

import numpy as np

from cext.game import Game

try:
    from gymnasium.spaces import Box, Dict, Discrete
except ImportError as error:
    raise ImportError(
        "environments need gymnasium, which is not installed: pip install 'playout[gymnasium]' or 'playout[pettingzoo]'"
    ) from error


def action_space(size: int) -> Any:
    """Return the space of actions from 0 to `size` - 1."""
    return Discrete(size)


def observation_space(game: Game, size: int) -> Any:
    """Return the space of `observation` and `action_mask`."""
    return Dict(
        {
            "observation": Box(-np.inf, np.inf, (game.encoding_size + game.num_players,), np.float32),
            "action_mask": Box(0, 1, (size,), np.int8),
        }
    )
