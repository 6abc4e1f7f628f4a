"""Levels of strength: settings of the bot `fallible`, in ten steps from a beginner to a strong player.

A setting is a point on a curve from strength 0 to 1. With more strength, a bot sees more of what is forced in a few
plies, then errors become rarer and smaller, then the search becomes longer. `playout calibrate` measures ratings along
the curve and chooses ten points at even distances. The results are tables; those that come with the package are in
`levels.json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

from cext.game_info import RETURNS, SCORES, WINS
from cext.spec import format_spec
from mcts import Game, ParameterError, load_game
from mcts.parameters import Choice, Flag, Integer, Parameter, Real, read_parameters
from mcts.primitives.files import read_regular
from mcts.random_steps import has_early_ends, is_in_turns
from mcts.registry import searcher_class

FILE = "levels.json"
FORMAT = "playout-levels"
VERSION = 1
NUM_LEVELS = 10
TOP_SIMULATIONS = 1_000_000
"""Simulations of a decision at strength 1: about one second."""
RULE_SIMULATIONS = 2000
"""Simulations of level 10 in games without a table."""
RULE_STRENGTHS = (0.0, 0.16, 0.25, 0.31, 0.38, 0.45, 0.53, 0.6, 0.74, 1.0)
"""Strengths of the levels in these games: about the means of those with tables."""
MOST_SECONDS = 1.0
"""Wall-clock time that ends a decision in such a game, if its steps are slow."""
PROVING_SIMULATIONS = 2000
"""Simulations from which points of the curve have proofs. In small games, proofs with fewer are nearly perfect play."""
LEAST_SIGHT = 0.72
"""Sight at strength 0: a win in one is seen with this probability, a loss in two with its square."""
FULL_SIGHT = 0.25
"""Strength from which sight is complete."""
FIRST_HORIZON, LAST_HORIZON = 2, 4
"""Plies that the weaker and the stronger settings look ahead."""
GOOD_STEP = 0.6
"""Score of a level against the one below, in games whose range admits it."""
MOST_BYTES = 1 << 20
"""Size of the largest file that is read."""

SEARCHES = ("mcts", "ismcts", "oos", "double_oracle")
"""The bots that search for a setting."""
SETTING: dict[str, Parameter] = {
    "search": Choice(None, SEARCHES),
    "simulations": Integer(1000, 1, 2**31 - 1),
    "seconds": Real(None, 1e-6, 1e6),
    "error_rate": Real(0.1, 0.0, 1.0),
    "temperature": Real(0.1, 0.001, 100.0),
    "proofs": Flag(True),
    "sight": Real(0.0, 0.0, 1.0),
    "horizon": Real(2.0, 0.0, 8.0),
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
    """False for `mcts` without solver and net: with few simulations, it overlooks wins as beginners do."""
    seconds: float | None = None
    """Limit of a decision by the wall clock, or None."""
    sight: float = 0.0
    """Probability that a decision looks one ply further ahead for forced wins and losses, for each ply."""
    horizon: float = 2.0
    """Most plies that a decision looks ahead. A fraction is the probability of one ply more."""

    def plies_ahead(self) -> list[float]:
        """Return the probabilities that a decision looks 0, 1, 2, ... plies ahead."""
        whole = math.floor(self.horizon)
        least = [self.sight**plies for plies in range(whole + 1)]  # of at least so many plies
        if self.sight > 0.0 and self.horizon > whole:
            least.append(self.sight ** (whole + 1) * (self.horizon - whole))
        return [one - more for one, more in pairwise([*least, 0.0])]

    @property
    def spec(self) -> str:
        """The spec of the bot that plays with this setting."""
        return format_spec("fallible", asdict(self))


def search_for(game: Game) -> str:
    """Return the name of the search of the levels of a game: the strongest one that gets stronger with simulations."""
    name = searcher_class(game).NAME
    return "ismcts" if name == "cfr" else name


def setting_at(game: Game, strength: float, top: int = TOP_SIMULATIONS) -> Setting:
    """Return the setting at a point of the curve.

    Where wins count and actions can be listed, a bot sees more and more of the wins and losses within `FIRST_HORIZON`
    plies in the first quarter of the curve. In games that can end early, it plays at random otherwise. Up to five
    eighths, the horizon grows to `LAST_HORIZON`, and a search with 1 to 200 simulations makes fewer and smaller errors.
    The rest has more simulations and no errors. In other games, the search begins at strength 0 and makes errors in
    half of the curve. In games in turns, proofs begin at `PROVING_SIMULATIONS`. Where fewer than 1000 simulations are
    the longest search, the shorter ones have at most a fifth of them.

    Args:
        game: the game to play.
        strength: 0 to 1.
        top: simulations at strength 1.
    """
    name = search_for(game)
    sees = game.is_enumerable and game.score == WINS
    middle = max(1, min(200, top // 5))
    random_play = FULL_SIGHT if sees and has_early_ends(game) else 0.0
    errs = 0.5 + random_play / 2
    share = min(1.0, max(0.0, strength - random_play) / (errs - random_play))
    sight, horizon = 0.0, float(FIRST_HORIZON)
    if sees:
        sight = min(1.0, round(LEAST_SIGHT + (1.0 - LEAST_SIGHT) * strength / FULL_SIGHT, 3))
        horizon = round(FIRST_HORIZON + share * (LAST_HORIZON - FIRST_HORIZON), 2)
    if share < 1.0:
        simulations, errors, temperature = middle**share, round(1.0 - share, 3), float(f"{0.05**share:.3g}")
    else:
        simulations, errors, temperature = middle * (top / middle) ** ((strength - errs) / (1.0 - errs)), 0.0, 0.05
    count = int(float(f"{simulations:.2g}"))
    proofs = name == "double_oracle" or not is_in_turns(game) or (share == 1.0 and count >= PROVING_SIMULATIONS)
    return Setting(name, count, errors, temperature, proofs, sight=sight, horizon=horizon)


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
    score: str = WINS
    """The score of these matches, `wins` or `returns`."""

    def to_dict(self) -> dict[str, Any]:
        """Return the table as data for JSON, without seconds and sight that settings lack, and without `wins`."""
        levels = [{name: value for name, value in asdict(one).items() if value is not None} for one in self.levels]
        for level in levels:
            if not level["sight"]:
                del level["sight"], level["horizon"]
        found = {**asdict(self), "levels": levels}
        return found if self.score == RETURNS else {name: value for name, value in found.items() if name != "score"}


def even_levels(table: Table) -> int:
    """Return the number of levels with steps of `GOOD_STEP` for which the range of a measured table has room."""
    good = 400.0 * math.log10(GOOD_STEP / (1.0 - GOOD_STEP))
    return min(NUM_LEVELS, 1 + int(max(0.0, table.elo[-1]) / good))


def offered_levels(game: Game) -> list[int]:
    """Return levels of a game with even steps, for a choice between them: all where nothing is measured."""
    table = table_for(game)
    count = even_levels(table) if table.elo else NUM_LEVELS
    if count == NUM_LEVELS:
        return list(range(1, NUM_LEVELS + 1))
    wanted = [table.elo[-1] * step / max(1, count - 1) for step in range(count)]
    return sorted({1 + min(range(NUM_LEVELS), key=lambda place: abs(table.elo[place] - one)) for one in wanted})


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
        raise ParameterError(
            f"{where} has {len(scores)} scores and {len(elo)} ratings; "
            f"valid: {NUM_LEVELS - 1} and {NUM_LEVELS} finite numbers, or none"
        )
    if len(ends) > (2 if elo else 0) or not all(0.0 <= score <= 1.0 for score, _ in ends):
        raise ParameterError(
            f"{where} has ends {data['ends']!r}; valid: up to two pairs of a score from 0 to 1 and its error"
        )
    score = data.get("score", WINS)
    if score not in SCORES:
        raise ParameterError(f"{where} has the score {score!r}; valid: {', '.join(SCORES)}")
    return Table(levels, scores, elo, int(data["games"]), int(data["seed"]), ends, score)


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
        text = read_regular(path, MOST_BYTES).decode("utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ParameterError(f"cannot read {path!r}: {reason}; valid: a file of playout calibrate") from None
    return read_tables(text, path)


def table_for(game: Game, path: str | None = None) -> Table:
    """Return the levels of a game.

    A game without a table has that of the nearest variant of the same game: by the number of actions, then by the
    number of parameters that differ. Without one of these, it has the settings at `RULE_STRENGTHS` on a curve that ends
    at `RULE_SIMULATIONS` (with sealed bids at `TOP_SIMULATIONS`). Their ratings are not measured. A decision of these
    ends after `MOST_SECONDS`.

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
    top = TOP_SIMULATIONS if search_for(game) == "double_oracle" else RULE_SIMULATIONS
    settings = [setting_at(game, strength, top) for strength in RULE_STRENGTHS]
    return Table(tuple(replace(setting, seconds=MOST_SECONDS) for setting in settings))
