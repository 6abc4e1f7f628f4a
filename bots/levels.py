"""Levels of strength: settings of the bot `fallible`, in ten steps from nearly random play to the strongest bot.

A setting is a point on a curve from strength 0 to 1: with more strength, errors become rarer and smaller, then the
search becomes longer. `playout calibrate` measures ratings along the curve and chooses ten points at even distances.
The results are tables; those that come with the package are in `levels.json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from mcts import DoubleOracle, Game, ParameterError, PythonGame, format_spec, load_game
from mcts.parameters import Choice, Flag, Integer, Parameter, Real, read_parameters
from mcts.random_steps import is_in_turns

FILE = "levels.json"
FORMAT = "playout-levels"
VERSION = 1
NUM_LEVELS = 10
TOP_SIMULATIONS = 1_000_000
"""Simulations of a decision at strength 1: about one second."""
PYTHON_SIMULATIONS = 20_000
"""The same for games written in Python without a table, whose rules take most of the time."""
PROVING_SIMULATIONS = 2000
"""Simulations from which points of the curve have proofs. In small games, proofs with fewer are nearly perfect play."""
MOST_BYTES = 1 << 20
"""Size of the largest file that is read."""

SEARCHES = ("mcts", "sampled_mcts", "double_oracle")
"""The bots that search for a setting."""
SETTING: dict[str, Parameter] = {
    "search": Choice(None, SEARCHES),
    "simulations": Integer(1000, 1, 2**31 - 1),
    "error_rate": Real(0.1, 0.0, 1.0),
    "temperature": Real(0.1, 0.001, 100.0),
    "proofs": Flag(True),
}
"""The parameters of a setting."""


@dataclass(frozen=True)
class Setting:
    """A strength of play: a search, and how often and how far its bot errs."""

    search: str | None
    """One of `SEARCHES`; None: the one for the game, see `search_for`."""
    simulations: int
    """Limit of a decision."""
    error_rate: float
    """Probability that a decision is drawn from plausible actions instead of taken from the search."""
    temperature: float
    """How far such a decision may be worse, on a scale on which 0 is the least return and 1 the greatest."""
    proofs: bool = True
    """False for `mcts` without its solver: with few simulations, it overlooks wins as beginners do."""

    @property
    def spec(self) -> str:
        """The spec of the bot that plays with this setting."""
        return format_spec("fallible", asdict(self))


def search_for(game: Game) -> str:
    """Return the name of the strongest search for a game."""
    return "mcts" if DoubleOracle.why_unsupported(game) else "double_oracle"


def setting_at(game: Game, strength: float, top: int = TOP_SIMULATIONS) -> Setting:
    """Return the setting at a point of the curve.

    Where actions are listed, the first half of the curve begins at random play. It has fewer and smaller errors, with 1
    to 200 simulations; the second half has more simulations and no errors. In games in turns, proofs begin at
    `PROVING_SIMULATIONS`. With sealed bids, errors end at three tenths of the curve: up to there, `sampled_mcts`
    compares some bids, and then `double_oracle` solves the round.

    Args:
        game: the game to play.
        strength: 0 to 1.
        top: simulations at strength 1.
    """
    bids = search_for(game) == "double_oracle"
    proofs = bids or not is_in_turns(game)
    turn = 0.3 if bids else 0.5
    lower, upper, first = (100, 300, 150) if bids else (1, 200, 200)
    if strength < turn:
        share = strength / turn
        return Setting(
            "sampled_mcts" if bids else "mcts",
            _two_digits(lower * (upper / lower) ** share),
            round(1.0 - share, 3),
            float(f"{0.05**share:.3g}"),
            proofs=proofs,
        )
    share = (strength - turn) / (1.0 - turn)
    simulations = _two_digits(first * (top / first) ** share)
    return Setting(search_for(game), simulations, 0.0, 0.05, proofs or simulations >= min(PROVING_SIMULATIONS, top))


def _two_digits(number: float) -> int:
    return int(float(f"{number:.2g}"))


@dataclass(frozen=True)
class Table:
    """The levels of a game as they were measured."""

    levels: tuple[Setting, ...]
    """The settings of levels 1 to 10."""
    scores: tuple[tuple[float, float], ...] = ()
    """For levels 2 to 10: mean score against the level below, 0 to 1, and half the width of its 95 % interval."""
    elo: tuple[float, ...] = ()
    """Ratings of levels 1 to 10 from these scores; level 1 has 0."""
    games: int = 0
    """Number of games between two neighbouring levels, at most."""
    seed: int = 0
    """Root of all random numbers of the calibration."""
    ends: tuple[tuple[float, float], ...] = ()
    """For the lowest level, and mostly for the highest: mean score against random play, and half the width of its 95 %
    interval."""

    def to_dict(self) -> dict[str, Any]:
        """Return the table as data for JSON."""
        return asdict(self)


def read_tables(text: str, source: str) -> dict[str, Table]:
    """Return spec of the game -> table, from the text of a file that `write_tables` has made.

    Args:
        text: JSON. It may come from anywhere.
        source: name of the file for messages.

    Raises:
        ParameterError: the text is not such a file; the message names the part that is wrong.
    """
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ParameterError(f"{source} has the format {data['format']!r}; valid: {FORMAT}")
        if data["version"] != VERSION:
            raise ParameterError(f"{source} has version {data['version']!r} of its format; valid: {VERSION}")
        return {str(spec): _table(found, f"{source}: {spec}") for spec, found in data["games"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(f"{source} is not a file of levels: {type(error).__name__}: {error}") from error


def _table(data: Mapping[str, Any], where: str) -> Table:
    levels = tuple(Setting(**read_parameters(where, SETTING, dict(level))) for level in data["levels"])
    if len(levels) != NUM_LEVELS:
        raise ParameterError(f"{where} has {len(levels)} levels; valid: {NUM_LEVELS}")
    scores = tuple((float(score), float(error)) for score, error in data["scores"])
    elo = tuple(map(float, data["elo"]))
    ends = tuple((float(score), float(error)) for score, error in data.get("ends", ()))
    numbers = [*elo, *(number for pair in (*scores, *ends) for number in pair)]
    complete = len(scores) in (0, NUM_LEVELS - 1) and len(elo) in (0, NUM_LEVELS)
    if not complete or not all(map(math.isfinite, numbers)):
        raise ParameterError(f"{where} has scores {data['scores']!r} and ratings {data['elo']!r} of another number")
    if len(ends) > (2 if elo else 0) or not all(0.0 <= score <= 1.0 for score, _ in ends):
        raise ParameterError(
            f"{where} has ends {data['ends']!r}; valid: up to two pairs of a score from 0 to 1 and its error"
        )
    return Table(levels, scores, elo, int(data["games"]), int(data["seed"]), ends)


def write_tables(tables: Mapping[str, Table]) -> str:
    """Return the text of a file of tables, by spec of the game."""
    data = {spec: tables[spec].to_dict() for spec in sorted(tables)}
    return json.dumps({"format": FORMAT, "version": VERSION, "games": data}, indent=1) + "\n"


def _distance(variant: Game, game: Game) -> tuple[int, int]:
    """Return the difference in the number of actions, and the number of parameters that differ."""
    differ = sum(variant.parameters.get(name) != value for name, value in game.parameters.items())
    return abs(variant.num_actions - game.num_actions), differ


@cache
def shipped_tables() -> dict[str, Table]:
    """Return spec of the game -> table, for the tables that come with the package."""
    return read_tables(resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8"), FILE)


def tables_of_file(path: str) -> dict[str, Table]:
    """Return the tables of a file that `playout calibrate` has made.

    Raises:
        ParameterError: the file cannot be read, or is not such a file.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise ParameterError(f"{path} is larger than {MOST_BYTES:,} bytes; valid: a file of playout calibrate")
        return read_tables(data.decode("utf-8"), path)
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(f"{path} cannot be read: {error}") from error


def table_for(game: Game, path: str | None = None) -> Table:
    """Return the levels of a game.

    A game without a table has that of the nearest variant of the same game: by the number of actions, then by the
    number of parameters that differ. Without one of these, it has ten points at even distances on the curve, whose
    ratings are not measured. In a game written in Python, the last of these has fewer simulations.

    Args:
        game: the game to play.
        path: a file of tables; None for those that come with the package.

    Raises:
        ParameterError: the file cannot be read, or is not such a file.
    """
    tables = shipped_tables() if path is None else tables_of_file(path)
    if game.spec in tables:
        return tables[game.spec]
    variants = [spec for spec in tables if spec.partition("(")[0] == game.name]
    if variants:
        return tables[min(variants, key=lambda spec: (*_distance(load_game(spec), game), spec))]
    top = PYTHON_SIMULATIONS if isinstance(game, PythonGame) else TOP_SIMULATIONS
    return Table(tuple(setting_at(game, level / (NUM_LEVELS - 1), top) for level in range(NUM_LEVELS)))
