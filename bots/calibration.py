"""Calibration of levels: matches along the curve of settings, and ten points of it at even distances in rating.

Everything depends on the description of the calibration alone. All games are in the store of the arena, so a
calibration continues by being run again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mcts import Game, load_game
from mcts.confidence import CONFIDENCE_95

from .arena.play.executors import open_executor
from .arena.ratings.blocks import pairings
from .arena.series import Series
from .arena.store.store import Store
from .arena.tournament.description import describe
from .arena.tournament.failure_policy import ABORT_ALWAYS
from .arena.tournament.schedule import Tournament
from .levels import NUM_LEVELS, TOP_SIMULATIONS, Setting, Table, setting_at
from .seeds import seed_for

FIRST_POINTS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Points of the curve between which the first matches are played."""
SPLIT_SCORE = 0.85
"""With a higher score, which says little about a distance, another point is put between the two of a match."""
LEAST_DISTANCE = 1 / 64
"""Distance on the curve that is not divided further."""
GOOD_DEVIATION = 0.08
"""Largest distance of a score between neighbouring levels from that of an even step with which a calibration ends."""
WIDEST_STEP = 190.0
"""Largest step in Elo: a score of 75 %. With longer curves, level 1 is stronger than strength 0."""
MANY_SIMULATIONS = 10_000
"""Above this budget a match has fewer games, in proportion to 1 / sqrt(budget)."""
FEWEST_GAMES = 40
"""Fewest games of a match with a large budget."""
ROUNDS = 4
"""Most rounds of matches between the levels."""
_MATCH_STREAM = 0


@dataclass(frozen=True)
class Calibration:
    """All data that determine a calibration.

    Args:
        game: spec of the game.
        games: number of games of a match, rounded up to whole blocks; fewer with large budgets.
        simulations: simulations of a decision of level 10.
        seed: root of all random numbers.
    """

    game: str
    games: int = 200
    simulations: int = TOP_SIMULATIONS
    seed: int = 0

    def match(self, stronger: Setting, weaker: Setting) -> Tournament:
        """Return the tournament of one match."""
        fewer = self.games * math.sqrt(MANY_SIMULATIONS / max(stronger.simulations, MANY_SIMULATIONS))
        games = min(self.games, max(FEWEST_GAMES, round(fewer)))
        return describe(
            self.game,
            {"stronger": stronger.spec, "weaker": weaker.spec},
            games=games,
            on_failure=ABORT_ALWAYS,
            seed=seed_for(self.seed, _MATCH_STREAM),
        )


@dataclass(frozen=True)
class Match:
    """The result of a match between two settings."""

    stronger: Setting
    weaker: Setting
    score: float
    """Mean score of the stronger setting, 0 to 1; with three players, over all pairs of seats."""
    error: float
    """Half the width of its 95 % interval."""
    games: int

    @property
    def elo(self) -> float:
        """Difference in rating. A score of 0 or 1 counts as half a game less."""
        margin = 0.5 / (self.games + 1)
        score = min(max(self.score, margin), 1.0 - margin)
        return 400.0 * math.log10(score / (1.0 - score))


@dataclass(frozen=True)
class CalibrationResult:
    """Levels, and the matches behind them."""

    table: Table
    curve: tuple[tuple[float, float], ...]
    """Points of the curve of settings: strength from 0 to 1, and rating; strength 0 has the rating 0."""
    matches: tuple[Match, ...]
    """All matches in the order in which they were played."""


def calibrate(
    calibration: Calibration,
    store: Store,
    *,
    workers: int = 1,
    executor: str = "processes",
    on_match: Callable[[Match], Any] = lambda match: None,
    on_games: Callable[[int], Any] = lambda games: None,
) -> CalibrationResult:
    """Measure the curve of settings of a game, and choose its levels.

    Args:
        calibration: the description.
        store: store of the games. Games of this calibration that are in it are not played again.
        workers: number of games played at the same time.
        executor: text for `open_executor`.
        on_match: called after each match.
        on_games: called with a number of games that were played or found.

    Raises:
        KeyboardInterrupt: Ctrl-C. The games that were played until then are in the store.
        PlayoutError: a bot failed, or the store cannot be used.
    """
    with open_executor(executor, workers) as opened:
        return _Run(calibration, Series(store, opened, workers, on_games), on_match).run()


class _Run:
    def __init__(self, calibration: Calibration, series: Series, on_match: Callable[[Match], Any]) -> None:
        self.calibration = calibration
        self.game: Game = load_game(calibration.game)
        self.series = series
        self.on_match = on_match
        self.matches: dict[tuple[Setting, Setting], Match] = {}

    def run(self) -> CalibrationResult:
        curve = _cumulated([step for low, high in pairwise(FIRST_POINTS) for step in self._steps(low, high)])
        for _ in range(ROUNDS):
            strengths = even_points(curve)
            settings = [self._setting(strength) for strength in strengths]
            found = [self._play(high, low) for low, high in pairwise(settings)]
            even = 1.0 / (1.0 + 10.0 ** (-math.fsum(match.elo for match in found) / len(found) / 400.0))
            if all(abs(match.score - even) <= GOOD_DEVIATION for match in found):
                break
            measured = [(high, match.elo) for high, match in zip(strengths[1:], found, strict=True)]
            curve = _cumulated([(strengths[0], _rating_at(curve, strengths[0])), *measured])
        elo = [0.0]
        for match in found:
            elo.append(round(elo[-1] + match.elo, 1))
        scores = tuple((round(match.score, 3), round(match.error, 3)) for match in found)
        table = Table(tuple(settings), scores, tuple(elo), max(m.games for m in found), self.calibration.seed)
        return CalibrationResult(table, tuple(curve), tuple(self.matches.values()))

    def _setting(self, strength: float) -> Setting:
        return setting_at(self.game, strength, self.calibration.simulations)

    def _steps(self, low: float, high: float) -> list[tuple[float, float]]:
        """Return strength and gain in rating of each point after `low` up to `high`."""
        match = self._play(self._setting(high), self._setting(low))
        if match.score <= SPLIT_SCORE or high - low < 2 * LEAST_DISTANCE:
            return [(high, match.elo)]
        middle = (low + high) / 2
        return [*self._steps(low, middle), *self._steps(middle, high)]

    def _play(self, stronger: Setting, weaker: Setting) -> Match:
        known = self.matches.get((stronger, weaker))
        if known is not None:
            return known
        if stronger == weaker:
            return Match(stronger, weaker, 0.5, 0.0, 1)
        outcome = self.series.play(self.calibration.match(stronger, weaker))
        results = pairings(outcome.tally.blocks)[0].results
        pairs = results.wins + results.draws + results.losses
        score = (results.wins + results.draws / 2) / pairs
        square = (results.wins + results.draws / 4) / pairs
        error = CONFIDENCE_95 * math.sqrt(max(square - score * score, 0.25 / pairs**2) / pairs)
        match = Match(stronger, weaker, score, error, outcome.tally.known)
        self.matches[stronger, weaker] = match
        self.on_match(match)
        return match


def _cumulated(steps: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return strength and rating of points from the gain of each over the one before. A loss counts as no gain."""
    curve = [(0.0, 0.0)]
    for strength, gain in steps:
        if strength > curve[-1][0]:
            curve.append((strength, curve[-1][1] + max(gain, 0.0)))
    return curve


def _rating_at(curve: Sequence[tuple[float, float]], strength: float) -> float:
    """Return the rating at a strength, linear between the points of the curve."""
    for (low, below), (high, above) in pairwise(curve):
        if strength <= high:
            return below + (above - below) * (strength - low) / (high - low)
    return curve[-1][1]


def even_points(curve: Sequence[tuple[float, float]]) -> list[float]:
    """Return strengths of the levels, ascending: the last point of the curve, and points at even distances below it.

    Args:
        curve: strength and rating of points, both ascending, from strength 0 to 1.
    """
    top = curve[-1][1]
    step = min((top - curve[0][1]) / (NUM_LEVELS - 1), WIDEST_STEP)
    strengths = []
    for level in range(NUM_LEVELS - 1):
        rating = top - step * (NUM_LEVELS - 1 - level)
        strengths.append(_strength_at(curve, rating))
    return [*strengths, curve[-1][0]]


def _strength_at(curve: Sequence[tuple[float, float]], rating: float) -> float:
    """Return the least strength of a rating, linear between the points of the curve."""
    for (low, below), (high, above) in pairwise(curve):
        if rating <= above:
            return low if above <= below else low + (high - low) * max(0.0, rating - below) / (above - below)
    return curve[-1][0]
