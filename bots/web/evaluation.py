"""The evaluation of a match that is over: the value of every position, and the cost of every action."""

from __future__ import annotations

from typing import Any

from mcts import MCTS, SampledMCTS, Solution, State

from .exact_values import exact_dict
from .served_match import Snapshot

SIMULATIONS = 2000
"""Simulations of the search of a position."""


def evaluation_of(snapshot: Snapshot, solution: Solution | None) -> dict[str, Any]:
    """Return the values of all positions of a match that is over.

    Args:
        snapshot: the match.
        solution: of its game; None: positions are searched.
    """
    game = snapshot.states[0].game
    can_list = MCTS.why_unsupported(game) is None
    searcher = MCTS(game, solver=True, memory_mb=64) if can_list else None
    plies = []
    for number, state in enumerate(snapshot.states):
        joint = snapshot.joints[number] if number < snapshot.ply else None
        if state.is_terminal():
            plies.append(_entry(state, list(state.returns()), {}, True))
        elif solution is not None and not state.is_chance():
            plies.append(_exact_entry(solution, state, joint))
        elif solution is not None:
            plies.append(_entry(state, solution.value(state), {}, True))
        elif state.is_chance():
            plies.append(_entry(state, None, {}, False))
        elif searcher is not None:
            plies.append(_searched_entry(searcher, state, joint))
        else:
            plies.append(_sampled_entry(state))
    return {"exact": solution is not None, "plies": plies}


def _exact_entry(solution: Solution, state: State, joint: Any) -> dict[str, Any]:
    found = exact_dict(solution, state)
    costs = {}
    for seat in state.acting_players() if joint is not None else ():
        costs[state.game.players[seat]] = max(0.0, solution.loss(state, seat, joint[seat]))
    best = {
        name: max(actions, key=lambda entry: entry["value"])["action"] for name, actions in found["actions"].items()
    }
    return _entry(state, list(found["values"].values()), costs, True, best)


def _searched_entry(searcher: MCTS, state: State, joint: Any) -> dict[str, Any]:
    found = searcher.run(state, simulations=SIMULATIONS)
    costs: dict[str, float] = {}
    best: dict[str, str] = {}
    for seat in found.arms:
        mine = found.for_player(seat)
        name = state.game.players[seat]
        best[name] = state.action_to_string(seat, max(mine.policy.items(), key=lambda item: item[1])[0])
        if joint is not None and (value := mine.action_values.get(joint[seat])) is not None:
            costs[name] = max(0.0, found.values[seat] - value)
    return _entry(state, list(found.values), costs, found.proven, best)


def _sampled_entry(state: State) -> dict[str, Any]:
    """Return the entry of a state with sealed bids: the mean of what both players would expect."""
    searcher = SampledMCTS(state.game)
    found = [searcher.run(state.view(seat), simulations=SIMULATIONS // 4).values for seat in state.acting_players()]
    values = [sum(column) / len(found) for column in zip(*found, strict=True)]
    return _entry(state, values, {}, False)


def _entry(
    state: State, values: list[float] | None, costs: dict[str, float], proven: bool, best: dict[str, str] | None = None
) -> dict[str, Any]:
    players = state.game.players
    return {
        "values": None if values is None else dict(zip(players, values, strict=True)),
        "costs": costs,
        "best": best or {},
        "proven": proven,
    }
