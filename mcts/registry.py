"""Games and searchers by name.

Built-in ones are found by scanning their folders, those of other packages by entry points (games), by the path of
their class, or by registration.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

import cext.games
from cext.arguments import shown, spelled_like, valid_names
from cext.game.game import Game
from cext.game_info import GameInfo
from cext.parameters import read_parameters
from cext.spec import parse_spec

from . import searchers
from .errors import GameLoadError, ParameterError, PlayoutError, SpecError, UnknownGameError, UnknownSearcherError
from .gdl.rulesheets import (
    SUFFIX,
    file_name,
    library_games,
    library_info,
    library_text,
    read_file,
    remember,
    remembered,
)
from .options import MEMORY_MB
from .primitives.class_path import class_at, named_class, own_path
from .searchers.base import Searcher
from .searchers.mcts import MCTS

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "playout.games"
"""The group of entry points by which a package offers games: name of the game = module that defines INFO and GAME."""

_FILE = re.compile(r"(.*\.kif)\s*(\(.*\)|:.*|)", re.DOTALL)
"""A rulesheet in a file, and its parameters."""

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
    found = _built_in().get(name) or _registered.get(name) or _in_library(name)
    if found is None:
        raise UnknownGameError(
            f"unknown game {name!r}; {near_names(name, registered_games())}, the path of a class, "
            "package.module.Class, or of a rulesheet, NAME.kif"
        )
    return found


def near_names(name: str, names: Iterable[str]) -> str:
    """Return a part of a message about an unknown game: the names that are spelled like it, and where all are."""
    return f"valid: {', '.join([*spelled_like(name, names), 'a name in the list of `playout games`'])}"


def _in_library(name: str) -> _Entry | None:
    """Return the description and the constructor of a rulesheet of the package."""
    if name not in library_games():
        return None

    def make(**parameters: Any) -> Game:
        from .gdl.secret_game import rulesheet_game  # with the compiler of rulesheets

        return rulesheet_game(library_text(name), name, **parameters)

    return library_info(name), make


def _by_file(path: str) -> Callable[..., Game]:
    """Return a constructor of the game of a rulesheet, from its file, or from its SHA-256 if that is given."""

    def make(**parameters: Any) -> Game:
        from .gdl.secret_game import rulesheet_game

        name, digits = file_name(path), parameters.get("sha256")
        if digits is not None:
            return rulesheet_game(remembered(name, str(digits)), name, **parameters)
        game = rulesheet_game(read_file(path), name, **parameters)
        remember(game)
        return game

    return make


def _name_and_parameters(spec: str) -> tuple[str, dict[str, str]]:
    """Return the name and the parameters of a game. The name of a rulesheet in a file is its path, any text."""
    found = _FILE.fullmatch(spec.strip()) if isinstance(spec, str) else None
    if found is None:
        return parse_spec(spec)
    return found[1], parse_spec(f"rulesheet{found[2]}")[1]


def names_a_path(spec: str) -> bool:
    """Return True if `load_game` takes a spec for the path of a class or a file: it may run code, or read any file."""
    name, given = _name_and_parameters(spec)
    return "." in name and not (name.endswith(SUFFIX) and "sha256" in given)


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
        info: description of the game. `info.name` must be new, or that of a rulesheet of this package.
        game: called with the parameters as keywords; returns the Game.

    Raises:
        SpecError: the name is taken.
    """
    register("a game", _registered, info.name, (info, game), native_games())


def register(
    what: str,
    known: dict[str, Any],
    name: str,
    entry: Any,
    taken: Iterable[str],
    error: type[PlayoutError] = SpecError,
) -> None:
    """Add something to what is known by name. Raises the error for a name that is taken, or is none."""
    if not name.isidentifier():
        raise error(f"{what} cannot be registered as {name!r}; valid: letters, digits and underscores")
    if name in taken or known.setdefault(name, entry) is not entry:  # another thread may be quicker
        raise error(f"{what} {name!r} is already registered; valid: another name")


def registered_games() -> list[str]:
    """Return the names that `load_game` accepts, sorted: games of this package, its rulesheets and games of others.

    This imports no game of another package, and compiles no rulesheet.

    Example:
        >>> {"mnk", "othello"} <= set(mcts.registered_games())
        True
    """
    return sorted({*native_games(), *library_games()})


def native_games() -> list[str]:
    """Return the names of the games that are not rulesheets of this package, sorted."""
    return sorted({*_built_in(), *_registered, *_offered()})


def game_info(name: str) -> GameInfo:
    """Return the description of a game without loading it: players, parameters, utilities.

    Args:
        name: a name as in `registered_games`; or the path of a class, which is imported and called with its default
            parameters; or the path of a rulesheet, which is compiled.

    Raises:
        UnknownGameError: the game does not exist.
        GameLoadError: the module or package of the game cannot be imported, or the class cannot be called.

    Example:
        >>> mcts.game_info("three_player_ttt").players
        ('xplayer', 'oplayer', 'zplayer')
    """
    return _constructor(name)().info if "." in name else _find(name)[0]


def load_game(spec: str, **parameters: Any) -> Game:
    """Load a game, as in `load_game("mnk(m=5,n=5,k=4)")` or `load_game("mnk", m=5, n=5, k=4)`.

    Args:
        spec: `name` or `name(key=value,...)`. The name is one of `registered_games()`, or the path of a class derived
            from `mcts.PythonGame`, as in `package.module.Class`, or of a rulesheet, as in `folder/name.kif`. Do not
            pass untrusted text: a class is imported, and a file is read.
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
    name, found = _name_and_parameters(spec)
    make = _constructor(name)
    if "" in found:
        raise SpecError(f"{found['']!r} in {spec!r} is not of the form key=value")
    for key in parameters:
        if key in found:
            raise SpecError(f"{key!r} is given both in {spec!r} and as an argument")
    return make(**found, **parameters)


def _constructor(name: str) -> Callable[..., Game]:
    if name.endswith(SUFFIX):
        return _by_file(name)
    return _by_path(name) if "." in name else _find(name)[1]


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
    register("a searcher", _registered_searchers, kind.NAME, kind, registered_searchers())


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
        return named_class("searcher", name, Searcher, "mcts.Searcher", UnknownSearcherError)
    kind = _built_in_searchers().get(name) or _registered_searchers.get(name)
    if kind is None:
        raise UnknownSearcherError(
            f"unknown searcher {name!r}; {valid_names(name, registered_searchers())}, "
            "or the path of a class, package.module.Class"
        )
    return kind


def searcher_class(game: Game, memory_mb: int = MEMORY_MB) -> type[Searcher]:
    """Return the class of the strongest search of a game within a limit of memory.

    Where actions can be listed, it is `MCTS` if nothing is hidden. With hidden information, it is `CFR` for two players
    with opposite interests in games with up to a million histories that fit, and else `ISMCTS`. Where actions are too
    many to list, it is `DoubleOracle`, which serves rounds of sealed bids.
    """
    if game.is_enumerable and game.has_hidden_information:
        from .searchers.cfr import CFR, has_few_histories  # which other games do not need
        from .searchers.ismcts import ISMCTS

        is_small = CFR.why_unsupported(game) is None and has_few_histories(game, memory_mb)
        return CFR if is_small else ISMCTS
    if game.is_enumerable:
        return MCTS
    from .searchers.double_oracle import DoubleOracle  # imports the game that has sealed bids

    return DoubleOracle


def searcher_for(game: Game, *, seed: int = 0, **options: Any) -> Any:
    """Return the strongest search of a game.

    Args:
        game: the game to search.
        seed: root of the random streams of the searcher.
        options: of its class, see `searcher_class`.

    Returns:
        A new searcher. It searches views; `MCTS` searches states, too.

    Raises:
        ParameterError: an option is unknown, out of range, or does not go with another.
        UnsupportedGameError: no searcher can search this game.

    Example:
        >>> mcts.searcher_for(mcts.load_game("bidding_3d_ttt"))
        <mcts.searchers.double_oracle.DoubleOracle object at ...>
    """
    return searcher_class(game)(game, seed=seed, **options)


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
