"""Each worker's share of the processors, so that the system moves none of them about."""

from __future__ import annotations

import os
from collections.abc import Iterable


def share_of_cpus(index: int, workers: int) -> tuple[int, ...]:
    """The processors for a worker; empty where there are fewer of them than workers, or the system does not say.

    Args:
        index: of the worker, 0 to workers - 1.
        workers: how many there are.
    """
    if not hasattr(os, "sched_getaffinity"):
        return ()
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < workers:
        return ()
    return tuple(cpus[index * len(cpus) // workers : (index + 1) * len(cpus) // workers])


def keep_to(cpus: Iterable[int]) -> None:
    """Let this process run on these processors only; nothing happens where there are none."""
    chosen = set(cpus)
    if chosen:
        os.sched_setaffinity(0, chosen)
