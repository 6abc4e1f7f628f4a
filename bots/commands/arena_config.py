"""Tournaments in TOML, for `playout arena --config`: a key for every option.

The values of the file replace the defaults of the options; options on the command line take precedence.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args, get_origin, get_type_hints

from cext.arguments import shown, valid_names
from mcts import ParameterError
from mcts.primitives.failures import failures_named

from ..system.checked_json import read_file

ARGUMENTS = {"game": "game", "bots": "bot_specs"}
"""Keys of arguments -> parameters of the command."""
OF_BOTS = {"name": "own_names", "limit": "own_limits"}
"""Keys of the table of one bot -> parameters of the command, which take them with the number of the bot."""
MOST_BYTES = 1 << 20
"""Size of the largest file that is read."""
_JOINED = {"name": "=", "limit": ":"}
_BOT_KEYS = ("spec", *OF_BOTS)
_WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


@dataclass(frozen=True)
class _Key:
    """The parameter that a key of the file sets, and its type."""

    parameter: str
    kind: type
    is_list: bool


def read_config(path: str, command: Callable[..., Any], own_options: tuple[str, ...]) -> dict[str, Any]:
    """Return the values that a file gives to the parameters of a command.

    Args:
        path: path of the file.
        command: a function whose parameters are annotated with options of typer.
        own_options: names of parameters that have no key.

    Returns:
        Name of the parameter -> value.

    Raises:
        ParameterError: the file cannot be read, a key is unknown, or a value has the wrong type. The message names the
            file, the key and the valid ones.
    """
    data = read_toml(path, "a tournament")
    keys = _keys(command, own_options)
    found: dict[str, Any] = {}
    bots = data.pop("bots", None)
    for given, value in data.items():
        name = given.replace("_", "-")
        if name not in keys:
            raise ParameterError(f"{path}: unknown key {given!r}; {valid_names(name, sorted(keys))}")
        key = keys[name]
        if key.parameter in found:
            raise ParameterError(f"{path}: {given!r} is given twice, with a dash and an underscore; valid: once")
        found[key.parameter] = _checked(path, given, value, key)
    if bots is not None:
        _add_bots(found, path, bots)
    return found


def read_toml(path: str, what: str) -> dict[str, Any]:
    """Return the content of a TOML file of `what`. Raises ParameterError."""
    content = read_file(path, MOST_BYTES, f"a TOML file of {what}", ParameterError)
    with failures_named(f"cannot read {what} from {path!r}", ParameterError, ValueError, RecursionError):
        return tomllib.loads(content.decode("utf-8-sig"))


def _keys(command: Callable[..., Any], own_options: tuple[str, ...]) -> dict[str, _Key]:
    """Return the valid keys of a file: the names of options without leading dashes, and ARGUMENTS."""
    named = {parameter: key for key, parameter in ARGUMENTS.items()}
    found = {}
    for parameter, hint in get_type_hints(command, include_extras=True).items():
        if get_origin(hint) is None or parameter in own_options or not hasattr(hint, "__metadata__"):
            continue
        kind, info = get_args(hint)[:2]
        kinds = [kind for kind in get_args(kind) or (kind,) if kind is not type(None)]
        inner = kinds[0] if get_origin(kind) is not list else kind
        is_list = get_origin(inner) in (list, tuple)
        # In an annotation, typer stores the first name as `default`.
        declared = [name for name in (info.default, *(info.param_decls or ())) if str(name).startswith("--")]
        name = named.get(parameter) or (declared or [parameter.replace("_", "-")])[0].removeprefix("--")
        found[name] = _Key(parameter, get_args(inner)[0] if is_list else inner, is_list)
    return found


def _checked(path: str, name: str, value: Any, key: _Key) -> Any:
    """Return a value that has the type of its key; for a list, a single value is accepted. Raises ParameterError."""
    if key.is_list:
        values = value if isinstance(value, list) else [value]
        return [_checked(path, name, one, _Key(key.parameter, key.kind, False)) for one in values]
    accepted = (int, float) if key.kind is float else (key.kind,)
    if not isinstance(value, accepted) or (isinstance(value, bool) and key.kind is not bool):
        raise ParameterError(f"{path}: {name} = {shown(value)} has the wrong type; valid: {_WORDS[key.kind]}")
    return value


def _add_bots(found: dict[str, Any], path: str, bots: Any) -> None:
    """Add the bots of a file: a list of specs, or of tables with `spec` and optionally `name` and `limit`."""
    if not isinstance(bots, list) or not bots:
        raise ParameterError(f"{path}: bots = {shown(bots)}; valid: a list of texts, or tables [[bots]] with spec")
    found[ARGUMENTS["bots"]] = []
    for number, bot in enumerate(bots, 1):
        table = {"spec": bot} if isinstance(bot, str) else bot
        if not isinstance(table, Mapping) or "spec" not in table:
            raise ParameterError(f"{path}: bot {number} is {shown(bot)}; valid: a text, or a table with spec")
        for key, value in table.items():
            if key not in _BOT_KEYS:
                raise ParameterError(f"{path}: bot {number} has an unknown key {key!r}; valid: {', '.join(_BOT_KEYS)}")
            if not isinstance(value, str):
                raise ParameterError(f"{path}: bot {number} has {key} = {shown(value)}; valid: a text")
            if key in OF_BOTS:
                found.setdefault(OF_BOTS[key], []).append(f"{number}{_JOINED[key]}{value}")
        found[ARGUMENTS["bots"]].append(table["spec"])
