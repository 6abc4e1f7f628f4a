"""Search over sampled actions for games whose actions are too many to list, by a player's view alone."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

from cext.actions import Action
from cext.game import NOOP, Game, State, View
from cext.parameters import Integer, Parameter
from cext.search.sampled_search import SampledSearch

from ..errors import ParameterError
from ..limits import Limit, search_limit
from ..progress import ProgressClock
from .base import Searcher, view_of

_CHUNK = 256
_HALVINGS = (0.15, 0.3, 0.45, 0.6)
"""Shares of the limit after which the weaker half of the candidates is dropped."""
_RACING_EXPLORATION = 0.25
"""Share of the simulations that draw the candidate uniformly until the last halving. Without it, a good candidate with
bad first playouts would hardly be tried again before it is dropped."""
_FEWEST = 4
_MOST_CELLS = 1 << 24


@dataclass(frozen=True)
class SampledSearchResult:
    """The result of a search over sampled actions for one player. Values are on the game's own scale."""

    view: View = field(repr=False)
    """The view of the player."""
    action: Action
    """The action to play, drawn from `policy`; NOOP for a player who has nothing to decide."""
    policy: dict[Action, float] = field(repr=False)
    """Action -> probability with which it should be played: the average strategy."""
    visits: dict[Action, int] = field(repr=False)
    """Action -> simulations that chose it."""
    action_values: dict[Action, float | None] = field(repr=False)
    """Action -> mean return of the player, None where it was never tried."""
    values: tuple[float, float]
    """Mean return per player since candidates were last dropped. Optimistic: few replies of the rival were tried."""
    simulations: int
    """Simulations run."""
    seconds: float
    """Wall-clock time taken."""
    interrupted: bool = False
    """True when Ctrl-C ended the run early."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data that JSON can hold, actions by their text."""
        game = self.view.game
        return {
            "game": game.spec,
            "player": game.players[self.view.player],
            "action": self.view.action_to_string(self.action),
            "simulations": self.simulations,
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "values": dict(zip(game.players, self.values, strict=True)),
            "arms": [
                {
                    "action": self.view.action_to_string(action),
                    "visits": self.visits[action],
                    "value": self.action_values[action],
                    "probability": probability,
                }
                for action, probability in self.policy.items()
            ],
        }


class SampledMCTS(Searcher):
    """Regret matching over sampled bids, against sampled replies, in sampled truths.

    Four times on the way the weaker half of the candidates is dropped, so that 256 become 16. The answer is drawn from
    the average strategy after that. Nothing but the player's view is used.

    Args:
        game: a two-player constant-sum game whose actions cannot be listed.
        candidates: how many of the player's actions are sampled, 1 to 4,096.
        particles: how many possible truths are sampled, 1 to 4,096.
        replies: how many of the rival's actions are sampled in each, 1 to 256.
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
        self._stopped = False

    @classmethod
    def why_unsupported(cls, game: Game) -> str | None:
        if game.is_enumerable or game.num_players != 2 or game.utility_sum is None:
            return "it is for two players, constant sums, and actions too many to list; use mcts"
        return None

    def run(
        self,
        position: State | View,
        limit: Limit | int | None = None,
        seconds: float | None = None,
        *,
        simulations: int | None = None,
        player: int | None = None,
        on_progress: Callable[[SampledSearchResult], object] | None = None,
    ) -> SampledSearchResult:
        """Search the decision of one player.

        Args:
            position: a view of a state of this searcher's game, not over; or such a state, if nothing is hidden.
            limit: a `Limit`, or a number of simulations. Memory follows from the searcher's parameters, so `memory_mb`
                changes nothing.
            simulations: at most so many; instead of `limit`.
            seconds: at most about so long; the clock is read every 256 simulations. Not together with a `Limit`.
            player: the player who decides; by default the player of the view, or the first that decides.
            on_progress: called with the result so far while the search runs: first after about 0.1 s, then whenever the
                time has doubled, at least once a second. It does not change the result.

        Returns:
            A SampledSearchResult. After Ctrl-C or `stop` it has what was found until then, with `interrupted` set.

        Raises:
            LimitError: neither limit is given, one is given twice or is out of range.
            StateError: the game is over, the position is of another game, or is a state with hidden information.
            TypeError: `position` is neither a View nor a State.
            ValueError: `player` is not the player of the view.
        """
        limit = search_limit(limit, simulations, seconds)
        self.check_position(position)
        view = view_of(position, player)
        if view.player not in view.acting_players():
            return SampledSearchResult(
                view, NOOP, {NOOP: 1.0}, {NOOP: 0}, {NOOP: None}, self._values(view, 0.5), 0, 0.0
            )
        began = time.monotonic()
        search = SampledSearch(
            view, self.parameters["candidates"], self.parameters["particles"], self.parameters["replies"], self.seed
        )
        self._stopped = interrupted = False
        try:
            report = None if on_progress is None else partial(self._report, view, search, began, on_progress)
            self._search(search, limit, began, report)
        except KeyboardInterrupt:
            interrupted = True
        return self._result(view, search, time.monotonic() - began, interrupted or self._stopped)

    def stop(self) -> None:
        """End a run in another thread soon. The run returns what it has found, with `interrupted` set."""
        self._stopped = True

    def _report(
        self, view: View, search: SampledSearch, began: float, on_progress: Callable[[SampledSearchResult], object]
    ) -> None:
        on_progress(self._result(view, search, time.monotonic() - began, False))

    def _search(self, search: SampledSearch, limit: Limit, began: float, report: Callable[[], None] | None) -> None:
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

    def _values(self, view: View, value: float) -> tuple[float, float]:
        """Returns of both players from the viewing player's value in [0, 1]."""
        mine = self.game.min_utility + value * (self.game.max_utility - self.game.min_utility)
        assert self.game.utility_sum is not None
        other = self.game.utility_sum - mine
        return (mine, other) if view.player == 0 else (other, mine)

    def _result(self, view: View, search: SampledSearch, seconds: float, interrupted: bool) -> SampledSearchResult:
        found = search.candidate_statistics()
        weight = sum(strategy for _, strategy, _, _ in found)
        policy: dict[Action, float] = {
            action: strategy / weight if weight else 1 / len(found) for action, strategy, _, _ in found
        }
        draw = random.Random(self.seed * 2 + view.player)
        return SampledSearchResult(
            view=view,
            action=draw.choices(list(policy), list(policy.values()))[0],
            policy=policy,
            visits={action: round(count) for action, _, _, count in found},
            action_values={
                action: self._values(view, total / count)[view.player] if count else None
                for action, _, total, count in found
            },
            values=self._values(view, search.value()),
            simulations=search.simulations,
            seconds=seconds,
            interrupted=interrupted,
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
