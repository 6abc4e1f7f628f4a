"""The loop of a training: generations of nets, each of which learns from what the one before finds."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field

import numpy as np

from cext.arguments import whole_number_in

from ..nets.net_file import FORMAT_VERSION
from ..nets.value_net import ValueNet
from .game_learner import GameLearner
from .run import Pool, Report, Run, TrainedNet
from .steps import TrainingSteps

RESUMED = "steps of an interrupted run"
"""Stage that a training reports first if the folder has finished steps."""
_TEST_PAIRS = 8
"""Pairs of games between two looks of a test at the results."""
_LEVEL = 0.5
"""Share of the points of two equal nets. The later one is kept then: it has learned from more games."""

Verdict = Callable[[Sequence[float]], bool | None]
"""A sequential test: called with the shares of the points in all games so far, in pairs. True: the new net is better;
False: it is not; None: more games are needed."""


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


def train_generations(
    learner: GameLearner,
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

    The folder `steps` gets the result of each step when it is done. If it exists, the training continues after its last
    step, and gives the net that it would have given without the interruption. After the last generation, the folder is
    removed.

    Args:
        learner: makes the nets and plays them against each other.
        generations: number of nets.
        seed: root of all random streams. The result does not depend on `workers` or `pool`.
        workers: threads, without a pool.
        pool: where the tasks run; None: threads. It stays open.
        seconds: end after the generation after which another one would exceed this time, that of earlier runs
            included; the folder stays, so the training can go on. None: no limit.
        verdict: ends the games between two nets early; None: all are played. The new net is kept if the verdict is
            True, without a verdict if `compared` says so, and always if the points are level.
        on_progress: called often.
        on_generation: called with each generation and the best net so far; with None in place of the net if the folder
            has later steps.
        steps: path of the folder of finished steps; None: an interruption loses all.

    Raises:
        NetFileError: the folder of steps is of another training, damaged, or cannot be written.
        ValueError: a number is out of range.
    """
    whole_number_in("generations", generations, 1, 1 << 20, ValueError)
    known = {**asdict(learner.recipe), "seed": seed, "game": learner.game.spec, "net_format": FORMAT_VERSION}
    finished = TrainingSteps(steps, json.loads(json.dumps(known)))
    report = on_progress or (lambda name, done, total: None)
    if finished.finished:
        report(RESUMED, finished.finished, finished.finished)
    best: TrainedNet | None = None
    last: TrainedNet | None = None
    longest = 0.0
    with ExitStack() as stack:
        run = Run(learner.game, seed, finished, pool or stack.enter_context(ThreadPoolExecutor(workers)), report)
        for number in range(1, generations + 1):
            began = finished.seconds
            net, examples = learner.candidate(run, number, last)
            shares, kept = ([], True) if best is None else _tested(learner, run, number, net, best, verdict)
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
    return points, error, points == _LEVEL or (points > _LEVEL and points >= _LEVEL + error)


def _tested(
    learner: GameLearner, run: Run, number: int, net: TrainedNet, best: TrainedNet, verdict: Verdict | None
) -> tuple[list[float], bool]:
    """Return the shares of the points of a net in games against the best one, and if it replaces it."""
    pairs = range((learner.recipe.games + 1) // 2)
    together = len(pairs) if verdict is None else _TEST_PAIRS
    shares: list[float] = []
    found = None
    for begin in pairs[::together]:
        shares += learner.shares(run, number, net, best, pairs[begin : begin + together])
        found = None if verdict is None else verdict(shares)
        if found is not None:
            break
    points, _, is_better = compared(shares)
    return shares, points == _LEVEL or (is_better if found is None else found)
