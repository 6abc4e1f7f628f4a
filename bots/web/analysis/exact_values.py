"""Exact values of positions, for games that are solved in a moment."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import mcts
from mcts import Game, State, UnsupportedGameError

from .scheduler import Asker, Scheduler

if TYPE_CHECKING:
    from mcts import Solution

MEMORY_MB = 256
MOST_STATES = 300_000
"""Size of the largest game that is solved: it takes a second or two, once."""
CAN_SOLVE = find_spec("numpy") is not None
"""False in a browser, whose Python has no NumPy."""
MOST_SOLUTIONS = 8
"""Solutions in memory; one has some megabytes at most."""


def solution_or_none(game: Game) -> Solution | None:
    """Return the solution of a game; None if it is too large for a server."""
    if game.has_hidden_information or not CAN_SOLVE:
        return None
    try:
        return mcts.solve(game, memory_mb=MEMORY_MB, max_states=MOST_STATES)
    except UnsupportedGameError:
        return None


class ExactValues:
    """The solutions of small games. Those that were used last are kept.

    Args:
        pool: threads that solve.
        may_solve: returns False for games that are not tried.
    """

    def __init__(self, pool: Scheduler, may_solve: Callable[[Game], bool]) -> None:
        self._pool = pool
        self._may_solve = may_solve
        self._found: OrderedDict[Game, asyncio.Task[Solution | None]] = OrderedDict()

    @property
    def in_memory(self) -> int:
        """Number of games whose solutions are kept, or which are known to have none."""
        return len(self._found)

    async def solution(self, game: Game, asker: Asker) -> Solution | None:
        """Return the solution of a game; None if there is none."""
        if not self._may_solve(game):
            return None
        task = self._found.get(game)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._found[game] = asyncio.create_task(self._solve(game, asker))
        self._found.move_to_end(game)
        if len(self._found) > MOST_SOLUTIONS:
            self._found.popitem(last=False)
        return await asyncio.shield(task)

    async def of_state(self, state: State, asker: Asker) -> dict[str, Any]:
        """Return the value of a state and of the actions of those who decide."""
        unknown: dict[str, Any] = {"known": False, "values": None, "actions": {}}
        found = await self.solution(state.game, asker)
        if found is None:
            return unknown
        try:
            return await asyncio.to_thread(exact_dict, found, state)
        except UnsupportedGameError:  # a state that play does not reach
            return unknown

    async def _solve(self, game: Game, asker: Asker) -> Solution | None:
        return await self._pool.run(asker, lambda: solution_or_none(game))


def exact_dict(solution: Solution, state: State) -> dict[str, Any]:
    """Return the exact value of a state as data, and the values of actions against optimal play."""
    players = state.game.players
    values = list(state.returns()) if state.is_terminal() else solution.value(state)
    actions: dict[str, list[dict[str, Any]]] = {}
    for seat in state.acting_players():
        chances = solution.policy(state, seat)
        actions[players[seat]] = [
            {
                "action": state.action_to_string(seat, action),
                "value": values[seat] - solution.loss(state, seat, action),
                "probability": chances.get(action, 0.0),
            }
            for action in state.legal_actions(seat)
        ]
    return {"known": True, "values": dict(zip(players, values, strict=True)), "actions": actions}
