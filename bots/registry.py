"""Bots by name.

The bot called `name` is in `bots/players/name.py`, whose `BOT` is its class; no other file names it. A bot of
another package is named by the path of its class, `package.module.Class(key=value,...)`, which every process that can
import the package understands, or is made known under a short name to this process by `register_bot`.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from mcts import SpecError, parse_spec
from mcts.class_path import class_at

from . import players
from .base import Bot
from .errors import UnknownBotError

_registered: dict[str, type[Bot]] = {}


def register_bot(kind: type[Bot]) -> None:
    """Make a bot of another package known to `load_bot` under its `NAME`.

    Worker processes know it too where they fork, not where they are spawned: there, name it by the path of its class.

    Raises:
        SpecError: it has no name, or the name is taken.
    """
    if not kind.NAME:
        raise SpecError(f"{kind.__qualname__} has no NAME to register it under")
    if kind.NAME in bot_names():
        raise SpecError(f"a bot {kind.NAME!r} is already registered")
    _registered[kind.NAME] = kind


def bot_names() -> list[str]:
    """Names of the bots that `load_bot` knows, sorted. No bot is imported."""
    return sorted({*_own_names(), *_registered})


def registered_bots() -> dict[str, type[Bot]]:
    """Name -> class of every bot that `load_bot` knows by name, by ascending name."""
    found = {name: _own_bot(name) for name in _own_names()}
    return dict(sorted({**found, **_registered}.items()))


def registered_kind(name: str) -> type[Bot] | None:
    """Return the class that `register_bot` has made known under a name, None where there is none."""
    return _registered.get(name)


def load_bot(spec: str) -> Bot:
    """The bot that a text names, as in `load_bot("mcts(simulations=1000,selection=ucb1)")`.

    Args:
        spec: `name`, `name(key=value,...)` or `name:key=value,...`; the name is one of `registered_bots()`, or the path
            of a class, which is imported: never pass on text of strangers without a look at its name. The bot `ugi`
            runs any program.

    Returns:
        A new Bot.

    Raises:
        SpecError: the text reads otherwise.
        UnknownBotError: no such bot.
        ParameterError: a parameter is unknown or out of range.
    """
    if not isinstance(spec, str):
        raise SpecError(f"a bot is named by a text like mcts(simulations=1000), not {spec!r}")
    name, parameters = parse_spec(spec)
    if "." in name:
        return _imported(name)(**parameters)
    kind = _registered.get(name) or (_own_bot(name) if name in _own_names() else None)
    if kind is None:
        raise UnknownBotError(
            f"no bot {name!r}; valid: {', '.join(bot_names())}, or the path of a class, package.module.Class"
        )
    return kind(**parameters)


@cache
def _own_names() -> frozenset[str]:
    """Names of the modules in `bots/players`, one bot each. None of them is imported."""
    return frozenset(found.name for found in pkgutil.iter_modules(players.__path__))


@cache
def _own_bot(name: str) -> type[Bot]:
    kind: type[Bot] = importlib.import_module(f"{players.__name__}.{name}").BOT
    return kind


def _imported(path: str) -> type[Bot]:
    try:
        return class_at(path, Bot, "bots.Bot")
    except (LookupError, ImportError) as error:
        raise UnknownBotError(f"no bot {path!r}: {error}") from error.__cause__
