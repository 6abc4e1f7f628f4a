"""The evaluation of a match that is over, and of one decision of a person while it goes on: values and costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from cext.game_info import WINS
from mcts import MCTS, Limit, Searcher, State
from mcts.pictures import clicks_of, picture_of

from ...match.analysis import analyst_of
from ..analysis.analysis import hint_dict
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
    """Finds the values of positions of a match: of all of them when it is over, of one decision before.

    Args:
        snapshot: the match; for one decision, as the person sees it.
        solution: of its game; None: positions are searched.
        limit: limit of the search of a position.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        solution: Solution | None,
        limit: Limit = Limit(simulations=SIMULATIONS),  # noqa: B008
    ) -> None:
        game = snapshot.states[0].game
        self._snapshot = snapshot
        self._solution = solution
        self._limit = limit
        self._searcher = None if solution else analyst_of(game, MEMORY_MB)

    def stop(self) -> None:
        """End a running search soon, from another thread."""
        if self._searcher is not None:
            self._searcher.stop()

    def decision(self, ply: int, seat: int) -> dict[str, Any]:
        """Return what the action of a player after some plies cost, a best one, and the best reply.

        Where the game has secrets, that is what the player's view before the action says, without a reply.
        """
        state, after = self._snapshot.states[ply : ply + 2]
        if state.game.has_hidden_information:
            before, reply = self._viewed_entry(state, seat, self._snapshot.joints[ply][seat]), None
        else:
            entries = [self.entry(ply), self.entry(ply + 1)]
            _add_drops((state, after), entries)
            before, replier = entries[0], after.acting_players()
            reply = _told(after, entries[1], replier[0]) if len(replier) == 1 and replier[0] != seat else None
        name = state.game.players[seat]
        action = self._snapshot.plies[ply][name]
        best = _told(state, before, seat)
        return {"action": action, "cost": before["costs"].get(name), "best": best, "reply": reply}

    def whole(self, plies: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the evaluation of the match from the entries of all its positions."""
        if self._solution is None:
            _add_drops(self._snapshot.states, plies)
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
            return _searched_entry(self._searcher, self._limit, state, joint)
        return _secret_entry(self._searcher, state)

    def _viewed_entry(self, state: State, seat: int, action: Any) -> dict[str, Any]:
        """Return the entry of a state with secrets from the view of a player who decides."""
        assert self._searcher is not None
        view, name = state.view(seat), state.game.players[seat]
        found = self._searcher.run(view, self._limit)
        value = found.action_values.get(action)
        costs = {} if value is None else {name: max(0.0, found.values[seat] - value)}
        return _entry(state, list(found.values), costs, found.proven, {name: hint_dict(found, view)["action"]})


def _exact_entry(solution: Solution, state: State, joint: Any) -> dict[str, Any]:
    found = exact_dict(solution, state)
    costs = {}
    for seat in state.acting_players() if joint is not None else ():
        costs[state.game.players[seat]] = max(0.0, solution.loss(state, seat, joint[seat]))
    best = {
        name: max(actions, key=lambda entry: entry["value"])["action"] for name, actions in found["actions"].items()
    }
    return _entry(state, list(found["values"].values()), costs, True, best)


def _searched_entry(searcher: MCTS, limit: Limit, state: State, joint: Any) -> dict[str, Any]:
    found = searcher.run(state, limit)
    costs: dict[str, float] = {}
    best: dict[str, str] = {}
    for seat in found.arms:
        mine = found.for_player(seat)
        name = state.game.players[seat]
        best[name] = state.action_to_string(seat, max(mine.policy.items(), key=lambda item: item[1])[0])
        if joint is not None and (value := mine.action_values.get(joint[seat])) is not None:
            costs[name] = max(0.0, found.values[seat] - value)
    return _entry(state, list(found.values), costs, found.proven, best)


def _add_drops(states: Sequence[State], plies: list[dict[str, Any]]) -> None:
    """Raise the costs of searched actions to what the player's value falls by, where one player decides.

    The search after an action knows more of it than the one before.
    """
    for state, entry, after in zip(states, plies, plies[1:], strict=False):
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


def _told(state: State, entry: dict[str, Any], seat: int) -> dict[str, Any] | None:
    """Return the best action of a player, its cells, whether it is proven to win, and the row that wins at once."""
    info, name = state.game.info, state.game.players[seat]
    action = entry["best"].get(name)
    if action is None:
        return None
    wins = entry["proven"] and info.score == WINS and entry["values"][name] == info.max_utility
    cells = [cell for click in clicks_of(state.view(seat)).get(action, ()) for cell in click]
    row = _row_of(state, seat, action) if wins else 0
    return {"player": name, "action": action, "cells": cells, "wins": wins, "row": row}


def _row_of(state: State, seat: int, action: str) -> int:
    """Return the length of the row with which an action ends the game; 0 without one, or where several decide."""
    after = state.clone()
    if len(state.acting_players()) == 1:
        after.apply_action(after.string_to_action(seat, action))
    row = sorted(_marked_rows(after) - _marked_rows(state)) if after.is_terminal() else []
    steps = {
        (board - other, below - above, right - left) for (other, above, left), (board, below, right) in pairwise(row)
    }
    return len(row) if len(steps) == 1 and steps <= {(0, 0, 1), (0, 1, -1), (0, 1, 0), (0, 1, 1)} else 0


def _marked_rows(state: State) -> set[tuple[int, int, int]]:
    """Return board, row and column of the cells in lines that count. A chain over hexagons is not a row."""
    boards = [board for boards in picture_of(state).boards for board in boards if not board.shift]
    return {
        (number, *divmod(place, board.columns))
        for number, board in enumerate(boards)
        for place, cell in enumerate(board.cells)
        if cell.is_winning
    }
