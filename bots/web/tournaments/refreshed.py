"""`Refreshed`: answers from a file that another process changes, computed in a thread and kept for a while."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcts import PlayoutError

from ..analysis.scheduler import Asker, Scheduler
from ..problems import Problem, problem_of

LEAST_SECONDS = 0.5
"""Shortest time for which an answer is cached."""
SHARE = 4
"""Cache an answer for this multiple of its computation time."""
_MOST_KEPT = 64
_SETTLED_SECONDS = 1.0
"""Age of the last change of a file from which its times and sizes show a further change."""

_FileState = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Answer:
    """The body of an answer."""

    body: bytes
    """JSON."""
    etag: str
    """Weak entity tag: equal for equal bodies."""


@dataclass(frozen=True)
class _Kept:
    outcome: Answer | Problem
    state: _FileState | None
    """State of the file before it was read; None if a further change might not show in it."""
    seconds: float
    """Time that it took."""
    until: float
    """Time on the monotonic clock until which it is given again."""


class Refreshed:
    """Computes answers from a file, at most one at a time, and only as often as it can.

    Args:
        path: path of an SQLite file, which has a write-ahead log beside it.
        pool: threads for the work.
    """

    def __init__(self, path: str, pool: Scheduler) -> None:
        self._path = path
        self._pool = pool
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._tasks: dict[Hashable, asyncio.Task[_Kept]] = {}

    async def answer(self, key: Hashable, compute: Callable[[], Any]) -> Answer:
        """Return the answer for a key. All who ask for the same one meanwhile share the work.

        Args:
            key: identifies the answer.
            compute: returns plain data from the file. It runs in a thread.

        Raises:
            Problem: `compute` has raised a Problem or a PlayoutError, or too many answers wait for their turn.
        """
        kept = self._kept.get(key)
        if kept is None or time.monotonic() >= kept.until:
            task = self._tasks.get(key)
            if task is None:
                task = self._tasks[key] = asyncio.create_task(self._refresh(key, compute))
                task.add_done_callback(lambda done: self._ended(key, done))
            kept = await asyncio.shield(task)
        if isinstance(kept.outcome, Problem):
            raise kept.outcome
        return kept.outcome

    def _ended(self, key: Hashable, task: asyncio.Task[_Kept]) -> None:
        del self._tasks[key]
        if not task.cancelled():
            task.exception()  # those who wait raise it; they may all have left

    async def _refresh(self, key: Hashable, compute: Callable[[], Any]) -> _Kept:
        kept = await self._pool.run(Asker(), lambda: self._computed(self._kept.get(key), compute))
        self._kept[key] = kept
        self._kept.move_to_end(key)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return kept

    def _computed(self, before: _Kept | None, compute: Callable[[], Any]) -> _Kept:
        begun = time.monotonic()
        state = _state_of(self._path)
        if before is not None and before.state is not None and before.state == state:
            return _Kept(before.outcome, state, before.seconds, begun + max(LEAST_SECONDS, SHARE * before.seconds))
        outcome: Answer | Problem
        try:
            body = json.dumps(compute(), allow_nan=False).encode()
            outcome = Answer(body, f'W/"{hashlib.sha256(body).hexdigest()[:16]}"')
        except (Problem, PlayoutError) as error:
            outcome = problem_of(error)
        now = time.monotonic()
        return _Kept(outcome, state, now - begun, now + max(LEAST_SECONDS, SHARE * (now - begun)))


def _state_of(path: str) -> _FileState | None:
    """Return what changes with a file: identity, size and time of the file and of its log.

    None if the last change was a moment ago: a further one could leave the same size, and the same time on a clock
    that counts in steps.
    """
    found: list[tuple[int, int, int]] = []
    for name in (path, f"{Path(path).resolve()}-wal"):
        try:
            status = Path(name).stat()
        except OSError:
            found.append((0, 0, 0))
            continue
        if time.time() - status.st_mtime < _SETTLED_SECONDS:
            return None
        found.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(found)
