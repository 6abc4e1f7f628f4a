"""All workloads, one file for each group: those of `bots/benchmark/workloads` are files of this package, too.

The package imports nothing of `bots.benchmark`, so that a comparison of two installations can load it from a path and
measure both with the same definitions.
"""

from __future__ import annotations

from pathlib import Path

__path__.append(str(Path(__file__).parent.parent.parent / "bots" / "benchmark" / "workloads"))

from .workload import Workload, workloads_of  # noqa: E402 (found by the line above)

__all__ = ["Workload", "all_workloads"]


def all_workloads() -> tuple[Workload, ...]:
    """Return the workloads of all files. Raises ValueError."""
    return workloads_of(__name__, __path__)
