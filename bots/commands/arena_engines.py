"""Engines of `playout arena`: sections of a TOML file, and builds of two revisions of a repository."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cext.arguments import shown, valid_names
from mcts import Game, ParameterError, PlayoutError
from mcts.primitives.failures import failures_named

from ..arena.default_bots import default_bots
from ..arena.tournament.limits import parse_bot_limit
from ..base import Bot
from ..engines.bot import OPTION
from ..engines.options import plain_name
from ..engines.revisions import Tell, find_revision
from ..registry import find_bot, load_bot, registered_bots
from .arena_config import read_toml

EACH = "each"
"""The section with the defaults of all others."""
PROTOCOLS = ("uci", "ugi", "gtp")
_OF_GAMES = {"chess": "uci", "go": "gtp"}
_OWN_KEYS = ("protocol", "options", "limit")
_SPEC = re.compile(rf"\s*({'|'.join(PROTOCOLS)})\s*[(:]")


class Entrant(NamedTuple):
    """A bot of a tournament."""

    spec: str
    name: str = ""
    """For display; empty for none."""
    limit: str = ""
    """As `parse_bot_limit` reads it; empty for none."""


class Comparison(NamedTuple):
    """Two revisions of a repository, and the engine that a command builds in each."""

    repository: str
    revisions: Sequence[str]
    """The first one is the one that should be better."""
    build: str
    """For the shell; empty for none."""
    engine: str
    """A command, or the spec of a bot."""


def entrants(
    game: Game, specs: Sequence[str], engines: str | None, comparison: Comparison | None, tell: Tell
) -> list[Entrant]:
    """Return the bots of a tournament: two revisions if they are compared, then those of the command line.

    Without any, they are all engines of the file, or bots that suit the game.

    Args:
        game: the game.
        specs: of bots, or names of engines in the file.
        engines: path of a file of engines, or None.
        comparison: the revisions to be built, or None.
        tell: called with lines about builds.

    Raises:
        PlayoutError: the file is wrong, or a revision cannot be built.
    """
    named = {} if engines is None else read_engines(engines, game)
    found = [] if comparison is None else _revisions(game, comparison, tell)
    found += [named.get(spec, Entrant(spec)) for spec in specs]
    return found or list(named.values()) or [Entrant(spec) for spec in default_bots(game)]


def read_engines(path: str, game: Game) -> dict[str, Entrant]:
    """Return the engines of a file by the names of their sections.

    Raises:
        ParameterError: the file cannot be read, or a key or a value is not valid. The message names the file, the
            section, the key and the valid ones.
    """
    sections = read_toml(path, "engines")
    for name, section in sections.items():
        if not isinstance(section, Mapping):
            raise ParameterError(f"{path}: {name} = {shown(section)}; valid: sections [NAME] with keys of an engine")
        if not isinstance(options := section.get("options", {}), Mapping):
            raise ParameterError(f"{path}: [{name}] has options = {shown(options)}; valid: a table of options")
    each = sections.pop(EACH, {})
    _read(path, EACH, {"command": "engine", **each}, game)
    if not sections:
        raise ParameterError(f"{path}: no engines; valid: a section [NAME] for each, with command")
    found = {}
    for name, section in sections.items():
        if name in registered_bots():
            raise ParameterError(f"{path}: [{name}] has the name of a bot; valid: any other name")
        options = {**each.get("options", {}), **section.get("options", {})}
        found[name] = _read(path, name, {**each, **section, "options": options}, game)
    return found


def _read(path: str, name: str, section: Mapping[str, Any], game: Game) -> Entrant:
    """Return the engine of one section, with the defaults. Raises ParameterError."""
    protocol = section.get("protocol", _protocol_of(game))
    if protocol not in PROTOCOLS:
        raise ParameterError(
            f"{path}: [{name}] has protocol = {shown(protocol)}; {valid_names(str(protocol), PROTOCOLS)}"
        )
    keys = [*_OWN_KEYS, *find_bot(protocol).PARAMETERS]
    for key in section:
        if key not in keys:
            raise ParameterError(f"{path}: [{name}] has an unknown key {shown(key)}; {valid_names(key, keys)}")
    options, limit = section.get("options", {}), section.get("limit", "")
    if not isinstance(limit, str):
        raise ParameterError(f"{path}: [{name}] has limit = {shown(limit)}; valid: a text such as 'clock=10+0.1'")
    for key, value in options.items():
        if not isinstance(value, (str, int, float)):
            raise ParameterError(
                f"{path}: [{name}] has options.{key} = {shown(value)}; valid: a text, a number, true or false"
            )
    parameters = {key: value for key, value in section.items() if key not in _OWN_KEYS}
    with failures_named(f"{path}: [{name}]", ParameterError, PlayoutError):
        parse_bot_limit(limit)
        bot = load_bot(protocol, **parameters, **{OPTION + plain_name(key): value for key, value in options.items()})
    return Entrant(bot.spec, name, limit)


def _revisions(game: Game, comparison: Comparison, tell: Tell) -> list[Entrant]:
    """Build the revisions, and return their engines. Raises PlayoutError."""
    bot = _engine(game, comparison.engine)
    revisions = [find_revision(comparison.repository, text) for text in comparison.revisions]
    first, second = revisions
    if first.commit == second.commit:
        raise ParameterError(f"{first.text} and {second.text} are the same commit {first.commit}; valid: two commits")
    found = []
    for revision in revisions:
        folder = revision.built(comparison.build, tell) / (bot.parameters["folder"] or "")
        found.append(Entrant(bot.changed({"folder": str(folder)}).spec, revision.label))
    return found


def _engine(game: Game, engine: str) -> Bot:
    """Return the bot of an engine, given as a spec or as its command. Raises PlayoutError."""
    return load_bot(engine) if _SPEC.match(engine) else load_bot(_protocol_of(game), command=engine)


def _protocol_of(game: Game) -> str:
    """Return the protocol of engines that do not name theirs."""
    return _OF_GAMES.get(game.name, "ugi")
