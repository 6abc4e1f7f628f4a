"""The evaluation of a match that is over: the value of every position, and the cost of every action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcts import MCTS, Searcher, State

from ...match.analysis import analyst_of
from ..analysis.exact_values import exact_dict
from .served_match import Snapshot

if TYPE_CHECKING:
    from mcts import Solution

SIMULATIONS = 2000
"""Simulations of the search of a position."""
SECRET_SIMULATIONS = 50_000
"""The same for each player of a position with secrets."""
PASSES = 1000
"""The same for `CFR`, whose simulations are passes over the whole game. Later positions need no further ones."""
MEMORY_MB = 64
"""Memory limit of the search."""


class Evaluator:
    """Finds the values of the positions of a match that is over.

    Args:
        snapshot: the match.
        solution: of its game; None: positions are searched.
    """

    def __init__(self, snapshot: Snapshot, solution: Solution | None) -> None:
        game = snapshot.states[0].game
        self._snapshot = snapshot
        self._solution = solution
        self._searcher = None if solution else analyst_of(game, MEMORY_MB)

    def whole(self, plies: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the evaluation of the match from the entries of all its positions."""
        if self._solution is None:
            _add_drops(self._snapshot, plies)
        return {"exact": self._solution is not None, "plies": plies}

    def entry(self, ply: int) -> dict[str, Any]:
        """Return the values of the position after some plies, and the costs of the actions there."""
        state, solution = self._snapshot.states[ply], self._solution
        joint = self._snapshot.joints[ply] if ply < self._snapshot.ply else None
        if state.is_terminal():
            return _entry(state, list(state.returns()), {}, True)
        if solution is not None and not state.is_chance():
            return _exact_entry(solution, state, joint)
        if solution is not None:
            return _entry(state, solution.value(state), {}, True)
        if state.is_chance():
            return _entry(state, None, {}, False)
        assert self._searcher is not None
        if isinstance(self._searcher, MCTS):
            return _searched_entry(self._searcher, state, joint)
        return _secret_entry(self._searcher, state)


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


def _add_drops(snapshot: Snapshot, plies: list[dict[str, Any]]) -> None:
    """Raise the costs of searched actions to what the player's value falls by, where one player decides.

    The search after an action knows more of it than the one before.
    """
    for state, entry, after in zip(snapshot.states, plies, plies[1:], strict=False):
        acting = state.acting_players()
        if len(acting) == 1 and entry["values"] and after["values"]:
            name = state.game.players[acting[0]]
            drop = entry["values"][name] - after["values"][name]
            entry["costs"][name] = max(entry["costs"].get(name, 0.0), drop)


def _secret_entry(searcher: Searcher, state: State) -> dict[str, Any]:
    """Return the entry of a state with secrets: the mean of what those who decide would expect."""
    simulations = PASSES if searcher.NAME == "cfr" else SECRET_SIMULATIONS
    found = [searcher.run(state.view(seat), simulations=simulations).values for seat in state.acting_players()]
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
