"""Copies of this process that a bot makes by `os.fork`: one that leaves the code of the bot must not play on."""

from __future__ import annotations

import os

_generation = 0


def generation() -> int:
    """How many forks lie between the first process of the program and this one."""
    return _generation


def end_copies(original: int) -> None:
    """End this process if it has been forked since it had the generation `original`."""
    if _generation != original:
        os._exit(0)


def _count() -> None:
    global _generation
    _generation += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count)
