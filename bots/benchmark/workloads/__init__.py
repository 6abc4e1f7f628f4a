"""Workloads, one file for each group; each file assigns a tuple of workloads to `WORKLOADS`.

The package imports nothing of `bots.benchmark`, so that a comparison of two installations can load it from a path and
measure both with the same definitions.
"""

from __future__ import annotations

import importlib
import pkgutil

from .workload import Workload

HELPERS = {"child", "workload"}
"""Files without workloads."""

__all__ = ["Workload", "all_workloads"]


def all_workloads() -> tuple[Workload, ...]:
    """Return the workloads of all files, by the name of the file and in its order.

    Raises:
        ValueError: two workloads have the same name.
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name not in HELPERS)
    found = [workload for name in names for workload in importlib.import_module(f"{__name__}.{name}").WORKLOADS]
    repeated = {workload.name for workload in found if [other.name for other in found].count(workload.name) > 1}
    if repeated:
        raise ValueError(f"several workloads are called {', '.join(sorted(repeated))}")
    return tuple(found)
