"""Games and bots that clients may name. Their texts come from anywhere, and nothing they name is imported or run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import mcts
from cext.spec import parse_spec
from mcts import Game, UnsupportedGameError, game_info, load_game, registered_games
from mcts.errors import SpecError, UnknownGameError
from mcts.nets.value_net import without_digest
from mcts.parameters import Text, read_parameters
from mcts.registry import near_names

from ...base import Bot
from ...errors import UnknownBotError
from ...registry import EXTERNAL_BOTS, find_bot, load_bot, registered_bots
from ...system.untrusted import clean_line
from ..analysis.exact_values import CAN_SOLVE, MEMORY_MB, MOST_STATES
from ..caps import Caps
from ..problems import Problem
from .own_rules import OwnGame, OwnRules

_LONGEST_SPEC = 500
_EXACT = "exact"
_FORBIDDEN_BOTS = EXTERNAL_BOTS if CAN_SOLVE else EXTERNAL_BOTS | {_EXACT}
"""Bots that run or reach other programs, and that cannot be imported."""


class Admission:
    """The games and bots of a server.

    Args:
        caps: limits that the parameters of bots must keep.
        games: specs of further games, which may be paths of classes. They come from whoever starts the server.
        bots: specs of further bots, which may name files too. They come from whoever starts the server.
        own: rulesheets of clients; None: there are none.
    """

    def __init__(
        self, caps: Caps, games: Iterable[str] = (), bots: Iterable[str] = (), own: OwnRules | None = None
    ) -> None:
        self._caps = caps
        self._own = own or OwnRules(caps)
        self._further: dict[str, Game] = {game.spec: game for game in map(load_game, games)}
        loaded = {spec: load_bot(spec) for spec in bots}
        self.further_bots: dict[str, type[Bot]] = {spec: type(bot) for spec, bot in loaded.items()}
        """Spec -> class of the bots that the server adds."""
        texts = (text for spec, bot in loaded.items() for text in (spec, bot.spec))  # as given, and as in records
        self._admitted = {_identity_of(*parse_spec(text)) for text in texts}

    def game_keys(self) -> list[str]:
        """Return what clients call the games: names, and the whole specs of those that the server adds."""
        return [*registered_games(), *self._further]

    def add(self, game: Game) -> str:
        """Add a game, and return its key."""
        self._further[game.spec] = game
        return game.spec

    def is_further(self, key: str) -> bool:
        """Return True for a game that the server adds, which has no variants."""
        return key in self._further

    def game(self, spec: str) -> Game:
        """Return a game. Raises a PlayoutError if it is not one of the server."""
        if spec in self._further:
            return self._further[spec]
        if len(spec) > _LONGEST_SPEC:
            raise SpecError(f"a spec of {len(spec):,} characters; valid: at most {_LONGEST_SPEC}")
        if (own := self._own.game(spec)) is not None:
            return own
        name, given = parse_spec(spec)
        # Other names are paths of classes, which are imported, or of files, which are read.
        if name not in registered_games():
            valid = near_names(name, [*registered_games(), *(game.name for game in self._further.values())])
            raise UnknownGameError(f"unknown game {clean_line(name)!r}; {valid}")
        kinds = game_info(name).parameters
        texts = {key: kind for key, kind in kinds.items() if isinstance(kind, Text)}
        if paths := [key for key, kind in texts.items() if key in given and kind.may_be_path(given[key])]:
            raise Problem(422, "refused_game", f"{paths[0]} of {name} could name a file of the server; valid: none")
        if "" in given:
            raise SpecError(f"{clean_line(given[''])!r} of {name} is not of the form key=value")
        return _loaded(name, tuple(given.items()))

    def bot_kinds(self) -> dict[str, type[Bot]]:
        """Return name -> class of the bots that clients may name."""
        return {name: find_bot(name) for name in registered_bots() if name not in _FORBIDDEN_BOTS}

    def why_unsupported(self, kind: type[Bot], game: Game) -> str | None:
        """Return the reason why bots of a kind do not play a game here, or None if they do."""
        if kind.NAME == _EXACT:
            return _why_not_exact(game) if may_solve(game) else "a server solves small rules of clients only; use level"
        return kind().why_unsupported(game)

    def bot(self, spec: str, game: Game) -> Bot:
        """Return a new bot that can play a game. It may take seconds to check the game.

        Raises:
            PlayoutError: the bot does not exist, has a wrong parameter, or does not play the game.
            Problem: the bot could start programs or read files, or asks for more than the caps allow.
        """
        if len(spec) > _LONGEST_SPEC:
            raise SpecError(f"a spec of {len(spec):,} characters; valid: at most {_LONGEST_SPEC}")
        name, given = parse_spec(spec)
        if _identity_of(name, given) in self._admitted:
            bot = load_bot(spec)
            bot.check_game(game)
            return bot
        kinds = self.bot_kinds()
        if name not in kinds:
            raise UnknownBotError(f"unknown bot {name!r}; valid: {', '.join(kinds)}")
        kind = kinds[name]
        if "" in given and kind.FIRST_PARAMETER is not None:
            given = {kind.FIRST_PARAMETER: given[""], **given}
            del given[""]
        # A bot may read a file when it is made, so its parameters are checked before.
        self._check_parameters(name, kind, read_parameters(f"bot {name}", kind.PARAMETERS, given))
        bot = load_bot(spec)
        reason = self.why_unsupported(kind, game)
        if reason is not None:
            raise UnsupportedGameError(f"bot {bot.spec} cannot play {game.spec}: {reason}")
        return bot

    def _check_parameters(self, bot: str, kinds: type[Bot], values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            kind = kinds.PARAMETERS[name]
            if value == kind.default:
                continue
            if isinstance(kind, Text) and kind.may_be_path(value):
                valid = ", ".join(kind.names) or "none, so leave it out"
                raise Problem(422, "refused_bot", f"{name} of {bot} would name a file of the server; valid: {valid}")
            if (most := self._most(name)) is not None and value > most:
                raise Problem(422, "above_cap", f"{name}={value} of {bot} is above the cap; valid: up to {most:g}")
            if name == "ponder" and value:
                raise Problem(422, "refused_bot", f"{bot} may not ponder on a server; valid: ponder=false")

    def _most(self, parameter: str) -> float | None:
        caps = self._caps
        found: dict[str, Any] = {
            "simulations": caps.simulations,
            "seconds": caps.seconds,
            "memory_mb": caps.search_mb,
            "threads": 1,
            "batch_size": 64,
            "candidates": 1024,
            "particles": 256,
        }
        return found.get(parameter)


def _identity_of(name: str, given: Mapping[str, str]) -> tuple[str, frozenset[tuple[str, str]]]:
    """Return what is the same for all specs of a bot, also after the file of its net has changed."""
    return name, frozenset((key, without_digest(value)) for key, value in given.items())


def may_solve(game: Game) -> bool:
    """Return False for rules of clients that take long to solve."""
    return not isinstance(game, OwnGame) or game.is_small


@lru_cache(maxsize=256)
def _why_not_exact(game: Game) -> str | None:
    """Return the reason why a server does not solve a game for a bot, or None if it does."""
    if game.has_hidden_information:
        return "a server does not solve games with hidden information; use level or double_oracle"
    try:
        mcts.solve(game, memory_mb=MEMORY_MB, max_states=MOST_STATES)  # an estimate of the size may be far too low
    except UnsupportedGameError as error:
        return f"{clean_line(error, 500)}; or use level"
    return None


@lru_cache(maxsize=256)
def _loaded(name: str, parameters: tuple[tuple[str, str], ...]) -> Game:
    """Return a registered game. By its name alone, no file can be meant."""
    return load_game(name, **dict(parameters))
