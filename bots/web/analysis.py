"""Searches of positions for people: hints, and analyses that report while they run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from mcts import MCTS, AnySearchResult, Game, SampledMCTS, Searcher, SearchResult, View

from ..background import stream_of, wait_for
from .searches import SearchPool


def searcher_for(game: Game, memory_mb: int) -> Searcher:
    """Return a new searcher that plays a game."""
    if MCTS.why_unsupported(game) is None:
        return MCTS(game, solver=True, memory_mb=memory_mb)
    return SampledMCTS(game)


async def hint_of(view: View, seconds: float, pool: SearchPool, memory_mb: int) -> str:
    """Return the text of a good action for the player of a view, from a search of some seconds."""
    async with pool.place() as executor:
        searcher = searcher_for(view.game, memory_mb)
        found = await wait_for(lambda: searcher.run(view, seconds=seconds), searcher.stop, executor)
    return view.action_to_string(found.action)


async def analysis_of(
    view: View, seconds: float, pool: SearchPool, memory_mb: int
) -> AsyncIterator[tuple[dict[str, Any], bool]]:
    """Search a view, and yield the results so far as data with False, and the last one with True."""
    async with pool.place() as executor:
        searcher = searcher_for(view.game, memory_mb)

        def search(report: Callable[[Any], None]) -> Any:
            def tell(found: AnySearchResult) -> None:
                report((result_dict(found, view), False))

            last = searcher.run(view, seconds=seconds, on_progress=tell)
            return result_dict(last, view), True

        async for found in stream_of(search, searcher.stop, executor):
            yield found


def result_dict(found: AnySearchResult, view: View) -> dict[str, Any]:
    """Return the result of a search as data for the page."""
    players = view.game.players
    head = {
        "simulations": found.simulations,
        "seconds": round(found.seconds, 3),
        "per_second": round(found.simulations / found.seconds) if found.seconds > 0 else 0,
        "players": [{"player": name, "value": value} for name, value in zip(players, found.values, strict=True)],
        "proven": False,
    }
    if isinstance(found, SearchResult):
        return head | _search_dict(found)
    return head | _sampled_dict(found, view)


def _search_dict(found: SearchResult) -> dict[str, Any]:
    state = found.state
    players = state.game.players
    arms: dict[str, list[dict[str, Any]]] = {}
    strategies: dict[str, list[Any]] = {}
    for player in found.arms:
        mine = found.for_player(player)
        total = max(1, sum(mine.visits.values()))
        policy = mine.policy
        listed: list[dict[str, Any]] = [
            {
                "action": state.action_to_string(player, action),
                "visits": visits,
                "share": visits / total,
                "value": mine.action_values[action],
                "probability": policy.get(action, 0.0),
            }
            for action, visits in mine.visits.items()
        ]
        arms[players[player]] = sorted(listed, key=lambda arm: (-arm["visits"], arm["action"]))
        strategies[players[player]] = [
            [state.action_to_string(player, action), chance] for action, chance in _likely(policy)
        ]
    return {
        "proven": found.proven,
        "bounds": {name: list(pair) for name, pair in zip(players, found.bounds, strict=True)} if found.bounds else {},
        "arms": arms,
        "strategies": strategies if found.is_mixed else {},
        "line": found.to_dict()["pv"],
        "best": state.action_to_string(found.player, found.action),
    }


def _sampled_dict(found: Any, view: View) -> dict[str, Any]:
    name = view.game.players[view.player]
    total = max(1, sum(found.visits.values()))
    listed = [
        {
            "action": view.action_to_string(action),
            "visits": found.visits[action],
            "share": found.visits[action] / total,
            "value": found.action_values[action],
            "probability": chance,
        }
        for action, chance in _likely(found.policy)
    ]
    return {
        "bounds": {},
        "arms": {name: listed},
        "strategies": {name: [[arm["action"], arm["probability"]] for arm in listed]},
        "line": [],
        "best": view.action_to_string(found.action),
    }


_MOST_ACTIONS = 64
"""Actions of a mixed strategy that are shown."""


def _likely(policy: Any) -> list[tuple[Any, float]]:
    """Return the most probable actions of a strategy, first the most probable."""
    ordered = sorted(policy.items(), key=lambda item: (-item[1], item[0]))
    return [(action, chance) for action, chance in ordered if chance > 0.0][:_MOST_ACTIONS]


async def cancelled(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait for its end. Its error was reported or is not wanted."""
    task.cancel()
    await asyncio.wait([task])
