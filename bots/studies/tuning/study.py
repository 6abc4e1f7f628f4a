"""A study: matches between settings, as the method asks for them, and a final match of the best one against the start.

Everything depends on the description of the study alone. All games are in the store of the arena, so a study continues
by being run again: matches whose games are stored are not played, and the method is told their scores again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from mcts.seeds import seed_for

from ...arena.description import describe
from ...arena.play.executors import open_executor
from ...arena.ratings.blocks import Block, return_difference
from ...arena.ratings.elo import EloEstimate
from ...arena.results.match_score import MatchScore, match_score
from ...arena.results.sequential import scoring_of
from ...arena.results.standings import make_pairing_results
from ...arena.runner import Outcome
from ...arena.series import Series
from ...arena.store.store import Store
from ...arena.tournament.failure_policy import ABORT_ALWAYS
from ...arena.tournament.limits import BotLimit
from ...arena.tournament.schedule import DEADLINE_SECONDS, Tournament
from .methods import new_method
from .space import Setting, Space

BEST, START = "best", "start"
"""Names of the bots in the final match."""
_METHOD_STREAM, _MATCH_STREAM, _FINAL_STREAM = range(3)


@dataclass(frozen=True)
class Study:
    """All data that determine the results of a study.

    Args:
        game: spec of the game.
        space: the parameters, and the bot with which the search begins.
        method: name of the method.
        iterations: number of matches that the method asks for.
        games: number of games of each match, rounded up to whole blocks.
        final_games: number of games of the final match; 0 for none.
        opening_plies: random plies before every game; each opening is played in every seat.
        limit: limit of each decision.
        seed: root of all random numbers.
        deadline: longest decision in seconds.
        score: `wins` or `returns`; None for that of the game.
    """

    game: str
    space: Space
    method: str
    iterations: int
    games: int
    final_games: int
    opening_plies: int = 0
    limit: BotLimit = field(default_factory=BotLimit)
    seed: int = 0
    deadline: float = DEADLINE_SECONDS
    score: str | None = None

    @property
    def games_of_matches(self) -> tuple[int, int]:
        """Number of games of a match of the search and of the final match, both in whole blocks."""
        spec = self.space.bot.spec
        search, final = (
            self.match(spec, spec, _MATCH_STREAM, 0, games).num_games if games else 0
            for games in (self.games, self.final_games)
        )
        return search, final

    def match(self, first: str, second: str, stream: int, number: int, games: int, names: bool = False) -> Tournament:
        """Return the tournament of one match."""
        return describe(
            self.game,
            {BEST: first, START: second} if names else [first, second],
            games=games,
            opening_plies=self.opening_plies,
            limit=self.limit,
            deadline=self.deadline,
            on_failure=ABORT_ALWAYS,
            score=self.score,
            seed=seed_for(self.seed, stream, number),
        )


@dataclass(frozen=True)
class Iteration:
    """One match of the search."""

    number: int
    """0 and up."""
    first: Setting
    second: Setting
    score: float
    """Mean score of the first setting in a block on a scale from -1 to 1. Where returns count, it is the difference of
    mean returns as a share of the range of returns."""
    best: Setting
    """The best setting as it is known after this match."""


@dataclass(frozen=True)
class FinalMatch:
    """Results of the best setting against the bot that was given, in new games."""

    games: int
    elo: EloEstimate | None
    """Elo with its interval, normalized Elo where returns count; None where the results set none."""
    points: float
    """Difference of the mean returns."""
    points_error: float | None
    """Half the width of its 95 % interval, from whole blocks; None where that leaves the range of differences."""
    score: str
    """The score: `wins` or `returns`."""


@dataclass(frozen=True)
class StudyResult:
    """Results of a study."""

    iterations: tuple[Iteration, ...]
    best: Setting
    best_spec: str
    start_spec: str
    """Spec of the bot that was given."""
    games: int
    """Number of games of all matches, the final one included."""
    final: FinalMatch | None
    """None if it was not asked for, or if the best setting is the start."""
    complete: bool
    """False if the time was over before all iterations."""


def run_study(
    study: Study,
    store: Store,
    *,
    workers: int = 1,
    executor: str = "processes",
    seconds: float | None = None,
    on_iteration: Callable[[Iteration], Any] = lambda iteration: None,
    on_games: Callable[[int], Any] = lambda games: None,
) -> StudyResult:
    """Run a study, or continue it.

    Args:
        study: the study.
        store: store of the games. Games of this study that are in it are not played again.
        workers: number of games played at the same time.
        executor: text for `open_executor`.
        seconds: no further iteration begins after so much time. The final match is played in any case.
        on_iteration: called after each iteration.
        on_games: called with a number of games that were played or found.

    Raises:
        KeyboardInterrupt: Ctrl-C. The games that were played until then are in the store.
        PlayoutError: a bot failed, or the store cannot be used.
    """
    with open_executor(executor, workers) as opened:
        return _Run(study, Series(store, opened, workers, on_games), on_iteration).run(seconds)


class _Run:
    def __init__(self, study: Study, series: Series, on_iteration: Callable[[Iteration], Any]) -> None:
        self.study = study
        self.series = series
        self.on_iteration = on_iteration

    def run(self, seconds: float | None) -> StudyResult:
        study, space = self.study, self.study.space
        iterations = tuple(self._iterations(math.inf if seconds is None else seconds))
        best = iterations[-1].best if iterations else space.given
        best_spec, start_spec = space.spec(best), space.bot.spec
        final = None
        if study.final_games and best_spec != start_spec:
            outcome = self.series.play(
                study.match(best_spec, start_spec, _FINAL_STREAM, 0, study.final_games, names=True)
            )
            final = _final_match(outcome)
        complete = len(iterations) == study.iterations
        return StudyResult(iterations, best, best_spec, start_spec, self.series.games, final, complete)

    def _iterations(self, seconds: float) -> Iterator[Iteration]:
        study, space = self.study, self.study.space
        method = new_method(study.method, space, study.iterations, seed_for(study.seed, _METHOD_STREAM))
        begin = time.monotonic()
        for number in range(study.iterations):
            if time.monotonic() - begin >= seconds:
                return
            first, second = method.ask()
            specs = space.spec(first), space.spec(second)
            score = 0.0  # of a bot against itself
            if specs[0] != specs[1]:
                outcome = self.series.play(study.match(*specs, _MATCH_STREAM, number, study.games))
                score = 2.0 * _score(outcome, scoring_of(outcome.tournament).of).mean - 1.0
            method.tell(score)
            iteration = Iteration(number, first, second, score, method.best())
            self.on_iteration(iteration)
            yield iteration


def _score(outcome: Outcome, points: Callable[[Block], float]) -> MatchScore:
    """Return the score of a complete match."""
    score = match_score(outcome.tally.blocks, points)
    assert score is not None
    return score


def _final_match(outcome: Outcome) -> FinalMatch:
    points, of = _score(outcome, return_difference), outcome.tournament
    (pairing,) = make_pairing_results(outcome.tally.blocks, scoring_of(of))
    error = points.error if abs(points.mean) + points.error <= scoring_of(of).span else None
    return FinalMatch(outcome.tally.known, pairing.elo, points.mean, error, of.score)
