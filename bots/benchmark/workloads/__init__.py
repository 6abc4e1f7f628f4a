"""Workloads, one file for each group; each file assigns a tuple of workloads to `WORKLOADS`."""

from __future__ import annotations

from .workload import Workload, workloads_of

__all__ = ["Workload", "all_workloads"]


def all_workloads() -> tuple[Workload, ...]:
    """Return the workloads of all files. Raises ValueError."""
    return workloads_of(__name__, __path__)
