"""Games, states, views and actions of the core, and random playouts in bulk."""

from __future__ import annotations

import os
from typing import Any

from cext.arguments import require, seed_bits
from cext.game.actions import Action
from cext.game.drawing import set_drawing
from cext.game.game import CHANCE, NOOP, SIMULTANEOUS, TERMINAL, Game, State, View
from cext.game.playouts import UNIT, perft, play_chunks

from .errors import ParameterError
from .limits import read_whole
from .primitives.in_use import HAS_THREADS

__all__ = ["CHANCE", "NOOP", "SIMULTANEOUS", "TERMINAL", "Action", "Game", "State", "View", "perft", "playouts"]


def _draw(position: State | View, **look: Any) -> str:
    """Import the pictures when the first is drawn, which keeps the import of `mcts` quick."""
    from .pictures.positions import position_to_svg

    return position_to_svg(position, **look)


set_drawing(_draw)


def player_number(game: Game, player: int | str) -> int:
    """Return the number of a player of a game, which is given by this number or its name. Raises ParameterError."""
    players = game.players
    if isinstance(player, str) and player in players:
        return players.index(player)
    if type(player) is int and 0 <= player < len(players):
        return player
    raise ParameterError(
        f"unknown player {player!r} in {game.spec}; valid: {', '.join(players)}, or 0 to {len(players) - 1}"
    )


def playouts(state: State, count: int, *, seed: int = 0, threads: int = 1) -> list[float]:
    """Return the mean returns of random play from a state.

    Actions are drawn evenly from the legal ones if these can be listed, else by the distribution that the game defines.
    The result does not depend on the number of threads. Ctrl-C stops the playouts.

    Args:
        state: the first state of each playout; not changed.
        count: number of playouts, 1 to 2**32 - 1.
        seed: root of all random streams; any whole number, taken modulo 2**64.
        threads: number of threads, 1 to 1024.

    Returns:
        [num_players], on the game's own scale.

    Raises:
        LimitError: `count` or `threads` is out of range.
        TypeError: `state` is not a State, or `seed` is not a whole number.

    Example:
        >>> state = mcts.load_game("mnk").new_initial_state()
        >>> mcts.playouts(state, 1000, seed=1)
        [62.45, 37.55]
    """
    require(State, state, "a state, as game.new_initial_state() returns it")
    count = read_whole("count", count, 1, 2**32 - 1)
    threads = read_whole("threads", threads, 1, 1024)
    stops: list[bool] = []  # the playouts end when it is not empty
    seed = seed_bits(seed)
    if threads == 1 or not HAS_THREADS:
        totals = [play_chunks(state, seed, count, 0, 1, stops)]
    else:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(min(threads, 4 * (os.cpu_count() or 1))) as pool:
            try:  # an interrupt may come between two submissions
                jobs = [pool.submit(play_chunks, state, seed, count, i, threads, stops) for i in range(threads)]
                totals = [job.result() for job in jobs]
            except BaseException:
                stops.append(True)
                raise
    return [sum(column) / (count * UNIT) for column in zip(*totals, strict=True)]
