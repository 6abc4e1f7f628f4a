"""Bots by name.

The bot called `name` is the class `BOT` in `bots/players/name.py`; no other file lists it. A bot of another package is
named by the path of its class, `package.module.Class(key=value,...)`, in every process that can import the package, or
registered under a short name in this process by `register_bot`.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache
from typing import Any

from cext.arguments import valid_names
from cext.spec import format_spec, parse_spec
from mcts.errors import SpecError
from mcts.primitives.class_path import named_class
from mcts.registry import register

from . import players
from .base import Bot
from .errors import UnknownBotError

_registered: dict[str, type[Bot]] = {}
_PATH = re.compile(r"\s*((?:\.{0,2}|~)[/\\][^\s:(]*)")
"""The path of a program or a file, which is not the name of a bot."""
EXTERNAL_BOTS = frozenset({"ggp", "gtp", "uci", "ugi"})
"""Bots that are programs of others, and need their command or their address."""
_OTHERS = "the path of a class, package.module.Class, or a program that speaks UGI, ugi:command={}"
"""Bots without a name in the list of valid ones."""


def register_bot(kind: type[Bot]) -> None:
    """Register a bot of another package under its `NAME` for `load_bot`.

    The registration holds for this process and its forks. For spawned worker processes, use the path of the class.

    Raises:
        SpecError: `NAME` is not letters, digits and underscores, or is taken.
    """
    register("a bot", _registered, kind.NAME, kind, registered_bots())


def registered_bots() -> list[str]:
    """Return the names that `load_bot` accepts, sorted. This imports no bot."""
    return sorted({*_own_names(), *_registered})


def registered_kind(name: str) -> type[Bot] | None:
    """Return the class that `register_bot` registered under a name, or None."""
    return _registered.get(name)


def load_bot(spec: str, **parameters: Any) -> Bot:
    """Return a new bot, such as `load_bot("mcts(simulations=1000,selection=ucb1)")`.

    Args:
        spec: `name`, `name(key=value,...)` or `name:key=value,...`. The name is one of `registered_bots()` or the path
            of a class. Do not pass untrusted text: a path is imported, and `ugi` runs any program.
        parameters: further parameters, which the spec does not give.

    Returns:
        A new Bot.

    Raises:
        SpecError: the text does not have one of these forms, or a parameter is given twice.
        UnknownBotError: the bot does not exist.
        ParameterError: a parameter is unknown or out of range.

    Example:
        >>> bot = bots.load_bot("greedy")
        >>> state = mcts.load_game("mnk").state_from_text("xx./oo./..._x")
        >>> bot.new_game(state.game, player=0, seed=1)
        >>> state.action_to_string(0, bot.choose(state.view(0)))
        'mark(1,3)'
    """
    if not isinstance(spec, str):
        raise SpecError(f"bot {spec!r} is not a text; valid: a text such as mcts(simulations=1000)")
    name, given = _parsed(spec)
    kind = find_bot(name)
    if "" in given and kind.FIRST_PARAMETER is not None:
        first = given.pop("")
        if kind.FIRST_PARAMETER in given:
            raise SpecError(f"{kind.FIRST_PARAMETER!r} is given twice in {spec!r}")
        given[kind.FIRST_PARAMETER] = first
    for key in parameters:
        if key in given:
            raise SpecError(f"{key!r} is given both in {spec!r} and as an argument")
    return kind(**given, **parameters)


def is_foreign(spec: str) -> bool:
    """Return True if a spec names a bot by the path of its class: its code is not of this package. Raises SpecError."""
    return "." in _parsed(spec)[0]


def _parsed(spec: str) -> tuple[str, dict[str, str]]:
    """Return the name and the parameters of a spec; the error for a path tells what to type."""
    try:
        return parse_spec(spec)
    except SpecError as error:
        path = _PATH.match(spec)
        if path is None:
            raise
        raise SpecError(f"bot {spec!r} is a path; valid: {_OTHERS.format(path[1])}") from error


def canonical_spec(spec: str) -> str:
    """Return the canonical spec of a bot. Code of other packages does not run: their specs are only written again.

    Raises:
        PlayoutError: as `load_bot`.
    """
    return format_spec(*parse_spec(spec)) if is_foreign(spec) else load_bot(spec).spec


def find_bot(name: str) -> type[Bot]:
    """Return the class of a bot.

    Args:
        name: one of `registered_bots()`, or the path of a class, `package.module.Class`, which is imported.

    Raises:
        UnknownBotError: the bot does not exist, or its module cannot be imported.
    """
    if "." in name:
        program = f"; a program: ugi:command=./{name}" if name.endswith(".py") else ""
        return named_class("bot", name, Bot, "bots.Bot", UnknownBotError, program)
    kind = _registered.get(name) or (_own_bot(name) if name in _own_names() else None)
    if kind is None:
        raise UnknownBotError(
            f"unknown bot {name!r}; {valid_names(name, registered_bots())}, {_OTHERS.format('PROGRAM')}"
        )
    return kind


@cache
def _own_names() -> frozenset[str]:
    """Return the names of the modules in `bots/players`, one for each bot. This imports none of them."""
    return frozenset(found.name for found in pkgutil.iter_modules(players.__path__) if not found.ispkg)


@cache
def _own_bot(name: str) -> type[Bot]:
    kind: type[Bot] = importlib.import_module(f"{players.__name__}.{name}").BOT
    return kind
