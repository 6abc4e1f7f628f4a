"""Calls of the methods of states and views from Python, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import repeat
from typing import Any

import mcts

from .workload import Workload

TURNS, JOINT, HIDDEN = "mnk(m=5,n=5,k=4)", "bidding_ttt(coins=3)", "bidding_3d_ttt(chips=80,recapture=false)"
"""A game in turns, one in which both players decide at once, and one with hidden bids."""
SEED = 3
CALLS = 20_000


def random_game(spec: str) -> tuple[mcts.State, list[tuple[mcts.Action, ...]]]:
    """Return the first state and the joint actions of a random game."""
    state = mcts.load_game(spec).new_initial_state()
    first = state.clone()
    while not state.is_terminal():
        state.apply_actions([state.sample_action(player, SEED) for player in range(state.game.num_players)])
    return first, state.history()


def middle(spec: str) -> mcts.State:
    """Return the state after half of a random game, or soon after it: all players decide there who do at the start."""
    state, history = random_game(spec)
    acting = len(state.acting_players())
    for ply, joint in enumerate(history):
        if ply >= len(history) // 2 and len(state.acting_players()) == acting:
            break
        state.apply_actions(joint)
    return state


def call(function: Callable[[], Any], count: int) -> None:
    """Call a function `count` times."""
    for _ in repeat(None, count):
        function()


def each_call(function: Callable[[mcts.State], Callable[[], Any]], spec: str, count: int) -> Callable[[], None]:
    """Return a function that calls a method of the middle state of a random game `count` times."""
    return partial(call, function(middle(spec)), count)


def replay(method: str, first: mcts.State, actions: Iterable[Any], games: int) -> None:
    """Play the same game `games` times, each on a new copy of the first state."""
    for _ in repeat(None, games):
        apply = getattr(first.clone(), method)
        for action in actions:
            apply(action)


def applied(method: str, spec: str, count: int) -> Callable[[], None]:
    """Return a function that applies `count` actions, in whole games."""
    first, history = random_game(spec)
    actions = [max(joint) for joint in history] if method == "apply_action" else history
    if count % len(actions):
        raise ValueError(f"{count} actions are not whole games of {len(actions)} actions of {spec}")
    return partial(replay, method, first, actions, count // len(actions))


def applications(method: str, spec: str) -> Workload:
    """Return a workload of whole games, about CALLS actions."""
    length = len(random_game(spec)[1])
    units = CALLS // length * length
    name = f"states/{method}, {spec}"
    return Workload(name, "calls", units, partial(applied, method, spec), short_units=length, quick=True)


def _joint_child(state: mcts.State) -> Callable[[], Any]:
    return partial(state.child, tuple(state.legal_actions(player)[0] for player in state.acting_players()))


METHODS: tuple[tuple[str, str, Callable[[mcts.State], Callable[[], Any]]], ...] = (
    ("legal_actions", TURNS, lambda state: state.legal_actions),
    ("clone", TURNS, lambda state: state.clone),
    ("child", TURNS, lambda state: partial(state.child, state.legal_actions()[0])),
    ("child", JOINT, _joint_child),
    ("view", TURNS, lambda state: partial(state.view, state.current_player())),
    ("view", HIDDEN, lambda state: partial(state.view, 0)),
    ("View.legal_actions", TURNS, lambda state: state.view(state.current_player()).legal_actions),
    ("View.resample", HIDDEN, lambda state: partial(state.view(0).resample, SEED)),
    ("to_text", TURNS, lambda state: state.to_text),
)

WORKLOADS = (
    applications("apply_action", TURNS),
    applications("apply_actions", JOINT),
    *(
        Workload(
            f"states/{name}, {spec}",
            "calls",
            CALLS // 10 if spec == HIDDEN else CALLS,
            partial(each_call, function, spec),
            short_units=10,
            quick=name in ("legal_actions", "clone", "child") and spec == TURNS,
        )
        for name, spec, function in METHODS
    ),
)
