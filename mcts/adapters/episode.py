"""One game as an environment plays it: observations, masks of legal actions, rewards, and the end by an illegal one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cext.arguments import require, seed_bits, whole_number
from cext.game.actions import Action
from cext.game.game import CHANCE, Game, State
from cext.games.bidding_3d_ttt.bid_weights import bid_of_weights, num_tiles, open_tiles

from ..errors import UnsupportedGameError
from ..registry import load_game
from ..seeds import seed_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

Observation = dict[str, Any]
"""`observation`: float32; `action_mask`: int8, 1 for each legal action. With sealed bids `open_tiles` instead, 1 for
each tile on which the player may bid."""

RENDER_MODES = ("ansi", "rgb_array")
"""Modes of `render`: a drawing as text, or as an array of pixels."""


def supported_game(game: Game | str) -> Game:
    """Return a game that environments can play.

    Args:
        game: the game, or its spec.

    Raises:
        UnsupportedGameError: the game has no encoding, or neither a list of actions nor sealed bids.
        PlayoutError: the game cannot be loaded.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    require(Game, loaded, "a game, as load_game returns it, or its spec")
    reason = None
    if not loaded.is_enumerable and not num_tiles(loaded):
        reason = "its actions are not listed, so they have no discrete space and no mask"
    elif not loaded.encoding_size:
        reason = "its states have no encoding"
    if reason is not None:
        raise UnsupportedGameError(f"{loaded.spec} cannot be an environment: {reason}; valid: mnk and other games")
    return loaded


def checked_mode(render_mode: str | None) -> str | None:
    """Return a mode of `render`.

    Raises:
        ValueError: there is no such mode.
        ImportError: what draws pixels is not installed.
    """
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode={render_mode!r}; valid: {', '.join(RENDER_MODES)}, or None")
    if render_mode == "rgb_array":
        from .pixels import pixels_of  # noqa: F401 (a missing package is an error now, not when something is drawn)
    return render_mode


class Episode:
    """A game from its start to its end.

    An illegal action of a player who has to decide ends the game: this player gets the least return of the game, and
    the others get the greatest. Actions of players who do not decide are ignored.

    Args:
        game: the game, from `supported_game`.
        seed: root of the outcomes of chance.

    Attributes:
        state: the present state.
        returns: return of each player at the end; None before.
        tiles: number of tiles of a game with sealed bids, 0 for other games.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.tiles = num_tiles(game)
        self.state: State = game.new_initial_state()
        self.returns: tuple[float, ...] | None = None
        self._seed = seed_bits(seed)
        self._settle()

    @property
    def deciders(self) -> tuple[int, ...]:
        """Players who decide now; none at the end."""
        return () if self.returns is not None else self.state.acting_players()

    def apply(self, actions: Mapping[int, Any]) -> None:
        """Play one action of each player who decides, then outcomes of chance until a player decides.

        Args:
            actions: player -> action, as `read` returns it.
        """
        chosen = {player: actions[player] for player in self.deciders}
        illegal = {player for player, action in chosen.items() if not self._is_legal(player, action)}
        if illegal:
            low, high = self.game.min_utility, self.game.max_utility
            self.returns = tuple(low if player in illegal else high for player in range(self.game.num_players))
            return
        self.state.apply_actions(self.state.joint_action(chosen))
        self._settle()

    def read(self, player: int, action: Any) -> Action:
        """Return an action of the game from one of the environment: a whole number of any type, or weights of tiles.

        Raises:
            TypeError: the action is not a whole number, or not a weight for each tile.
            ValueError: a weight is not in [0, 1].
        """
        if not self.tiles:
            return whole_number("action", action)
        return bid_of_weights(self.state, player, action, self.tiles)

    def observe(self, player: int, waits: int = 0) -> Observation:
        """Return what a player sees: the encoding of its view, and what it may do.

        Behind the encoding is a 1 in the place of the player who looks.

        Args:
            player: number of the player.
            waits: number of actions behind those of the game, which the mask has too.
        """
        view = self.state.view(player)
        seats = np.zeros(self.game.num_players, np.float32)
        seats[player] = 1
        name = "open_tiles" if self.tiles else "action_mask"
        return {"observation": np.concatenate([view.encode(), seats]), name: self.mask(player, waits)}

    def mask(self, player: int, waits: int = 0) -> NDArray[np.int8]:
        """Return 1 for each legal action of a player, or each tile on which it may bid; all 0 if it does not decide.

        With an action to wait, that one is legal for those who do not decide.
        """
        if self.tiles and player not in self.deciders:
            return np.zeros(self.tiles, np.int8)
        if self.tiles:
            return open_tiles(self.state, player, self.tiles)
        found = np.zeros(self.game.num_actions + waits, np.int8)
        found[self.game.num_actions :] = player not in self.deciders
        if player in self.deciders:
            found[self.state.legal_actions(player)] = 1
        return found

    def drawing(self, render_mode: str | None, player: int | None = None) -> str | NDArray[np.uint8] | None:
        """Return a drawing in a mode of RENDER_MODES: of the view of a player, or of the state; None without a mode."""
        drawn = self.state if player is None else self.state.view(player)
        if render_mode == "rgb_array":
            from .pixels import pixels_of

            return pixels_of(drawn)
        return None if render_mode is None else str(drawn)

    def reward(self, player: int) -> float:
        """Return 0 before the end, then the return of a player on a scale from -1, the least, to 1, the greatest."""
        if self.returns is None:
            return 0.0
        low, high = self.game.min_utility, self.game.max_utility
        return 2 * (self.returns[player] - low) / (high - low) - 1

    def _is_legal(self, player: int, action: Action) -> bool:
        listed = not isinstance(action, int) or 0 <= action < self.game.num_actions
        return listed and self.state.is_legal(player, action)

    def _settle(self) -> None:
        """Draw outcomes of chance, and note the returns at the end."""
        while self.state.is_chance():
            ply = len(self.state.history())
            outcome = self.state.sample_outcome(seed_for(self._seed, ply))
            self.state.apply_actions(self.state.joint_action({CHANCE: outcome}))
        if self.state.is_terminal():
            self.returns = tuple(self.state.returns())
