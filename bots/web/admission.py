"""Games and bots that clients may name. Their texts come from anywhere, and nothing they name is imported or run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from mcts import (
    Game,
    SpecError,
    UnknownGameError,
    UnsupportedGameError,
    check_solvable,
    game_info,
    load_game,
    parse_spec,
    registered_games,
)
from mcts.parameters import Text, read_parameters

from ..base import Bot
from ..errors import UnknownBotError
from ..players.exact import ExactBot
from ..registry import load_bot, registered_bots
from ..untrusted import clean_line
from .caps import Caps
from .exact_values import MEMORY_MB, MOST_STATES
from .problems import Problem

_LONGEST_SPEC = 500
_FORBIDDEN_BOTS = frozenset({"ugi"})
"""Bots that run programs."""
_SAFE_TEXTS: Mapping[str, frozenset[str]] = {"net": frozenset({"auto", "none", "shipped"})}
"""Values of parameters of texts that name no file."""


class Admission:
    """The games and bots of a server.

    Args:
        caps: limits that the parameters of bots must keep.
        games: specs of further games, which may be paths of classes. They come from whoever starts the server.
    """

    def __init__(self, caps: Caps, games: Iterable[str] = ()) -> None:
        self._caps = caps
        self._further = {game.spec: game for game in map(load_game, games)}

    def game_specs(self) -> list[str]:
        """Return the names of the games, and the specs of those that the server adds."""
        return [*registered_games(), *self._further]

    def game(self, spec: str) -> Game:
        """Return a game. Raises a PlayoutError if it is not one of the server."""
        if spec in self._further:
            return self._further[spec]
        if len(spec) > _LONGEST_SPEC:
            raise SpecError(f"a spec of {len(spec):,} characters; valid: at most {_LONGEST_SPEC}")
        name, given = parse_spec(spec)
        # Other names are paths of classes, which are imported, or of files, which are read.
        if name not in registered_games():
            raise UnknownGameError(f"unknown game {clean_line(name)!r}; valid: {', '.join(self.game_specs())}")
        kinds = game_info(name).parameters
        if texts := [key for key in given if isinstance(kinds.get(key), Text)]:
            raise Problem(422, "refused_game", f"{texts[0]} of {name} could name a file of the server; valid: none")
        return _loaded(spec)

    def bot_kinds(self) -> dict[str, type[Bot]]:
        """Return name -> class of the bots that clients may name."""
        return {name: kind for name, kind in registered_bots().items() if name not in _FORBIDDEN_BOTS}

    def why_unsupported(self, kind: type[Bot], game: Game) -> str | None:
        """Return the reason why bots of a kind do not play a game here, or None if they do."""
        if kind is ExactBot:
            return _why_not_exact(game)
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
            if isinstance(kind, Text) and value not in _SAFE_TEXTS.get(name, ()):
                valid = ", ".join(sorted(_SAFE_TEXTS.get(name, ()))) or "none, so leave it out"
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
            "memory_mb": caps.memory_mb,
            "threads": 1,
            "batch_size": 64,
            "candidates": 1024,
            "particles": 256,
        }
        return found.get(parameter)


@lru_cache(maxsize=256)
def _why_not_exact(game: Game) -> str | None:
    """Return the reason why a server does not solve a game for a bot, or None if it does."""
    if game.has_hidden_information:
        return "a server does not solve games with hidden information; use level or double_oracle"
    try:
        check_solvable(game, memory_mb=MEMORY_MB, max_states=MOST_STATES)
    except UnsupportedGameError as error:
        return f"{clean_line(error, 500)}; or use level"
    return None


@lru_cache(maxsize=256)
def _loaded(spec: str) -> Game:
    return load_game(spec)
