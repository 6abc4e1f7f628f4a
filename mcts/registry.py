"""Games and searchers by name: found by scanning their folders, and by registration for those of other packages."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import cext.games
from cext.facts import GameFacts
from cext.game import Game

from .errors import SpecError, UnknownGameError
from .spec import parse_spec

_registered: dict[str, tuple[GameFacts, Callable[..., Game]]] = {}


def modules_of(package: ModuleType) -> list[ModuleType]:
    """Every module directly inside a package, by ascending name; names that begin with `_` are private."""
    names = {found.name for found in pkgutil.iter_modules(package.__path__) if not found.name.startswith("_")}
    return [importlib.import_module(f"{package.__name__}.{name}") for name in sorted(names)]


@cache
def _built_in() -> dict[str, tuple[GameFacts, Callable[..., Game]]]:
    return {
        module.FACTS.name: (module.FACTS, module.GAME)
        for module in modules_of(cext.games)
        if hasattr(module, "FACTS") and hasattr(module, "GAME")
    }


def _games() -> dict[str, tuple[GameFacts, Callable[..., Game]]]:
    return {**_built_in(), **_registered}


def register_game(facts: GameFacts, game: Callable[..., Game]) -> None:
    """Make a game of another package known to `load_game`.

    Args:
        facts: what is known of the game; `facts.name` must be new.
        game: called with the parameters as keywords, returns the Game.

    Raises:
        SpecError: the name is taken.
    """
    if facts.name in _games():
        raise SpecError(f"a game {facts.name!r} is already registered")
    _registered[facts.name] = (facts, game)


def registered_games() -> list[str]:
    """The names that `load_game` knows, sorted."""
    return sorted(_games())


def game_facts(name: str) -> GameFacts:
    """What is known of a game before it is loaded: players, parameters, utilities. Raises UnknownGameError."""
    try:
        return _games()[name][0]
    except KeyError:
        raise UnknownGameError(f"no game {name!r}; valid: {', '.join(registered_games())}") from None


def load_game(spec: str, **parameters: Any) -> Game:
    """The game that a text names, as in `load_game("mnk(m=5,n=5,k=4)")` or `load_game("mnk", m=5, n=5, k=4)`.

    Args:
        spec: name, with parameters in parentheses if any.
        parameters: more parameters; one given here and in the text is an error.

    Returns:
        A Game.

    Raises:
        SpecError: the text does not read name(key=value,...).
        UnknownGameError: no such game.
        ParameterError: a parameter is unknown or out of range.
    """
    name, found = parse_spec(spec)
    for key in parameters:
        if key in found:
            raise SpecError(f"{key!r} is given both in {spec!r} and as an argument")
    game_facts(name)
    return _games()[name][1](**found, **parameters)
