"""A running training: tasks in a pool, whose results are steps."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import cached_property
from typing import Any, Protocol, TypeVar

from cext.game.game import Game

from ..nets.net_file import from_bytes
from ..nets.value_net import ValueNet, net_of
from .steps import Kept, TrainingSteps

Found = TypeVar("Found")
Report = Callable[[str, int, int], object]
"""Called with a stage of the training, and how much of it is done, of how much."""


class TrainedNet:
    """A net that a step of a training has made. It is read from its file when it is first used.

    Args:
        game: that the net is for.
        kept: its file.
        losses: what `Run.net` was given beside the net.
    """

    def __init__(self, game: Game, kept: Kept, losses: Sequence[float]) -> None:
        self._game, self._kept, self.losses = game, kept, losses

    @cached_property
    def net(self) -> ValueNet:
        """The net. Raises NetFileError: its file is missing or damaged."""
        return net_of(self._game, from_bytes(self._kept.read()))

    def drop(self) -> None:
        """Remove the file of the net."""
        self._kept.drop()


class Pool(Protocol):
    """An executor of tasks, such as those of `concurrent.futures`."""

    def submit(self, function: Callable[[Any], Any], given: Any, /) -> Future[Any]:
        """Call the function, now or later."""
        ...


class Run:
    """A running training.

    Args:
        game: that the nets are for.
        seed: root of all random streams.
        steps: the finished steps.
        pool: where the tasks run.
        report: called often.
    """

    def __init__(self, game: Game, seed: int, steps: TrainingSteps, pool: Pool, report: Report) -> None:
        self.report = report
        self._game, self._seed, self._steps, self._pool = game, seed, steps, pool

    def draw(self, *numbers: object) -> random.Random:
        """Return the random numbers of one task."""
        return random.Random("/".join(map(str, (self._seed, *numbers))))

    def map(
        self,
        name: str,
        function: Callable[[Any], Found],
        given: Sequence[Any],
        prepare: Callable[[Any], Any],
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

        return self._steps.do(name, compute)

    def keep(
        self,
        name: str,
        function: Callable[[Any], tuple[bytes, Any]],
        given: Sequence[Any],
        prepare: Callable[[Any], Any],
        unit: int,
    ) -> list[tuple[Kept, Any]]:
        """Return the large result of each task, in order, and what JSON has beside it. Each task is a step.

        Args:
            name, function, given, prepare: as for `map`.
            unit: what a task counts in reports.
        """
        found: list[tuple[Kept, Any]] = []
        with _Tasks(self._pool, function, given, prepare) as tasks:
            for number in range(len(given)):
                found.append(self._steps.keep(name, lambda number=number: tasks.result(number)))  # type: ignore[misc]
                self.report(name, unit * (number + 1), unit * len(given))
        return found

    def net(self, name: str, compute: Callable[[], tuple[ValueNet, Sequence[float]]]) -> TrainedNet:
        """Return a net with its losses, computed in this thread as one step."""

        def content() -> tuple[bytes, Any]:
            net, losses = compute()
            return net.to_bytes(), list(losses)

        return TrainedNet(self._game, *self._steps.keep(name, content))


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
