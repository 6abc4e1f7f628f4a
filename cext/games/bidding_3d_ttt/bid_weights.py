"""Sealed bids as actions of environments: a weight for each tile, of which every choice is a legal bid."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arguments import shown
from ...game.game import Game, State
from .rounds.solver import has_sealed_bids

if TYPE_CHECKING:
    from numpy.typing import NDArray


@lru_cache(maxsize=16)
def num_tiles(game: Game) -> int:
    """Return the number of tiles of a game with sealed bids, 0 for other games."""
    if not has_sealed_bids(game):
        return 0
    bid = game.new_initial_state().sample_action(0, 0)
    return 0 if isinstance(bid, int) else len(bid)


def open_tiles(state: State, player: int, tiles: int) -> NDArray[np.int8]:
    """Return 1 for each tile on which a player may bid a chip."""
    return np.array([state.is_legal(player, bid) for bid in _one_chip(tiles)], np.int8)


@lru_cache(maxsize=16)
def _one_chip(tiles: int) -> tuple[tuple[int, ...], ...]:
    """Return the bids of one chip."""
    return tuple(map(tuple, np.identity(tiles, int).tolist()))


def bid_of_weights(state: State, player: int, weights: Any, tiles: int) -> tuple[int, ...]:
    """Return a legal bid: each weight is the share of the player's chips that its tile gets, rounded down.

    Weights of tiles on which the player may not bid do not count. Where the rules do not allow all tiles together, such
    as a line of three, tiles count from the greatest weight down as long as they are allowed. A sum above 1 is divided
    by itself.

    Raises:
        TypeError: the weights are not numbers, one for each tile.
        ValueError: a weight is not in [0, 1].
    """
    try:
        given = np.asarray(weights, np.float64)
    except (TypeError, ValueError):
        given = np.empty(0)
    if given.shape != (tiles,):
        raise TypeError(f"action is {shown(weights)}; valid: {tiles} numbers from 0 to 1, a weight for each tile")
    if not ((given >= 0.0) & (given <= 1.0)).all():
        raise ValueError(f"an action has weights from {given.min()} to {given.max()}; valid: from 0 to 1")
    shares = given * open_tiles(state, player, tiles)
    chips = state.to_dict()["chips"][player]
    bid = _chips_of(shares, chips)
    return bid if state.is_legal(player, bid) else _chips_of(shares * _together(state, player, shares), chips)


def _chips_of(shares: NDArray[np.float64], chips: int) -> tuple[int, ...]:
    """Return the chips of each tile: its share, rounded down, of a sum that is at most 1."""
    # The small number keeps shares such as 0.29 of 100 whole, and is too small for another chip.
    return tuple(np.floor(shares / max(1.0, shares.sum()) * chips + 1e-9).astype(int).tolist())


def _together(state: State, player: int, shares: NDArray[np.float64]) -> NDArray[np.int8]:
    """Return 1 for tiles that may be bid on together, chosen from the greatest share down.

    A bid of one chip on each decides. It never lacks chips where they matter: with more tiles than chips, the tile of
    the least share gets none.
    """
    found = [0] * len(shares)
    for tile in np.argsort(-shares, kind="stable")[: np.count_nonzero(shares)].tolist():
        found[tile] = 1
        if not state.is_legal(player, tuple(found)):
            found[tile] = 0
    return np.array(found, np.int8)
