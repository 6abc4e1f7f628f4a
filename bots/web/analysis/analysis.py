"""Searches of positions for people: hints, and analyses that report while they run."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from mcts import MCTS, Limit, Result, Searcher, SearchResult, View
from mcts.primitives.in_use import HAS_THREADS

from ...base import Bot
from ...match.analysis import analyst_of
from ...system.background import stream_of, wait_for
from .kept_trees import KeptTrees
from .net_priors import NetPriors, priors_of
from .scheduler import Asker, Scheduler, expected_seconds
from .tree_nodes import Path, nodes_of

_KEPT_BYTES = 32 << 20
"""Size of the largest tree that is kept after the search, so that a client can open its nodes."""
_SLICE_SECONDS, _LONGEST_SLICE_SECONDS = 0.25, 4.0
_PAUSE_SECONDS = 0.02
"""Time between two slices: an answer takes many turns of the event loop."""
_MOST_PATHS = 16
"""Nodes of the tree that a client can have open."""


async def hint_of(view: View, limit: Limit, pool: Scheduler, asker: Asker) -> dict[str, Any]:
    """Return a good action for the player of a view, from a search: see `hint_dict`."""
    searcher = await pool.run(asker, partial(analyst_of, view.game, limit.memory_mb))
    async with pool.place(asker, searcher.stop, expected=expected_seconds(limit)) as executor:
        found = await wait_for(lambda: searcher.run(view, limit), searcher.stop, executor)
    return hint_dict(found, view)


def hint_dict(found: Result, view: View) -> dict[str, Any]:
    """Return the likeliest action of the strategy that a search found for the player of a view.

    Returns:
        The text of the action, its value for the player, None if it is not known, and its probability: 1 unless the
        strategy is mixed.
    """
    action, probability = found.action, 1.0
    if found.is_mixed:
        action, probability = next(iter(_likely(found.policy)), (action, probability))
    value = found.action_values.get(action)
    return {"action": view.action_to_string(action), "value": value, "probability": probability}


class Analysis:
    """A search of a view that reports while it runs.

    Args:
        view: the view of the player who decides.
        limit: limit of the search.
        pool: its threads.
        asker: who asks.
        trees: counts the tree that is kept afterwards.
        bots: whose nets are asked for their policy, before that of the search.
    """

    def __init__(
        self, view: View, limit: Limit, pool: Scheduler, asker: Asker, trees: KeptTrees, bots: Sequence[Bot] = ()
    ) -> None:
        self._view = view
        self._limit = limit
        self._pool = pool
        self._asker = asker
        self._trees = trees
        self._bots = bots
        self._priors: NetPriors | None = None
        self._paths: list[Path] = []
        self._ended: tuple[Searcher, SearchResult] | None = None
        """The searcher, which holds the tree, and its last result."""

    def open(self, path: Path) -> dict[str, Any] | None:
        """Report the node of the tree at the end of a path too. The oldest ones are left out again.

        Returns:
            The last result with the node, if the search has ended and its tree is still there; None while it runs.
        """
        paths = [other for other in self._paths if other != path]
        self._paths = [*paths, path][-_MOST_PATHS:]
        return None if self._ended is None else self._data(self._ended[1])

    def close(self, path: Path) -> None:
        """Leave a node out of the next results."""
        self._paths = [other for other in self._paths if other != path]

    async def results(self) -> AsyncIterator[tuple[dict[str, Any], bool]]:
        """Yield the results so far as data with False, and the last one with True."""
        searcher = await self._pool.run(self._asker, self._prepared)
        expected = expected_seconds(self._limit)
        async with self._pool.place(self._asker, searcher.stop, expected=expected) as executor:

            def search(report: Callable[[Any], None]) -> Any:
                def tell(found: Result) -> None:
                    report((self._data(found), False))

                last = searcher.run(self._view, self._limit, on_progress=tell)
                if isinstance(last, SearchResult) and last.memory_bytes <= _KEPT_BYTES:
                    self._ended = searcher, last
                return self._data(last), True

            found = stream_of(search, searcher.stop, executor) if HAS_THREADS else self._slices(searcher)
            async for result in found:
                yield result
        if self._ended is not None:
            self._trees.keep(self, self._ended[1].memory_bytes)

    def _prepared(self) -> Searcher:
        """Return a searcher, after a look at the policy of a net."""
        searcher = analyst_of(self._view.game, self._limit.memory_mb)
        self._priors = priors_of(self._view, self._bots, searcher)
        return searcher

    async def _slices(self, searcher: Searcher) -> AsyncIterator[tuple[dict[str, Any], bool]]:
        """Search for a moment again and again where there is one thread, so that requests are answered in between.

        A search that cannot add to its tree begins again, with more time, until that is too long to wait for.
        """
        limit, simulations, spent, seconds = self._limit, 0, 0.0, _SLICE_SECONDS
        is_over = False
        while not is_over:
            found = searcher.run(self._view, replace(limit, seconds=seconds))
            if isinstance(searcher, MCTS):
                searcher.keep()
                simulations, spent = simulations + found.simulations, spent + found.seconds
                is_over = found.proven or spent >= (limit.seconds or 0.0)
            else:
                simulations, spent, seconds = found.simulations, found.seconds, 2 * seconds
                is_over = found.proven or seconds > _LONGEST_SLICE_SECONDS
            is_over = is_over or simulations >= (limit.simulations or math.inf)
            if is_over and isinstance(found, SearchResult) and found.memory_bytes <= _KEPT_BYTES:
                self._ended = searcher, found
            rate = round(simulations / spent) if spent > 0 else 0
            yield (
                self._data(found) | {"simulations": simulations, "seconds": round(spent, 3), "per_second": rate},
                is_over,
            )
            await asyncio.sleep(_PAUSE_SECONDS)

    def release_trees(self) -> None:
        """Give up the tree that is kept after the search."""
        self._ended = None
        self._trees.drop(self)

    def _data(self, found: Result) -> dict[str, Any]:
        paths = self._paths
        tree = nodes_of(found, paths) if paths and isinstance(found, SearchResult) else []
        return {**result_dict(found, self._view, self._priors), "tree": tree}


def result_dict(found: Result, view: View, priors: NetPriors | None = None) -> dict[str, Any]:
    """Return the result of a search as data for the page, with the policy of a net."""
    players = view.game.players
    head = {
        "simulations": found.simulations,
        "seconds": round(found.seconds, 3),
        "per_second": round(found.simulations / found.seconds) if found.seconds > 0 else 0,
        "players": [{"player": name, "value": value} for name, value in zip(players, found.values, strict=True)],
        "proven": found.proven,
        "hint": hint_dict(found, view),
    }
    if isinstance(found, SearchResult):
        return head | _search_dict(found, priors)
    return head | _sampled_dict(found, view)


def _search_dict(found: SearchResult, priors: NetPriors | None) -> dict[str, Any]:
    state = found.state
    players = state.game.players
    arms: dict[str, list[dict[str, Any]]] = {}
    strategies: dict[str, list[Any]] = {}
    for player in found.arms:
        mine, text = found.for_player(player), partial(state.action_to_string, player)
        listed = _arms(mine.visits, mine, text, {} if priors is None else priors.by_player[player])
        arms[players[player]] = sorted(listed, key=lambda arm: (-arm["visits"], arm["action"]))
        strategies[players[player]] = [[text(action), chance] for action, chance in _likely(mine.policy)]
    return {
        "bounds": {name: list(pair) for name, pair in zip(players, found.bounds, strict=True)} if found.bounds else {},
        "arms": arms,
        "strategies": strategies if found.is_mixed else {},
        "net": None if priors is None else {"bot": priors.bot},
        "line": found.to_dict()["pv"],
        "best": state.action_to_string(found.player, found.action),
    }


def _sampled_dict(found: Any, view: View) -> dict[str, Any]:
    name = view.game.players[view.player]
    listed = _arms([action for action, _ in _likely(found.policy)], found, view.action_to_string, {})
    return {
        "bounds": {},
        "arms": {name: listed},
        "strategies": {name: [[arm["action"], arm["probability"]] for arm in listed]},
        "net": None,
        "line": [],
        "best": view.action_to_string(found.action),
    }


def _arms(
    actions: Iterable[Any], found: Any, text: Callable[[Any], str], priors: Mapping[int, float]
) -> list[dict[str, Any]]:
    """Return the statistics of some actions of a player in the result of a search."""
    total = max(1, sum(found.visits.values()))
    return [
        {
            "action": text(action),
            "visits": found.visits[action],
            "share": found.visits[action] / total,
            "value": found.action_values[action],
            "probability": found.policy.get(action, 0.0),
            "prior": priors.get(action),
        }
        for action in actions
    ]


_MOST_ACTIONS = 64
"""Actions of a mixed strategy that are shown."""


def _likely(policy: Any) -> list[tuple[Any, float]]:
    """Return the most probable actions of a strategy, first the most probable."""
    ordered = sorted(policy.items(), key=lambda item: (-item[1], item[0]))
    return [(action, chance) for action, chance in ordered if chance > 0.0][:_MOST_ACTIONS]


async def cancelled(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel tasks and wait for their ends. Their errors were reported or are not wanted."""
    running = [task for task in tasks if task is not None]
    for task in running:  # all of them before the first wait, which a caller that is cancelled itself leaves at once
        task.cancel()
        task.add_done_callback(_read)
    if running:
        await asyncio.wait(running)


def _read(task: asyncio.Task[Any]) -> None:
    """Take the error of a task, so that asyncio does not report it as forgotten."""
    if not task.cancelled():
        task.exception()
