"""Processor affinity of workers, so that the system does not move them between processors.

Linux has it. On other systems workers run on any processor.
"""

from __future__ import annotations

import os
from collections.abc import Iterable


def share_of_cpus(index: int, workers: int) -> tuple[int, ...]:
    """Return the processors for a worker.

    Args:
        index: of the worker, 0 to workers - 1.
        workers: number of workers.

    Returns:
        Numbers of processors; empty if there are fewer processors than workers, or if the system has no affinity.
    """
    if not hasattr(os, "sched_getaffinity"):
        return ()
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < workers:
        return ()
    return tuple(cpus[index * len(cpus) // workers : (index + 1) * len(cpus) // workers])


def set_affinity(cpus: Iterable[int]) -> None:
    """Restrict this process to some processors. An empty argument changes nothing."""
    chosen = set(cpus)
    if chosen:
        os.sched_setaffinity(0, chosen)
