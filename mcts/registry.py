"""Games and searchers by name.

Built-in ones are found by scanning their folders, those of other packages by entry points (games), by the path of
their class, or by registration.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

import cext.games
from cext.arguments import shown
from cext.game import Game
from cext.game_info import GameInfo
from cext.parameters import read_parameters

from . import searchers
from .class_path import class_at, own_path
from .errors import GameLoadError, ParameterError, PlayoutError, SpecError, UnknownGameError, UnknownSearcherError
from .searchers.base import Searcher
from .spec import format_spec, parse_spec

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "playout.games"
"""The group of entry points by which a package offers games: name of the game = module that defines INFO and GAME."""

RULESHEET_NAME, RULESHEET_SUFFIX = "gdl", ".kif"
"""The game that a file defines, and how the names of such files end."""

_Entry = tuple[GameInfo, Callable[..., Game]]
_registered: dict[str, _Entry] = {}


def modules_of(package: ModuleType) -> list[ModuleType]:
    """Return the modules directly inside a package, by ascending name, without names that begin with `_`."""
    names = {found.name for found in pkgutil.iter_modules(package.__path__) if not found.name.startswith("_")}
    return [importlib.import_module(f"{package.__name__}.{name}") for name in sorted(names)]


@cache
def _built_in() -> dict[str, _Entry]:
    return {
        module.INFO.name: (module.INFO, module.GAME)
        for module in modules_of(cext.games)
        if hasattr(module, "INFO") and hasattr(module, "GAME")
    }


@cache
def _offered() -> dict[str, list[EntryPoint]]:
    """Return name -> the entry points of installed packages under it. This imports none of them."""
    from importlib.metadata import entry_points  # with all that it imports, slower than the games themselves

    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=ENTRY_POINTS):
        found.setdefault(point.name, []).append(point)
    return found


@cache
def _load_offered(name: str) -> _Entry:
    """Import the game that a package offers under a name. Raises GameLoadError."""
    points = _offered()[name]
    origins = ", ".join(f"{point.value} of {point.dist.name if point.dist else 'unknown'}" for point in points)
    if name in _built_in():
        raise GameLoadError(
            f"{origins} offers a game under the name {name!r} of a built-in one; uninstall that package"
        )
    if len(points) > 1:
        raise GameLoadError(f"several packages offer a game {name!r}: {origins}; uninstall all but one")
    try:
        module = points[0].load()
        info, game = module.INFO, module.GAME
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise GameLoadError(f"the game {name!r}, {origins}, cannot be loaded: {reason}") from error
    if info.name != name:
        raise GameLoadError(f"the game {name!r}, {origins}, calls itself {info.name!r}; both must be the same")
    return info, game


def _find(name: str) -> _Entry:
    """Return the description and the constructor of a game. Raises UnknownGameError, GameLoadError."""
    if name in _offered():
        return _load_offered(name)
    found = _built_in().get(name) or _registered.get(name)
    if found is None:
        raise UnknownGameError(
            f"unknown game {name!r}; valid: {', '.join(registered_games())}, "
            "or the path of a class, package.module.Class, or gdl(file=NAME.kif)"
        )
    return found


def _rulesheet(**parameters: Any) -> Game:
    """Load the game of a rulesheet. The compiler of rulesheets is imported when the first is loaded."""
    from .gdl.game import RulesheetGame

    return RulesheetGame(**parameters)


def names_a_path(spec: str) -> bool:
    """Return True if a spec names a class or a file by its path. To load it may run code, or read any file."""
    name = parse_spec(spec)[0]
    return "." in name or name == RULESHEET_NAME


def _by_path(path: str) -> Callable[..., Game]:
    """Return a constructor of the game whose class has a path. Raises UnknownGameError, GameLoadError."""
    try:
        kind = class_at(path, Game, "mcts.PythonGame")
    except LookupError as error:
        raise UnknownGameError(f"unknown game {path!r}: {error}") from error.__cause__
    except ImportError as error:
        raise GameLoadError(f"the game {path!r} cannot be loaded: {error}") from error.__cause__

    def make(**parameters: Any) -> Game:
        try:
            game = kind(**parameters)
        except PlayoutError:
            raise
        except Exception as error:
            _check_taken(path, kind, parameters)
            raise GameLoadError(f"the game {path!r} cannot be loaded: {type(error).__name__}: {error}") from error
        game.name_by(own_path(kind, path))
        return game

    return make


def _check_taken(path: str, kind: type[Game], parameters: dict[str, Any]) -> None:
    """Raise ParameterError if the constructor of a class does not accept these parameters."""
    try:
        signature = inspect.signature(kind)
        signature.bind(**parameters)
    except ValueError:
        return  # a compiled class may have no signature
    except TypeError as error:
        raise ParameterError(f"{path} cannot be made with these parameters: {error}; it takes {signature}") from None


def register_game(info: GameInfo, game: Callable[..., Game]) -> None:
    """Register a game under its name for `load_game`, in this process.

    An installed package should declare an entry point of the group `playout.games` instead: all processes find it,
    including those of the arena.

    Args:
        info: description of the game. `info.name` must be new.
        game: called with the parameters as keywords; returns the Game.

    Raises:
        SpecError: the name is taken.
    """
    if "." in info.name or not info.name.isidentifier():
        raise SpecError(f"a game cannot be registered as {info.name!r}; valid: letters, digits and underscores")
    if info.name in registered_games():
        raise SpecError(f"a game {info.name!r} is already registered")
    if _registered.setdefault(info.name, entry := (info, game)) is not entry:  # another thread was quicker
        raise SpecError(f"a game {info.name!r} is already registered")


def registered_games() -> list[str]:
    """Return the names that `load_game` accepts, sorted. This imports no game of another package.

    Example:
        >>> mcts.registered_games()[:3]
        ['bidding_3d_ttt', 'bidding_ttt', 'mnk']
    """
    return sorted({*_built_in(), *_registered, *_offered()})


def game_info(name: str) -> GameInfo:
    """Return the description of a game without loading it: players, parameters, utilities.

    Args:
        name: a name as in `registered_games`; or the path of a class, which is imported and called with its default
            parameters.

    Raises:
        UnknownGameError: the game does not exist.
        GameLoadError: the module or package of the game cannot be imported, or the class cannot be called.

    Example:
        >>> mcts.game_info("three_player_ttt").players
        ('xplayer', 'oplayer', 'zplayer')
    """
    return _by_path(name)().info if "." in name else _find(name)[0]


def load_game(spec: str, **parameters: Any) -> Game:
    """Load a game, as in `load_game("mnk(m=5,n=5,k=4)")` or `load_game("mnk", m=5, n=5, k=4)`.

    Args:
        spec: `name` or `name(key=value,...)`. The name is one of `registered_games()`, or the path of a class derived
            from `mcts.PythonGame`, as in `package.module.Class`. Do not pass untrusted text: a path is imported.
            `gdl(file=NAME.kif)`, or the path `NAME.kif` alone, loads a rulesheet.
        parameters: further parameters. A parameter must not be both here and in `spec`.

    Returns:
        A Game. Its `spec` is the canonical text, which loads the same game again.

    Raises:
        SpecError: the text does not have one of these forms, or a parameter is given twice.
        UnknownGameError: the game does not exist.
        GameLoadError: the module or package of the game cannot be imported, or the class cannot be called.
        ParameterError: a parameter is unknown or out of range.

    Example:
        >>> game = mcts.load_game("mnk(m=5,n=5,k=4)")
        >>> game.players, game.num_actions
        (('x', 'o'), 25)
    """
    if isinstance(spec, str) and spec.strip().endswith(RULESHEET_SUFFIX):
        spec = format_spec(RULESHEET_NAME, {"file": spec.strip()})
    name, found = parse_spec(spec)
    if "" in found:
        raise SpecError(f"{found['']!r} in {spec!r} does not read key=value")
    for key in parameters:
        if key in found:
            raise SpecError(f"{key!r} is given both in {spec!r} and as an argument")
    make = _rulesheet if name == RULESHEET_NAME else _by_path(name) if "." in name else _find(name)[1]
    return make(**found, **parameters)


_registered_searchers: dict[str, type[Searcher]] = {}


@cache
def _built_in_searchers() -> dict[str, type[Searcher]]:
    found = (getattr(module, "SEARCHER", None) for module in modules_of(searchers))
    return {kind.NAME: kind for kind in found if kind is not None}


def register_searcher(kind: type[Searcher]) -> None:
    """Register a searcher under its `NAME` for `load_searcher`, in this process.

    Args:
        kind: a class derived from `mcts.Searcher`.

    Raises:
        SpecError: `NAME` is not letters, digits and underscores, or is taken.
        TypeError: `kind` is not a class derived from `mcts.Searcher`.
    """
    if not (isinstance(kind, type) and issubclass(kind, Searcher)):
        raise TypeError(f"{shown(kind)} is not a searcher; valid: a class derived from mcts.Searcher")
    if "." in kind.NAME or not kind.NAME.isidentifier():
        raise SpecError(f"a searcher cannot be registered as {kind.NAME!r}; valid: letters, digits and underscores")
    if kind.NAME in registered_searchers():
        raise SpecError(f"a searcher {kind.NAME!r} is already registered")
    if _registered_searchers.setdefault(kind.NAME, kind) is not kind:  # another thread was quicker
        raise SpecError(f"a searcher {kind.NAME!r} is already registered")


def registered_searchers() -> list[str]:
    """Return the names that `load_searcher` accepts, sorted."""
    return sorted({*_built_in_searchers(), *_registered_searchers})


def find_searcher(name: str) -> type[Searcher]:
    """Return the class of a searcher.

    Args:
        name: one of `registered_searchers()`, or the path of a class, `package.module.Class`, which is imported.

    Raises:
        UnknownSearcherError: the searcher does not exist, or its module cannot be imported.
    """
    if "." in name:
        try:
            return class_at(name, Searcher, "mcts.Searcher")
        except (LookupError, ImportError) as error:
            raise UnknownSearcherError(f"unknown searcher {name!r}: {error}") from error.__cause__
    kind = _built_in_searchers().get(name) or _registered_searchers.get(name)
    if kind is None:
        valid = ", ".join(registered_searchers())
        raise UnknownSearcherError(
            f"unknown searcher {name!r}; valid: {valid}, or the path of a class, package.module.Class"
        )
    return kind


def load_searcher(spec: str, game: Game, *, seed: int = 0) -> Any:
    """Make a searcher, as in `load_searcher("mcts(selection=grave,threads=2)", game)`.

    Args:
        spec: `name` or `name(key=value,...)`. The name is one of `registered_searchers()`, or the path of a class
            derived from `mcts.Searcher`, as in `package.module.Class`. Do not pass untrusted text: a path is imported.
        game: the game to search.
        seed: root of the random streams of the searcher.

    Returns:
        A new searcher, such as MCTS.

    Raises:
        SpecError: the text does not have one of these forms.
        UnknownSearcherError: the searcher does not exist, or its module cannot be imported.
        ParameterError: a parameter is unknown or out of range.
        UnsupportedGameError: the searcher cannot search this game.

    Example:
        >>> game = mcts.load_game("mnk")
        >>> searcher = mcts.load_searcher("mcts(selection=grave)", game, seed=1)
        >>> searcher.run(game.new_initial_state(), simulations=500).simulations
        500
    """
    name, given = parse_spec(spec)
    kind = find_searcher(name)
    return kind(game, **read_parameters(name, kind.PARAMETERS, given), seed=seed)
