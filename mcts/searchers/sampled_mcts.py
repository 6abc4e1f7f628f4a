"""Search over sampled actions for games whose actions are too many to list, by a player's view alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from cext.game.game import Game, View
from cext.parameters import Integer, Parameter
from cext.search.sampled_search import SampledSearch

from ..errors import ParameterError
from ..limits import Limit
from ..primitives.progress import ProgressClock
from .base import SampledSearchResult, ViewSearcher

_CHUNK = 256
_HALVINGS = (0.15, 0.3, 0.45, 0.6)
"""Shares of the limit after which the weaker half of the candidates is dropped."""
_RACING_EXPLORATION = 0.25
"""Share of the simulations that draw the candidate uniformly until the last halving. Without it, a good candidate with
bad first playouts would hardly be tried again before it is dropped."""
_FEWEST = 4
_MOST_CELLS = 1 << 24


class SampledMCTS(ViewSearcher):
    """Regret matching over sampled bids, against sampled replies, in sampled truths.

    Four times on the way the weaker half of the candidates is dropped, so that 256 become 16. The answer is drawn from
    the average strategy after that. Nothing but the player's view is used.

    Args:
        game: a two-player constant-sum game whose actions cannot be listed.
        candidates: how many of the player's actions are sampled, 1 to 4,096.
        particles: how many possible truths are sampled, 1 to 4,096.
        replies: how many of the opponent's actions are sampled in each, 1 to 256.
        seed: root of the random streams; the same seed, view and simulations give the same result.

    Raises:
        ParameterError: a parameter out of range, or all together more than 16,777,216 joint payoffs to remember.
        UnsupportedGameError: the game's actions can be listed, or it is not a two-player constant-sum game.
    """

    NAME = "sampled_mcts"
    SUMMARY = "search over sampled actions against sampled replies, for games with too many actions to list"
    PARAMETERS: ClassVar[dict[str, Parameter]] = {
        "candidates": Integer(256, 1, 4096),
        "particles": Integer(16, 1, 4096),
        "replies": Integer(8, 1, 256),
    }

    def __init__(
        self, game: Game, *, candidates: int = 256, particles: int = 16, replies: int = 8, seed: int = 0
    ) -> None:
        super().__init__(game, seed=seed, candidates=candidates, particles=particles, replies=replies)
        cells = self.parameters["candidates"] * self.parameters["particles"] * self.parameters["replies"]
        if cells > _MOST_CELLS:
            raise ParameterError(
                f"{self.NAME}: candidates * particles * replies is {cells}; valid: up to {_MOST_CELLS}"
            )

    @classmethod
    def why_unsupported(cls, game: Game) -> str | None:
        if game.is_enumerable or game.num_players != 2 or game.utility_sum is None:
            return "it is for two players, constant sums, and actions too many to list; use mcts"
        return None

    def _open_search(self, view: View) -> SampledSearch:
        parameters = self.parameters
        return SampledSearch(view, parameters["candidates"], parameters["particles"], parameters["replies"], self.seed)

    def _search(self, search: SampledSearch, limit: Limit, began: float, report: Callable[[], object] | None) -> None:
        """Simulate up to the limit, dropping candidates at fixed shares of it."""
        halvings = list(_HALVINGS)
        clock = ProgressClock()
        while not self._stopped and (spent := _share_spent(search, limit, began)) < 1.0:
            if halvings and spent >= halvings[0]:
                halvings.pop(0)
                _halve(search)
            count = _CHUNK if limit.simulations is None else min(_CHUNK, limit.simulations - search.simulations)
            search.simulate(count, _RACING_EXPLORATION if halvings else 0.0)
            if report is not None and clock.is_due():
                report()

    def _result_of(self, view: View, search: SampledSearch, seconds: float, interrupted: bool) -> SampledSearchResult:
        found = search.candidate_statistics()
        weight = sum(strategy for _, strategy, _, _ in found)
        return self._drawn(
            view,
            {action: strategy / weight if weight else 1 / len(found) for action, strategy, _, _ in found},
            {action: round(count) for action, _, _, count in found},
            {
                action: self._values(view, total / count)[view.player] if count else None
                for action, _, total, count in found
            },
            search.value(),
            search.simulations,
            seconds,
            interrupted,
        )


def _share_spent(search: SampledSearch, limit: Limit, began: float) -> float:
    """Return the used share of the limit, 1 when all of it is used."""
    shares = []
    if limit.simulations is not None:
        shares.append(search.simulations / limit.simulations)
    if limit.seconds is not None:
        shares.append((time.monotonic() - began) / limit.seconds)
    return max(shares)


def _halve(search: SampledSearch) -> None:
    """Drop the half of the candidates that has the least weight in the average strategy, ties by their mean value."""
    found = search.candidate_statistics()
    keep = max(_FEWEST, (len(found) + 1) // 2)
    if keep < len(found):
        by_worth = sorted(range(len(found)), key=lambda i: (found[i][1], found[i][2] / max(found[i][3], 1)))
        search.keep(sorted(by_worth[-keep:]))


SEARCHER = SampledMCTS
