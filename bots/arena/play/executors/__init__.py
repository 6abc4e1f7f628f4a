"""Where games are played: executors in the sense of `concurrent.futures`, made by name.

An executor of the arena has one attribute more, `slots`: how many tasks it can work at side by side, which may change.
A task whose worker dies or hangs ends with a `LostError`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from ....errors import TournamentError
from .base import ArenaExecutor, LostError
from .processes import ProcessExecutor
from .threads import ThreadExecutor

PROCESSES = "processes"
ISOLATED = "isolated"
THREADS = "threads"
DASK = "dask://"

__all__ = ["DASK", "ISOLATED", "PROCESSES", "THREADS", "ArenaExecutor", "LostError", "open_executor"]


def open_executor(name: str, workers: int) -> AbstractContextManager[ArenaExecutor]:
    """An executor, which is shut down at the end of a `with` block; what it is doing then is given up.

    Args:
        name: PROCESSES, ISOLATED for processes in which each bot runs in one of its own, THREADS, or
            `dask://HOST:PORT` of a scheduler.
        workers: how many work at the same time, 1 and up; a cluster has its own number.

    Raises:
        TournamentError: no such executor, or the cluster cannot be reached.
    """
    if name == PROCESSES:
        return ProcessExecutor(workers)
    if name == ISOLATED:
        return ProcessExecutor(workers, isolates_bots=True)
    if name == THREADS:
        return ThreadExecutor(workers)
    if name.startswith(DASK) and len(name) > len(DASK):
        from .dask import DaskExecutor  # not needed by those who have no cluster

        return DaskExecutor(name.removeprefix(DASK))
    raise TournamentError(f"no executor {name!r}; valid: {PROCESSES}, {ISOLATED}, {THREADS}, {DASK}HOST:PORT")
