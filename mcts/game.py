"""Games, states and views as a library user meets them, and random playouts in bulk."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from cext.actions import Action
from cext.arguments import require, seed_bits
from cext.game import NOOP, SIMULTANEOUS, TERMINAL, Game, State, View
from cext.playouts import UNIT, play_chunks

from .limits import read_whole

__all__ = ["NOOP", "SIMULTANEOUS", "TERMINAL", "Action", "Game", "State", "View", "playouts"]


class _Stop:
    """True once somebody has called `stop`; shared between threads."""

    def __init__(self) -> None:
        self._stopped = False

    def stop(self) -> None:
        self._stopped = True

    def __bool__(self) -> bool:
        return self._stopped


def playouts(state: State, count: int, *, seed: int = 0, threads: int = 1) -> NDArray[np.float64]:
    """Mean returns of random play from a state.

    Play is uniform over the legal actions where they can be listed, else by the policy that the game's file states.
    The same seed gives the same means whatever the number of threads. Ctrl-C stops it.

    Args:
        state: where every playout begins; not changed.
        count: how many, 1 to 2**32 - 1.
        seed: root of all random streams; any whole number.
        threads: how many threads share the work, 1 to 1024.

    Returns:
        float64 [num_players], on the game's own scale.

    Raises:
        LimitError: count or threads out of range.
        TypeError: `state` is not a State, or the seed not a whole number.
    """
    require(State, state, "a state, as game.new_initial_state() returns it")
    count = read_whole("count", count, 1, 2**32 - 1)
    threads = read_whole("threads", threads, 1, 1024)
    stop = _Stop()
    seed = seed_bits(seed)
    if threads == 1:
        totals = [play_chunks(state, seed, count, 0, 1, stop)]
    else:
        with ThreadPoolExecutor(min(threads, 4 * (os.cpu_count() or 1))) as pool:
            jobs = [pool.submit(play_chunks, state, seed, count, i, threads, stop) for i in range(threads)]
            try:
                totals = [job.result() for job in jobs]
            except BaseException:
                stop.stop()
                raise
    return np.array([sum(column) for column in zip(*totals, strict=True)]) / (count * UNIT)
