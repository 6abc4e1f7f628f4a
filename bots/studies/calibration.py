"""Calibration of levels: matches along the curve of settings, and ten points of it at even distances in rating.

Matches between points of the curve give a first rating of each point. Then the ten levels play against their
neighbours in several rounds. After each, the ratings are fitted to all matches so far, and the levels move. Matches
with other random numbers measure the final levels, so that their scores do not depend on the choice.

Everything depends on the description of the calibration alone. All games are in the store of the arena, so a
calibration continues by being run again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from cext.game_info import RETURNS
from mcts import Game, load_game
from mcts.nets.shipped_nets import chosen_net
from mcts.primitives.confidence import CONFIDENCE_95
from mcts.seeds import seed_for

from ..arena.description import describe
from ..arena.play.executors import open_executor
from ..arena.ratings.elo import ELO_PER_UNIT, NELO_PER_DEVIATION, elo_of_score, score_of_elo
from ..arena.results.match_score import match_score
from ..arena.results.sequential import scoring_of
from ..arena.series import Series
from ..arena.store.store import Store
from ..arena.tournament.failure_policy import ABORT_ALWAYS
from ..arena.tournament.schedule import Tournament
from ..players.common.levels import NUM_LEVELS, TOP_SIMULATIONS, Setting, Table, setting_at

FIRST_POINTS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Points of the curve between which the first matches are played."""
SPLIT_SCORE = 0.85
"""With a higher score, which says little about a distance, another point is put between the two of a match."""
LEAST_DISTANCE = 1 / 64
"""Distance on the curve that is not divided further."""
GOOD_DEVIATION = 0.015
"""Stop when every step's score is within this distance of an even step."""
WIDEST_STEP = 125.0
"""Largest step in Elo: a score of 67 %. With longer curves, level 10 is weaker than strength 1."""
MANY_SIMULATIONS = 10_000
"""Above this budget a match has fewer games, in proportion to 1 / sqrt(budget)."""
FEWEST_GAMES = 40
"""Fewest games of a match with a large budget."""
ROUNDS = 5
"""Most rounds of matches between the levels."""
NOT_ADDITIVE = 0.15
"""Share of a difference in rating by which it may differ from the sum of smaller ones: a standard deviation."""
OPENING_PLIES = 2
"""Random plies at the beginning of games that are searched with a net, which draws no random numbers."""
RANDOM = "random"
"""Spec of the bot that plays at random."""
_LEAST_SPREAD = 0.5
"""Least standard error of a score from N blocks, times N**1.5: the error of equal blocks is not 0."""
_CURVE_STREAM, _FINAL_STREAM = 0, 1
_ROUND_STREAM = 2  # and up


@dataclass(frozen=True)
class Calibration:
    """All data that determine a calibration.

    Args:
        game: spec of the game.
        games: number of games of a match, rounded up to whole blocks; fewer with large budgets.
        simulations: simulations of a decision of level 10.
        seed: root of all random numbers.
        score: `wins` or `returns`; None for that of the game. Where returns count, the score of a match is the one
            whose Elo is the normalized Elo of its blocks.
    """

    game: str
    games: int = 200
    simulations: int = TOP_SIMULATIONS
    seed: int = 0
    score: str | None = None

    def match(self, stronger: Setting, weaker: Setting | None, stream: int) -> Tournament:
        """Return the tournament of one match.

        Args:
            stronger: setting of one bot.
            weaker: setting of the other; None for random play.
            stream: matches with another number have other random numbers.
        """
        fewer = self.games * math.sqrt(MANY_SIMULATIONS / max(stronger.simulations, MANY_SIMULATIONS))
        games = min(self.games, max(FEWEST_GAMES, round(fewer)))
        return describe(
            self.game,
            {"stronger": stronger.spec, "weaker": weaker.spec if weaker else RANDOM},
            games=games,
            on_failure=ABORT_ALWAYS,
            seed=seed_for(self.seed, stream),
            score=self.score,
            opening_plies=OPENING_PLIES if chosen_net(load_game(self.game), None) is not None else 0,
        )


@dataclass(frozen=True)
class Match:
    """The result of a match between two settings."""

    stronger: Setting
    weaker: Setting | None
    """None: random play."""
    score: float
    """Mean score of the stronger setting, 0 to 1; with three players, over all pairs of seats."""
    error: float
    """Half the width of its 95 % interval."""
    games: int

    @property
    def elo(self) -> float:
        """Difference in rating. A score of 0 or 1 counts as half a game less."""
        margin = 0.5 / (self.games + 1)
        return elo_of_score(min(max(self.score, margin), 1.0 - margin)) or 0.0

    @property
    def elo_error(self) -> float:
        """Standard error of the difference in rating."""
        score = score_of_elo(self.elo)
        return self.error / CONFIDENCE_95 * ELO_PER_UNIT / (score * (1.0 - score))


Span = tuple[float, float, Match]
"""Lower strength, higher strength, and a match between the settings at them."""


@dataclass(frozen=True)
class CalibrationResult:
    """Levels, and the matches behind them."""

    table: Table
    curve: tuple[tuple[float, float], ...]
    """Points of the curve of settings: strength from 0 to 1, and rating; strength 0 has the rating 0. Empty for levels
    that were given."""
    matches: tuple[Match, ...]
    """All matches in the order in which they were played."""


def even_step(table: Table) -> float:
    """Return the score of each step of a measured table if all were even."""
    return score_of_elo(table.elo[-1] / (NUM_LEVELS - 1))


def calibrate(
    calibration: Calibration,
    store: Store,
    *,
    workers: int = 1,
    executor: str = "processes",
    on_match: Callable[[Match], Any] = lambda match: None,
    on_games: Callable[[int], Any] = lambda games: None,
    levels: Sequence[Setting] = (),
) -> CalibrationResult:
    """Measure the curve of settings of a game, and choose its levels.

    Args:
        calibration: the description.
        store: store of the games. Games of this calibration that are in it are not played again.
        workers: number of games played at the same time.
        executor: text for `open_executor`.
        on_match: called after each match.
        on_games: called with a number of games that were played or found.
        levels: settings that are measured only, instead of a choice.

    Raises:
        KeyboardInterrupt: Ctrl-C. The games that were played until then are in the store.
        PlayoutError: a bot failed, or the store cannot be used.
    """
    with open_executor(executor, workers) as opened:
        run = _Run(calibration, Series(store, opened, workers, on_games), on_match)
        return run.measured(levels) if levels else run.chosen()


class _Run:
    def __init__(self, calibration: Calibration, series: Series, on_match: Callable[[Match], Any]) -> None:
        self.calibration = calibration
        self.game: Game = load_game(calibration.game)
        self.series = series
        self.on_match = on_match
        self.matches: dict[tuple[Setting, Setting | None, int], Match] = {}
        self.spans: list[Span] = []

    def chosen(self) -> CalibrationResult:
        """Choose levels, and measure them."""
        for low, high in pairwise(FIRST_POINTS):
            self._divide(low, high)
        for number in range(ROUNDS):
            curve = fitted_curve(self.spans)
            strengths = even_points(curve)
            found = [self._measure(low, high, _ROUND_STREAM + number) for low, high in pairwise(strengths)]
            even = score_of_elo(math.fsum(match.elo for match in found) / len(found))
            if all(abs(match.score - even) <= GOOD_DEVIATION for match in found):
                break
        else:
            curve = fitted_curve(self.spans)
            strengths = even_points(curve)
        return self.measured([self._setting(strength) for strength in strengths], curve)

    def measured(self, levels: Sequence[Setting], curve: Sequence[tuple[float, float]] = ()) -> CalibrationResult:
        """Measure levels with random numbers that had no part in their choice."""
        steps = [self._play(high, low, _FINAL_STREAM) for low, high in pairwise(levels)]
        ends = [self._play(level, None, _FINAL_STREAM) for level in (levels[0], levels[-1])]
        elo = [0.0]
        for match in steps:
            elo.append(round(elo[-1] + match.elo, 1))
        table = Table(
            tuple(levels),
            tuple(_rounded(match) for match in steps),
            tuple(elo),
            max(match.games for match in steps),
            self.calibration.seed,
            tuple(_rounded(match) for match in ends),
            self.calibration.score or self.game.score,
        )
        return CalibrationResult(table, tuple(curve), tuple(self.matches.values()))

    def _setting(self, strength: float) -> Setting:
        return setting_at(self.game, strength, self.calibration.simulations)

    def _divide(self, low: float, high: float) -> None:
        """Measure from `low` to `high`, divided until no score says little about the distance."""
        match = self._measure(low, high, _CURVE_STREAM)
        if match.score > SPLIT_SCORE and high - low >= 2 * LEAST_DISTANCE:
            self.spans.pop()  # a score near 1 says little about the distance
            middle = (low + high) / 2
            self._divide(low, middle)
            self._divide(middle, high)

    def _measure(self, low: float, high: float, stream: int) -> Match:
        match = self._play(self._setting(high), self._setting(low), stream)
        if high > low:
            self.spans.append((low, high, match))
        return match

    def _play(self, stronger: Setting, weaker: Setting | None, stream: int) -> Match:
        known = self.matches.get((stronger, weaker, stream))
        if known is not None:
            return known
        if stronger == weaker:
            return Match(stronger, weaker, 0.5, 0.0, 1)
        tournament = self.calibration.match(stronger, weaker, stream)
        outcome = self.series.play(tournament)
        found = match_score(outcome.tally.blocks, scoring_of(tournament).of)
        assert found is not None
        score, error = found.mean, max(found.standard_error, _LEAST_SPREAD / found.blocks**1.5)
        if tournament.score == RETURNS:
            games = tournament.block_size * found.blocks
            elo = NELO_PER_DEVIATION * (score - 0.5) / (error * math.sqrt(games))
            score = score_of_elo(elo)
            error = NELO_PER_DEVIATION / math.sqrt(games) / ELO_PER_UNIT * score * (1.0 - score)
        match = Match(stronger, weaker, score, CONFIDENCE_95 * error, outcome.tally.known)
        self.matches[stronger, weaker, stream] = match
        self.on_match(match)
        return match


def _rounded(match: Match) -> tuple[float, float]:
    return round(match.score, 3), round(match.error, 3)


def fitted_curve(spans: Sequence[Span]) -> list[tuple[float, float]]:
    """Return strength and rating of points, both ascending, that fit matches best.

    The ratings rise linearly between the points. They minimise the squares of the differences to the matches, in units
    of their errors, and of the changes of the slope, of which one as large as the mean is expected over the length of a
    step.

    Args:
        spans: matches between settings at two strengths. Wide ones count less.
    """
    from scipy.optimize import nnls  # 25 MB, which processes that only play do not need

    points = sorted({strength for low, high, _ in spans for strength in (low, high)})
    widths = np.diff(points)
    elo = np.array([match.elo for _, _, match in spans])
    errors = np.array([math.hypot(match.elo_error, NOT_ADDITIVE * match.elo, 1.0) for _, _, match in spans])
    covered = np.array([[low <= point < high for point in points[:-1]] for low, high, _ in spans], dtype=float)
    slope = max(float(np.mean(elo / [high - low for low, high, _ in spans])), 1.0)
    changes = np.zeros((len(widths) - 1, len(widths)))
    for row, (left, right) in enumerate(pairwise(widths)):
        expected = slope * math.sqrt((left + right) / 2 * (NUM_LEVELS - 1))
        changes[row, row : row + 2] = -1.0 / (left * expected), 1.0 / (right * expected)
    rows = np.vstack([covered / errors[:, None], changes])
    wanted = np.concatenate([elo / errors, np.zeros(len(changes))])
    gains, _ = nnls(rows, wanted)
    return list(zip(points, np.concatenate([[0.0], np.cumsum(gains)]).tolist(), strict=True))


def even_points(curve: Sequence[tuple[float, float]]) -> list[float]:
    """Return strengths of the levels, ascending: the first point of the curve, and points at even distances above it.

    Args:
        curve: strength and rating of points, both ascending, from strength 0 to 1.
    """
    low, high = curve[0][1], curve[-1][1]
    step = min((high - low) / (NUM_LEVELS - 1), WIDEST_STEP)
    strengths = [_strength_at(curve, low + step * level) for level in range(NUM_LEVELS)]
    return strengths if step == WIDEST_STEP else [*strengths[:-1], curve[-1][0]]


def _strength_at(curve: Sequence[tuple[float, float]], rating: float) -> float:
    """Return the least strength of a rating, linear between the points of the curve."""
    for (low, below), (high, above) in pairwise(curve):
        if rating <= above:
            return low if above <= below else low + (high - low) * max(0.0, rating - below) / (above - below)
    return curve[-1][0]
