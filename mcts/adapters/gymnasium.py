"""Environments of Gymnasium: one seat of a game, with bots or random play in the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from cext.arguments import require, shown
from cext.game.actions import Action
from cext.game.game import Game, View

from ..errors import IllegalActionError, ParameterError
from ..game import player_number
from ..primitives.failures import needed_by
from .episode import RENDER_MODES, Episode, Observation, checked_mode, supported_game
from .spaces import action_space, observation_space

with needed_by(f"{__name__} needs", "gymnasium", "gymnasium"):
    from gymnasium import Env

_SEEDS = 2**63


class Opponent(Protocol):
    """A player in another seat; every bot of `bots.load_bot` is one."""

    def new_game(self, game: Game, player: int, seed: int) -> None:
        """Prepare for a game as a player, with the root of all random numbers."""

    def choose(self, view: View) -> Action:
        """Return a legal action of the player who looks."""


class SeatEnv(Env):  # type: ignore[misc]
    """An environment of one player. The others are bots, or play legal actions at random.

    An illegal action ends the game with the reward -1; `info["action_mask"]` and the observation have the legal ones.
    With sealed bids, an action is a weight for each tile; the weights are shares of the player's chips.
    The reward is 0 before the end, and then from -1, the least return, to 1, the greatest.

    Args:
        game: the game, or its spec.
        player: name or number of the player of the environment.
        opponents: player -> bot; players that are missing play at random. A bot is used by one environment only.
        render_mode: `ansi` for drawings as text, `rgb_array` for arrays of pixels (extra `pixels`), or None.

    Raises:
        UnsupportedGameError: the game has no encoding, or neither a list of actions nor sealed bids.
        ParameterError: a player does not exist, or the own one has an opponent.
        TypeError: an opponent is not a bot.
        ValueError: the mode does not exist.
        ImportError: what draws pixels is not installed.
    """

    metadata = {"render_modes": [*RENDER_MODES]}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        game: Game | str,
        player: int | str = 0,
        opponents: Mapping[int | str, Opponent] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = supported_game(game)
        self.render_mode = checked_mode(render_mode)
        self.player = player_number(self.game, player)
        require(Mapping, opponents or {}, "a dict of player -> bot")
        self.opponents = {player_number(self.game, seat): bot for seat, bot in (opponents or {}).items()}
        if self.player in self.opponents:
            raise ParameterError(f"{self.game.players[self.player]} is the player of the environment; valid: another")
        for bot in self.opponents.values():
            _check_bot(bot)
        self.observation_space = observation_space(self.game)
        self.action_space = action_space(self.game)
        self.episode = Episode(self.game)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game, and let the others play until the player decides. `options` are ignored.

        Returns:
            The observation, and an info with its mask.
        """
        super().reset(seed=seed)
        self.episode = Episode(self.game, int(self.np_random.integers(_SEEDS)))
        for seat, bot in self.opponents.items():
            bot.new_game(self.game, seat, int(self.np_random.integers(_SEEDS)))
        self._let_others_play()
        return self._observation()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and let the others play until the player decides again or the game is over.

        Returns:
            Observation, reward, whether the game is over, False, and an info with the mask.

        Raises:
            TypeError: the action is not a whole number, or with sealed bids not a weight for each tile.
            ValueError: a weight is not in [0, 1].
            IllegalActionError: an opponent has chosen an illegal action.
        """
        if self.player in self.episode.deciders:
            self.episode.apply({self.player: self.episode.read(self.player, action), **self._choices()})
            self._let_others_play()
        observation, info = self._observation()
        return observation, self.episode.reward(self.player), self.episode.returns is not None, False, info

    def render(self) -> Any:
        """Draw what the player sees: a text, or an array of rows, columns and colors; None without a mode."""
        return self.episode.drawing(self.render_mode, self.player)

    def _observation(self) -> tuple[Observation, dict[str, Any]]:
        seen = self.episode.observe(self.player)
        return seen, {name: part for name, part in seen.items() if name != "observation"}

    def _let_others_play(self) -> None:
        while self.episode.deciders and self.player not in self.episode.deciders:
            self.episode.apply(self._choices())

    def _choices(self) -> dict[int, Action]:
        """Return an action of each other player who decides."""
        return {seat: self._choice(seat) for seat in self.episode.deciders if seat != self.player}

    def _choice(self, seat: int) -> Action:
        state = self.episode.state
        if seat not in self.opponents:
            return state.sample_action(seat, int(self.np_random.integers(_SEEDS)))
        action = self.opponents[seat].choose(state.view(seat))
        if not state.is_legal(seat, action):
            name = self.game.players[seat]
            raise IllegalActionError(f"the opponent {name} has chosen {shown(action)}, which is illegal")
        return action


def _check_bot(bot: object) -> None:
    """Raise TypeError for what is not a bot, such as a spec."""
    methods = (getattr(bot, "new_game", None), getattr(bot, "choose", None))
    if isinstance(bot, type) or not all(map(callable, methods)):
        raise TypeError(
            f"{shown(bot)} is not a bot; valid: an object with new_game and choose, as bots.load_bot returns"
        )
