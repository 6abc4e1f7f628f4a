"""Games and searchers by name: found by scanning their folders; games of other packages by their entry points, by the
path of their class, or by registration."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

import cext.games
from cext.arguments import shown
from cext.game import Game
from cext.game_info import GameInfo
from cext.parameters import read_parameters

from . import searchers
from .class_path import class_at, own_path
from .errors import GameLoadError, ParameterError, PlayoutError, SpecError, UnknownGameError, UnknownSearcherError
from .searchers.base import Searcher
from .spec import parse_spec

ENTRY_POINTS = "playout.games"
"""The group of entry points by which a package offers games: name of the game = module that defines INFO and GAME."""

_Entry = tuple[GameInfo, Callable[..., Game]]
_registered: dict[str, _Entry] = {}


def modules_of(package: ModuleType) -> list[ModuleType]:
    """Every module directly inside a package, by ascending name; names that begin with `_` are private."""
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
    """Name -> the entry points of installed packages under it; nothing of them is imported yet."""
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
    """Facts and maker of a game. Raises UnknownGameError, GameLoadError."""
    if name in _offered():
        return _load_offered(name)
    found = _built_in().get(name) or _registered.get(name)
    if found is None:
        raise UnknownGameError(
            f"no game {name!r}; valid: {', '.join(registered_games())}, or the path of a class, package.module.Class"
        )
    return found


def _by_path(path: str) -> Callable[..., Game]:
    """Maker of the game whose class has a path. Raises UnknownGameError, GameLoadError."""
    try:
        kind = class_at(path, Game, "mcts.PythonGame")
    except LookupError as error:
        raise UnknownGameError(f"no game {path!r}: {error}") from error.__cause__
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
    """Raise ParameterError where the constructor of a class takes no parameters of these names."""
    try:
        signature = inspect.signature(kind)
        signature.bind(**parameters)
    except ValueError:
        return  # a compiled class does not always tell
    except TypeError as error:
        raise ParameterError(f"{path} cannot be made with these parameters: {error}; it takes {signature}") from None


def register_game(info: GameInfo, game: Callable[..., Game]) -> None:
    """Make a game known to `load_game` in this process.

    A package that is installed had better declare an entry point of the group `playout.games`, which every process
    finds, those of the arena among them.

    Args:
        info: what is known of the game; `info.name` must be new.
        game: called with the parameters as keywords, returns the Game.

    Raises:
        SpecError: the name is taken.
    """
    if "." in info.name or not info.name.isidentifier():
        raise SpecError(f"a game cannot be registered as {info.name!r}; valid: letters, digits and underscores")
    if info.name in registered_games():
        raise SpecError(f"a game {info.name!r} is already registered")
    _registered[info.name] = (info, game)


def registered_games() -> list[str]:
    """The names that `load_game` knows, sorted. Names alone: games of other packages are imported when first used."""
    return sorted({*_built_in(), *_registered, *_offered()})


def game_info(name: str) -> GameInfo:
    """What is known of a game before it is loaded: players, parameters, utilities.

    Args:
        name: as in `registered_games`, or the path of a class, of which one is made with its default parameters.

    Raises:
        UnknownGameError: no such game.
        GameLoadError: the module or package that has it cannot be imported, or the game cannot be made.
    """
    return _by_path(name)().info if "." in name else _find(name)[0]


def load_game(spec: str, **parameters: Any) -> Game:
    """The game that a text names, as in `load_game("mnk(m=5,n=5,k=4)")` or `load_game("mnk", m=5, n=5, k=4)`.

    Args:
        spec: name, with parameters in parentheses if any. The name is one of `registered_games()`, or the path of a
            class derived from `mcts.PythonGame`, as in `package.module.Class(key=value)`, which is imported: never pass
            on text of strangers without a look at its name.
        parameters: more parameters; one given here and in the text is an error.

    Returns:
        A Game; its `spec` is the canonical text, which loads the same game again.

    Raises:
        SpecError: the text does not read name(key=value,...).
        UnknownGameError: no such game.
        GameLoadError: the module or package that has it cannot be imported, or the game cannot be made.
        ParameterError: a parameter is unknown or out of range.
    """
    name, found = parse_spec(spec)
    for key in parameters:
        if key in found:
            raise SpecError(f"{key!r} is given both in {spec!r} and as an argument")
    make = _by_path(name) if "." in name else _find(name)[1]
    return make(**found, **parameters)


_registered_searchers: dict[str, type[Searcher]] = {}


@cache
def _built_in_searchers() -> dict[str, type[Searcher]]:
    found = (getattr(module, "SEARCHER", None) for module in modules_of(searchers))
    return {kind.NAME: kind for kind in found if kind is not None}


def register_searcher(kind: type[Searcher]) -> None:
    """Make a searcher of another package known to `load_searcher` under its `NAME`, in this process.

    Raises:
        SpecError: it has no name, or the name is taken.
        TypeError: it is not a class derived from `mcts.Searcher`.
    """
    if not (isinstance(kind, type) and issubclass(kind, Searcher)):
        raise TypeError(f"{shown(kind)} is not a searcher; valid: a class derived from mcts.Searcher")
    if "." in kind.NAME or not kind.NAME.isidentifier():
        raise SpecError(f"a searcher cannot be registered as {kind.NAME!r}; valid: letters, digits and underscores")
    if kind.NAME in registered_searchers():
        raise SpecError(f"a searcher {kind.NAME!r} is already registered")
    _registered_searchers[kind.NAME] = kind


def registered_searchers() -> list[str]:
    """Return the names that `load_searcher` knows, sorted."""
    return sorted({*_built_in_searchers(), *_registered_searchers})


def find_searcher(name: str) -> type[Searcher]:
    """Return the class of a searcher.

    Args:
        name: one of `registered_searchers()`, or the path of a class, `package.module.Class`, which is imported.

    Raises:
        UnknownSearcherError: no such searcher, or its module cannot be imported.
    """
    if "." in name:
        try:
            return class_at(name, Searcher, "mcts.Searcher")
        except (LookupError, ImportError) as error:
            raise UnknownSearcherError(f"no searcher {name!r}: {error}") from error.__cause__
    kind = _built_in_searchers().get(name) or _registered_searchers.get(name)
    if kind is None:
        valid = ", ".join(registered_searchers())
        raise UnknownSearcherError(
            f"no searcher {name!r}; valid: {valid}, or the path of a class, package.module.Class"
        )
    return kind


def load_searcher(spec: str, game: Game, *, seed: int = 0) -> Any:
    """Return the searcher that a text names, as in `load_searcher("mcts(selection=grave,threads=2)", game)`.

    Args:
        spec: name, with parameters in parentheses if any. The name is one of `registered_searchers()`, or the path of a
            class derived from `mcts.Searcher`, as in `package.module.Class(key=value)`, which is imported: check the
            name before you pass on a text of somebody else.
        game: the game to search.
        seed: root of the random streams of the searcher.

    Returns:
        A new searcher, such as MCTS.

    Raises:
        SpecError: the text does not read name(key=value,...).
        UnknownSearcherError: no such searcher, or its module cannot be imported.
        ParameterError: a parameter is unknown or out of range.
        UnsupportedGameError: the searcher cannot search this game.
    """
    name, given = parse_spec(spec)
    kind = find_searcher(name)
    return kind(game, **read_parameters(name, kind.PARAMETERS, given), seed=seed)
