"""Executors by name.

The executor called `name` is in `bots/arena/play/executors/name.py`, whose `EXECUTOR` is its class; no other file names
it. An executor of another package is named by the path of its class, `package.module.Class`, or registered under a
short name by `register_executor`.
"""

from __future__ import annotations

import sys
from functools import cache

from mcts.primitives.class_path import named_class
from mcts.registry import modules_of, register

from ....errors import TournamentError
from ..executor import ArenaExecutor

DEFAULT_EXECUTOR = "processes"
_SEPARATOR = "://"

_registered: dict[str, type[ArenaExecutor]] = {}


def register_executor(kind: type[ArenaExecutor]) -> None:
    """Make an executor of another package known to `open_executor` under its `NAME`.

    Raises:
        TournamentError: `NAME` is not letters, digits and underscores, or is taken.
    """
    register("an executor", _registered, kind.NAME, kind, registered_executors(), TournamentError)


def registered_executors() -> dict[str, type[ArenaExecutor]]:
    """Return name -> class of all executors that are known by name, sorted by name."""
    return dict(sorted({**_own_executors(), **_registered}.items()))


def executor_forms() -> list[str]:
    """Return the texts that name the known executors, such as `threads` and `dask://HOST:PORT`."""
    kinds = registered_executors().items()
    return [name + (_SEPARATOR + kind.ADDRESS if kind.ADDRESS else "") for name, kind in kinds]


def open_executor(text: str, workers: int) -> ArenaExecutor:
    """Return the executor that a text names. It is a context manager; the end of its block cancels running tasks.

    Args:
        text: `NAME` or `NAME://ADDRESS` of a known executor, or the path of a class, which is imported.
        workers: number of games to play at the same time, 1 and up; a cluster has its own number.

    Raises:
        TournamentError: there is no such executor, the address is missing or superfluous, or it cannot be reached.
    """
    name, separator, address = text.partition(_SEPARATOR)
    if "." in name:
        base = "bots.arena.play.executor.ArenaExecutor"
        return named_class("executor", name, ArenaExecutor, base, TournamentError).open(workers, address)
    kind = registered_executors().get(name)
    if kind is None or bool(kind.ADDRESS) != bool(address) or bool(separator) != bool(address):
        raise TournamentError(
            f"unknown executor {text!r}; valid: {', '.join(executor_forms())}, "
            "or the path of a class, package.module.Class"
        )
    return kind.open(workers, address)


@cache
def _own_executors() -> dict[str, type[ArenaExecutor]]:
    """Return name -> class of the executors in this folder."""
    return {module.EXECUTOR.NAME: module.EXECUTOR for module in modules_of(sys.modules[__name__])}
