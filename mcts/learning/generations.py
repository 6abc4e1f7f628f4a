"""The loop of a training: generations of nets, each of which learns from what the best one before finds.

What a net learns from, and how two nets play against each other, is the part of a `Learner`, one for each kind of game.
"""

from __future__ import annotations

import json
import math
import os
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from cext.arguments import whole_number_in
from cext.game.game import Game

from ..nets.net_file import from_bytes
from ..nets.value_net import ValueNet, net_of
from .steps import Kept, TrainingSteps

Found = TypeVar("Found")

RESUMED = "steps of an interrupted run"
"""Stage that a training reports first if the folder has finished steps."""
LEAST_GAMES = 4
"""Least number of games between two generations: two pairs, for a standard error."""
_TEST_GAMES = 16
"""Games between two looks of a test at the results."""

Report = Callable[[str, int, int], object]
"""Called with a stage of the training, and how much of it is done, of how much."""
Verdict = Callable[[Sequence[float]], bool | None]
"""A sequential test: called with the shares of the points in all games so far, in pairs. True: the new net is better;
False: it is not; None: more games are needed."""


class TrainedNet:
    """A net that a step of a training has made. It is read from its file when it is first used.

    Args:
        games: that the net is for.
        kept: its file.
        losses: what `Run.net` was given beside the net.
    """

    def __init__(self, games: Sequence[Game], kept: Kept, losses: Sequence[float]) -> None:
        self._games, self._kept, self.losses = games, kept, losses

    @cached_property
    def net(self) -> ValueNet:
        """The net. Raises NetFileError: its file is missing or damaged."""
        return net_of(self._games[0], from_bytes(self._kept.read()))

    def drop(self) -> None:
        """Remove the file of the net."""
        self._kept.drop()


class Candidate(NamedTuple):
    """A net that may become the best one.

    Attributes:
        net: the net. The losses beside it are the mean cross entropy on held-out states, and the part of the policy.
        examples: states that it was fitted to, without images.
    """

    net: TrainedNet
    examples: int


class Pool(Protocol):
    """Where the tasks run, such as an executor of `concurrent.futures`."""

    def submit(self, function: Callable[[Any], Any], given: Any, /) -> Future[Any]:
        """Call the function, now or later."""
        ...


@dataclass(frozen=True)
class Generation:
    """One generation of a training.

    Attributes:
        number: 1 for the first.
        examples: states that the net was fitted to, without images.
        loss: mean cross entropy on held-out states.
        policy_loss: the part of the policy in it.
        shares: of the points in games against the best net before, in pairs with the seats exchanged; none for the
            first generation.
        points: mean of `shares`; None for the first.
        error: standard error of `points`, from the pairs of games.
        kept: True if the net replaces the best one before.
        seconds: time of the whole training until its end.
    """

    number: int
    examples: int
    loss: float
    policy_loss: float
    shares: tuple[float, ...]
    points: float | None
    error: float | None
    kept: bool
    seconds: float = field(compare=False)


class Run:
    """A running training, as a learner sees it."""

    def __init__(self, learner: Learner, seed: int, steps: TrainingSteps, pool: Pool, report: Report) -> None:
        self.learner = learner
        self.seed = seed
        self.steps = steps
        self.report = report
        self._pool = pool

    def draw(self, *numbers: object) -> random.Random:
        """Return the random numbers of one task."""
        return random.Random("/".join(map(str, (self.seed, *numbers))))

    def map(
        self,
        name: str,
        function: Callable[[Any], Found],
        given: Sequence[Any],
        prepare: Callable[[Any], Any] = lambda one: one,
    ) -> list[Found]:
        """Return the result of each task, which JSON has, in order. All tasks together are one step.

        Args:
            name: of the step.
            function: called with each of `given`, in the pool.
            given: one for each task.
            prepare: makes of each of `given` the argument of the function, if the tasks are not finished yet.
        """

        def compute() -> list[Found]:
            found: list[Found] = []
            with _Tasks(self._pool, function, given, prepare) as tasks:
                for number in range(len(given)):
                    found.append(tasks.result(number))
                    self.report(name, number + 1, len(given))
            return found

        return self.steps.do(name, compute)

    def keep(
        self,
        name: str,
        function: Callable[[Any], tuple[bytes, Any]],
        given: Sequence[Any],
        prepare: Callable[[Any], Any] = lambda one: one,
        unit: int = 1,
    ) -> list[tuple[Kept, Any]]:
        """Return the large result of each task, in order, and what JSON has beside it. Each task is a step.

        Args:
            name, function, given, prepare: as for `map`.
            unit: what a task counts in reports.
        """
        found: list[tuple[Kept, Any]] = []
        with _Tasks(self._pool, function, given, prepare) as tasks:
            for number in range(len(given)):
                found.append(self.steps.keep(name, lambda number=number: tasks.result(number)))  # type: ignore[misc]
                self.report(name, unit * (number + 1), unit * len(given))
        return found

    def net(self, name: str, compute: Callable[[], tuple[ValueNet, Sequence[float]]]) -> TrainedNet:
        """Return a net with its losses, computed in this thread as one step."""

        def content() -> tuple[bytes, Any]:
            net, losses = compute()
            return net.to_bytes(), list(losses)

        return TrainedNet(self.learner.games, *self.steps.keep(name, content))


class Learner(ABC):
    """What is special about the training of a kind of game.

    Attributes:
        games: variants of one game with the same encoding. The net is for all of them.
        games_of_test: between a generation and the best one before, in pairs.
    """

    games: Sequence[Game]
    games_of_test: int

    @abstractmethod
    def identity(self) -> dict[str, Any]:
        """Return all that the nets depend on, apart from the seed and the games, as JSON has it."""

    @abstractmethod
    def candidate(self, run: Run, number: int, best: TrainedNet | None, last: TrainedNet | None) -> Candidate:
        """Return the net of a generation.

        Args:
            run: the training.
            number: of the generation, 1 and up.
            best: the best net so far; None in the first generation.
            last: the net of the generation before; None in the first generation.
        """

    @abstractmethod
    def shares(self, run: Run, number: int, net: TrainedNet, best: TrainedNet, games: range) -> list[float]:
        """Return the shares of the points that a net earns in games against the best one, in one step.

        Args:
            run: the training.
            number: of the generation.
            net: of this generation.
            best: the best net so far.
            games: their numbers. The games of a pair, 2 n and 2 n + 1, have the same seeds and exchanged seats.
        """


def train_generations(
    learner: Learner,
    *,
    generations: int,
    seed: int = 0,
    workers: int = 1,
    pool: Pool | None = None,
    seconds: float | None = None,
    verdict: Verdict | None = None,
    on_progress: Report | None = None,
    on_generation: Callable[[Generation, ValueNet | None], object] | None = None,
    steps: str | os.PathLike[str] | None = None,
) -> ValueNet:
    """Train nets, one generation after the other, and return the best one.

    The folder `steps` gets the result of each step when it is done. If it exists, the training goes on after its last
    step, and gives the net that it would have given without the interruption. After the last generation, the folder is
    removed.

    Args:
        learner: what is special about the games.
        generations: number of nets.
        seed: root of all random streams. The result does not depend on `workers` or `pool`.
        workers: threads, without a pool.
        pool: where the tasks run; None: threads. It stays open.
        seconds: end after the generation after which another one would exceed this time, that of earlier runs
            included; the folder stays, so the training can go on. None: no limit.
        verdict: ends the games between two nets early; None: all are played. Without a verdict of it, the new net is
            better if `compared` says so.
        on_progress: called often.
        on_generation: called with each generation and the best net so far; with None in place of the net if the folder
            has later steps.
        steps: path of the folder of finished steps; None: an interruption loses all.

    Raises:
        NetFileError: the folder of steps is of another training, damaged, or cannot be written.
        ValueError: a number is out of range.
    """
    whole_number_in("generations", generations, 1, 1 << 20, ValueError)
    known = {**learner.identity(), "seed": seed, "games": [game.spec for game in learner.games]}
    finished = TrainingSteps(steps, json.loads(json.dumps(known)))
    report = on_progress or (lambda name, done, total: None)
    if finished.finished:
        report(RESUMED, finished.finished, finished.finished)
    best: TrainedNet | None = None
    last: TrainedNet | None = None
    longest = 0.0
    with ExitStack() as stack:
        run = Run(learner, seed, finished, pool or stack.enter_context(ThreadPoolExecutor(workers)), report)
        for number in range(1, generations + 1):
            began = finished.seconds
            net, examples = learner.candidate(run, number, best, last)
            shares, kept = ([], True) if best is None else _tested(run, number, net, best, verdict)
            points, error = compared(shares)[:2] if shares else (None, None)
            used = (best, last)
            best, last = net if kept else best, net
            assert best is not None
            if on_generation is not None:
                loss, policy_loss = net.losses
                found = (number, examples, loss, policy_loss, tuple(shares), points, error, kept, finished.seconds)
                on_generation(Generation(*found), None if finished.are_left else best.net)
            for one in used:
                if one is not None and one not in (best, last):
                    one.drop()
            longest = max(longest, finished.seconds - began)
            if number < generations and seconds is not None and finished.seconds + longest > seconds:
                return best.net
    assert best is not None
    result = best.net
    finished.remove()
    return result


def compared(shares: Sequence[float]) -> tuple[float, float, bool]:
    """Return the mean of the shares of points, its standard error, and if a net with this result replaces another one.

    shares: of games in pairs that follow each other. The games of a pair have the same seeds and exchanged seats, so
        their mean is one observation.
    """
    pairs = np.array(shares).reshape(-1, 2).mean(axis=1)
    points, error = float(pairs.mean()), float(pairs.std(ddof=1) / math.sqrt(len(pairs)))
    return points, error, points > 0.5 and points >= 0.5 + error


def _tested(
    run: Run, number: int, net: TrainedNet, best: TrainedNet, verdict: Verdict | None
) -> tuple[list[float], bool]:
    """Return the shares of the points of a net in games against the best one, and if it replaces it."""
    total = (run.learner.games_of_test + 1) // 2 * 2
    shares: list[float] = []
    while len(shares) < total:
        end = total if verdict is None else min(total, len(shares) + _TEST_GAMES)
        shares += run.learner.shares(run, number, net, best, range(len(shares), end))
        found = None if verdict is None else verdict(shares)
        if found is not None:
            return shares, found
    return shares, compared(shares)[2]


class _Tasks:
    """Tasks in a pool. They are submitted when the first result is asked for; the end of the block cancels the rest."""

    def __init__(
        self, pool: Pool, function: Callable[[Any], Any], given: Sequence[Any], prepare: Callable[[Any], Any]
    ) -> None:
        self._pool, self._function, self._given, self._prepare = pool, function, given, prepare
        self._futures: dict[int, Future[Any]] = {}

    def __enter__(self) -> _Tasks:
        return self

    def result(self, number: int) -> Any:
        """Return the result of a task. Results are asked for in order."""
        if not self._futures:
            self._futures = {
                later: self._pool.submit(self._function, self._prepare(self._given[later]))
                for later in range(number, len(self._given))
            }
        return self._futures.pop(number).result()

    def __exit__(self, *error: object) -> None:
        for future in self._futures.values():
            future.cancel()
