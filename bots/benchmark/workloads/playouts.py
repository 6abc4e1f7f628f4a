"""Random playouts on one thread, from the first state of every game to its end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import mcts
from cext.parameters import Choice, Flag
from mcts.registry import native_games

from .workload import Workload

SEED = 1
COUNTS = {
    "bidding_3d_ttt(chips=80,recapture=false)": 20_000,
    "bidding_3d_ttt(chips=80,recapture=true)": 20_000,
    "chess(chess960=false)": 20_000,
    "chess(chess960=true)": 20_000,
    "go(size=9,komi=7,handicap=none)": 200_000,
}
"""Playouts of a round in slow games."""
COUNT = 2_000_000
WITHOUT_REFERENCE = frozenset({"chess", "dark_mnk", "go"})


def specs() -> tuple[str, ...]:
    """Return the specs of all registered games: with default parameters, and with each value of flags and choices."""
    found = []
    for name in native_games():
        found.append(mcts.load_game(name).spec)
        for parameter, kind in mcts.game_info(name).parameters.items():
            options = kind.options if isinstance(kind, Choice) else (False, True) if isinstance(kind, Flag) else ()
            found += [mcts.load_game(name, **{parameter: option}).spec for option in options if option != kind.default]
    return tuple(found)


def _is_quick(spec: str) -> bool:
    """Return True for a game with default parameters and without chance of which the reference machine has a rate."""
    game = mcts.load_game(spec)
    return game == mcts.load_game(game.name) and not game.has_chance and game.name not in WITHOUT_REFERENCE


def prepare(spec: str, count: int) -> Callable[[], Any]:
    """Return a function that plays `count` games at random."""
    state = mcts.load_game(spec).new_initial_state()
    return partial(mcts.playouts, state, count, seed=SEED)


WORKLOADS = tuple(
    Workload(
        f"playouts/{spec}",
        "playouts",
        COUNTS.get(spec, COUNT),
        partial(prepare, spec),
        short_units=100,
        quick=_is_quick(spec),
    )
    for spec in specs()
)
