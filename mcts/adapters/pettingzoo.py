"""Environments of PettingZoo (Terry et al., "PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS 2021)."""

from __future__ import annotations

from random import Random
from typing import Any

from cext.arguments import seed_bits
from cext.game.game import Game

from ..primitives.failures import needed_by
from .episode import RENDER_MODES, Episode, Observation, checked_mode, supported_game
from .spaces import action_space, observation_space

with needed_by(f"{__name__} needs", "pettingzoo", "pettingzoo"):
    from pettingzoo import AECEnv, ParallelEnv


class _Agents:
    """Names, spaces and drawings, which both kinds of environments have.

    Args:
        game: the game, or its spec.
        render_mode: `ansi` for drawings as text, `rgb_array` for arrays of pixels (extra `pixels`), or None.
        waits: number of actions behind those of the game.

    Raises:
        UnsupportedGameError: the game has no encoding, or neither a list of actions nor sealed bids.
        ValueError: the mode does not exist.
        ImportError: what draws pixels is not installed.
    """

    def __init__(self, game: Game | str, render_mode: str | None, waits: int) -> None:
        self.game = supported_game(game)
        self.render_mode = checked_mode(render_mode)
        self.metadata = {"name": self.game.spec, "render_modes": [*RENDER_MODES], "is_parallelizable": waits > 0}
        self.possible_agents = list(self.game.players)
        self.waits = waits
        self.observation_spaces = {name: observation_space(self.game, waits) for name in self.possible_agents}
        self.action_spaces = {name: action_space(self.game, waits) for name in self.possible_agents}
        self.agents: list[str] = []
        self.episode = Episode(self.game)
        self._seeds = Random()

    def observation_space(self, agent: str) -> Any:
        """Return the space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of the actions of an agent."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent, with a mask of its legal actions."""
        return self.episode.observe(self.game.players.index(agent), self.waits)

    def render(self) -> Any:
        """Return a drawing of the state: a text, or an array of rows, columns and colors; None without a mode."""
        return self.episode.drawing(self.render_mode)

    def close(self) -> None:
        """Do nothing: an environment holds no resources."""

    def state(self) -> Any:
        """Return the encoding of the state."""
        return self.episode.state.encode()

    def begin(self, seed: int | None) -> None:
        """Begin a new game. A seed fixes the outcomes of chance in this game and in those after it without a seed."""
        if seed is not None:
            self._seeds.seed(seed_bits(seed))
        self.episode = Episode(self.game, self._seeds.getrandbits(64))
        self.agents = list(self.possible_agents)

    def by_agent(self, value: Any) -> dict[str, Any]:
        """Return a dict from each agent that plays to the value of a function of its number."""
        return {agent: value(self.game.players.index(agent)) for agent in self.agents}


class TurnEnv(_Agents, AECEnv):  # type: ignore[misc]
    """An environment in which one agent after the other is asked.

    Agents that decide at the same time are asked in the order of the players, and see nothing of each other's actions.
    An illegal action ends the game: its agent gets the reward -1, the others get 1. With sealed bids, an action is a
    weight for each tile; the weights are shares of the agent's chips.

    Args:
        game: the game, or its spec.
        render_mode: `ansi` for drawings as text, `rgb_array` for arrays of pixels (extra `pixels`), or None.

    Raises:
        UnsupportedGameError: the game has no encoding, or neither a list of actions nor sealed bids.
        ValueError: the mode does not exist.
        ImportError: what draws pixels is not installed.
    """

    def __init__(self, game: Game | str, render_mode: str | None = None) -> None:
        AECEnv.__init__(self)
        _Agents.__init__(self, game, render_mode, 0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Args:
            seed: fixes the outcomes of chance, also in the games that begin later without a seed.
            options: ignored.
        """
        self.begin(seed)
        self._chosen: dict[int, Any] = {}
        self.rewards = self.by_agent(lambda player: 0.0)
        self._cumulative_rewards = self.by_agent(lambda player: 0.0)
        self.terminations = self.by_agent(lambda player: self.episode.returns is not None)
        self.truncations = self.by_agent(lambda player: False)
        self.infos = self.by_agent(lambda player: {})
        self._select()

    def step(self, action: Any) -> None:
        """Take the action of the agent whose turn it is; None for an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        player = self.game.players.index(agent)
        self._chosen[player] = self.episode.read(player, action)
        if len(self._chosen) == len(self.episode.deciders):
            chosen, self._chosen = self._chosen, {}
            self.episode.apply(chosen)
        self.rewards = self.by_agent(self.episode.reward)
        if self.episode.returns is not None:
            self.terminations = self.by_agent(lambda player: True)
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        """Select the next agent that decides, or the first one at the end."""
        missing = [player for player in self.episode.deciders if player not in self._chosen]
        self.agent_selection = self.game.players[missing[0]] if missing else self.agents[0]


class JointEnv(_Agents, ParallelEnv):  # type: ignore[misc]
    """An environment in which all agents act in each step.

    The last action of a space of numbers means to wait. It is the only legal one of an agent that does not decide,
    whose actions are ignored. An illegal action of an agent that decides ends the game: it gets the reward -1, the
    others get 1. With sealed bids, an action is a weight for each tile; the weights are shares of the agent's chips.

    Args:
        game: the game, or its spec.
        render_mode: `ansi` for drawings as text, `rgb_array` for arrays of pixels (extra `pixels`), or None.

    Raises:
        UnsupportedGameError: the game has no encoding, or neither a list of actions nor sealed bids.
        ValueError: the mode does not exist.
        ImportError: what draws pixels is not installed.
    """

    def __init__(self, game: Game | str, render_mode: str | None = None) -> None:
        _Agents.__init__(self, game, render_mode, 1)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new game.

        Args:
            seed: fixes the outcomes of chance, also in the games that begin later without a seed.
            options: ignored.

        Returns:
            Observations and empty infos by agent.
        """
        self.begin(seed)
        return {agent: self.observe(agent) for agent in self.agents}, self.by_agent(lambda player: {})

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the actions of all agents.

        Args:
            actions: agent -> action, at least of those that decide.

        Returns:
            Observations, rewards, terminations, truncations and infos by agent.

        Raises:
            KeyError: the action of an agent that decides is missing.
            TypeError: an action is not a whole number, or with sealed bids not a weight for each tile.
            ValueError: a weight is not in [0, 1].
        """
        players = self.game.players
        read = self.episode.read
        self.episode.apply({player: read(player, actions[players[player]]) for player in self.episode.deciders})
        over = self.episode.returns is not None
        found = (
            {agent: self.observe(agent) for agent in self.agents},
            self.by_agent(self.episode.reward),
            self.by_agent(lambda player: over),
            self.by_agent(lambda player: False),
            self.by_agent(lambda player: {}),
        )
        if over:
            self.agents = []
        return found
