"""Executor that runs every bot in a process of its own."""

from __future__ import annotations

from .processes import ProcessExecutor


class IsolatedExecutor(ProcessExecutor):
    """Executor of processes in which no bot runs: every bot has a process below the worker process."""

    NAME = "isolated"
    isolates_bots = True


EXECUTOR = IsolatedExecutor
