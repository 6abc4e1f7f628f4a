"""Bots of OpenSpiel as bots of this package, and the other way round."""

from __future__ import annotations

from typing import Any

from cext.arguments import seed_bits
from mcts import Action, Game, Limit, ParameterError, StateError, View
from mcts.adapters.openspiel import *  # noqa: F403
from mcts.adapters.openspiel import from_openspiel, from_openspiel_state, to_openspiel_state
from mcts.errors import LimitError
from mcts.parameters import Flag, Integer, Real
from mcts.random_steps import is_in_turns
from mcts.seeds import seed_for

from ..base import NO_LIMIT, Bot
from ..clocks import decision_limit
from ..registry import load_bot

# These come last: without open_spiel, the import of mcts.adapters.openspiel raises an error that names the extra.
# isort: split
import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as python_mcts


class OpenSpielBot(Bot):
    """Base class of bots that ask a bot of OpenSpiel.

    It plays every game that `mcts.adapters.openspiel.to_openspiel` accepts. A subclass overrides `bot_of`.
    """

    SUMMARY = "a bot of OpenSpiel"

    def why_unsupported(self, game: Game) -> str | None:
        if not game.is_enumerable:
            return "OpenSpiel needs a list of its actions; valid: greedy and other bots"
        return "it hides parts of the state; valid: greedy and other bots" if game.has_hidden_information else None

    def bot_of(self, state: Any, player: int, seed: int, limit: Limit) -> Any:
        """Return the bot of OpenSpiel for one decision.

        Args:
            state: a `pyspiel.State`, in which the player decides.
            player: index of the player that the bot is.
            seed: of the decision, 31 bits.
            limit: limit of the decision.

        Returns:
            A `pyspiel.Bot`, whose `step` receives the state.
        """
        raise NotImplementedError(f"{type(self).__name__} must define bot_of")

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        state = to_openspiel_state(view.state())
        bot = self.bot_of(state, view.player, self.random.getrandbits(31), decision_limit(None, limit, self.parameters))
        return int(bot.step(state))


class OpenSpielMcts(OpenSpielBot):
    """OpenSpiel's own tree search, with a new tree at every decision.

    In games of OpenSpiel it is `pyspiel.MCTSBot`. That bot crashes the interpreter in games that are written in Python,
    also in those of OpenSpiel. In games of this package it is therefore the same search of `open_spiel.python`, which
    is slower and has no limit in seconds.
    """

    SUMMARY = "the tree search of OpenSpiel, for games in turns"
    PARAMETERS = {  # noqa: RUF012 (declared a ClassVar by the base)
        "simulations": Integer(1000, 1, 2**31 - 1),
        "memory_mb": Integer(1000, 1, 32_000),
        "uct_c": Real(2.0, 0.0, 1e6),
        "rollouts": Integer(1, 1, 1_000_000),
        "solve": Flag(True),
    }

    def why_unsupported(self, game: Game) -> str | None:
        reason = super().why_unsupported(game)
        if reason is None and not is_in_turns(game):
            reason = "players decide at the same time; valid: mcts, which searches such games"
        return reason

    def bot_of(self, state: Any, player: int, seed: int, limit: Limit) -> Any:
        game, given = state.get_game(), self.parameters
        if type(game).__module__.partition(".")[0] != "pyspiel":  # a class in Python
            if limit.seconds is not None:
                raise LimitError(f"seconds={limit.seconds}: {self.name} has no time limit here; valid: simulations")
            random = np.random.RandomState(seed)
            rollouts = python_mcts.RandomRolloutEvaluator(given["rollouts"], random)
            return python_mcts.MCTSBot(game, given["uct_c"], limit.simulations, rollouts, given["solve"], random)
        return pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(given["rollouts"], seed),
            given["uct_c"],
            limit.simulations,
            limit.memory_mb,
            given["solve"],
            seed,
            False,
            max_wall_clock_time=-1.0 if limit.seconds is None else limit.seconds,
        )


class PlayoutBot(pyspiel.Bot):  # type: ignore[misc]
    """A bot of this package as a bot of OpenSpiel, for games of both.

    Args:
        game: the game of OpenSpiel that it plays.
        player: index of the player that it is.
        bot: a bot, or its spec.
        seed: root of all random numbers of the bot. `restart` begins the next game with other ones.

    Raises:
        UnsupportedGameError: the bot cannot play the game, or this package cannot.
        ParameterError: the player does not exist.
        PlayoutError: the bot cannot be loaded.
    """

    def __init__(self, game: Any, player: int, bot: Bot | str, seed: int = 0) -> None:
        super().__init__()
        self.game = from_openspiel(game)
        if not 0 <= player < self.game.num_players:
            raise ParameterError(f"player {player} in {self.game.spec}; valid: 0 to {self.game.num_players - 1}")
        self.player = player
        self.bot = load_bot(bot) if isinstance(bot, str) else bot
        self.bot.check_game(self.game)
        self._seed = seed_bits(seed)
        self.restart()

    def player_id(self) -> int:
        """Return the index of the player."""
        return self.player

    def restart(self) -> None:
        """Begin a new game."""
        self.bot.new_game(self.game, self.player, self._seed)
        self._seed = seed_for(self._seed, self.player)

    def restart_at(self, state: Any) -> None:
        """Begin a new game in a state."""
        self.restart()

    def step(self, state: Any) -> int:
        """Return the bot's action in a state. Raises StateError for a state of another game."""
        own = from_openspiel_state(state)
        if own.game != self.game:
            raise StateError(f"the state is one of {own.game.spec}; valid: one of {self.game.spec}")
        action: Any = self.bot.choose(own.view(self.player))
        return int(action)
