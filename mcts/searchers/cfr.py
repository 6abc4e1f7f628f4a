"""Counterfactual regret minimisation over all information sets of a game with hidden information."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

from cext.exact.counterfactual_regret import KINDS, CounterfactualRegret
from cext.exact.sequence_form import SequenceForm, TooLargeError, why_without_sequence_form
from cext.game.actions import Action
from cext.game.game import Game, View
from cext.parameters import Choice, Integer, Parameter

from ..errors import UnsupportedGameError
from ..exact.size_estimate import too_many_ends
from ..limits import Limit
from ..options import MEMORY_MB
from ..primitives.progress import ProgressClock, thread_time
from .base import SampledSearchResult, ViewSearcher

FEW_HISTORIES = 1_000_000
"""Number of histories that are explored in a second."""
SECONDS = 1.0
"""Most processor time of the exploration of a game with so few histories; one in Python may take longer."""
CHECK_SECONDS = 5.0
"""The same before a tournament: in this time a compiled game fills four times the default memory."""
_HISTORIES = 1 << 12
"""Histories that are explored between two looks at the time."""
_VISITS = 1 << 20
"""Ends of games that passes visit between two looks at the time."""


@lru_cache(maxsize=64)
def has_few_histories(game: Game, memory_mb: int) -> bool:
    """Return True if `CFR` can explore a game with FEW_HISTORIES, within its limit of memory and in SECONDS.

    Args:
        game: a game that `CFR` supports.
        memory_mb: limit of the information sets in megabytes.
    """
    try:
        return _is_explored(game, memory_mb, FEW_HISTORIES, SECONDS)
    except TooLargeError:
        return False


@lru_cache(maxsize=64)
def check_size(game: Game, memory_mb: int) -> None:
    """Raise UnsupportedGameError if a game is found too large for `CFR` in CHECK_SECONDS. For arguments see above."""
    reason = too_many_ends(game.new_initial_state(), memory_mb)
    if reason is not None:
        raise UnsupportedGameError(f"{game.spec} is too large for cfr: {reason}, or ismcts")
    try:
        _is_explored(game, memory_mb, math.inf, CHECK_SECONDS)
    except TooLargeError as error:
        raise _refusal(game, memory_mb, error) from None


def _is_explored(game: Game, memory_mb: int, histories: float, seconds: float) -> bool:
    """Return whether all histories are found within limits of their number and of processor time."""
    form, used = SequenceForm(game, memory_mb), thread_time()
    while not form.explore(_HISTORIES):
        if form.num_histories > histories or thread_time() - used > seconds:
            return False
    return True


def _refusal(game: Game, memory_mb: int, error: TooLargeError) -> UnsupportedGameError:
    return UnsupportedGameError(
        f"{game.spec} is too large for cfr: it has more than {error.args[0]:,} histories, whose information sets do "
        f"not fit into memory_mb={memory_mb}; valid: ismcts"
    )


class CFR(ViewSearcher):
    """Strategies of both players for the whole game, by passes over all its histories.

    They approach an equilibrium, so nobody can gain from knowing them. In limits and results, simulations are passes.
    The first run explores the game, which takes a part of its time; a run that ends before all is explored answers
    evenly. Later runs add passes to those of earlier ones, up to the limit on simulations.

    Args:
        game: a two-player constant-sum game with hidden information whose actions are listed.
        kind: `dcfr`, discounted regrets (Brown and Sandholm 2019); `cfr+` (Tammelin 2014); or `pcfr+`, predictive CFR+
            (Farina, Kroer and Sandholm 2021).
        memory_mb: limit of the information sets in megabytes, 1 to 32,000.
        seed: of the action that is drawn.

    Attributes:
        regret: the strategies of all players; None until the game is explored.

    Raises:
        ParameterError: a parameter is out of range.
        UnsupportedGameError: nothing is hidden, the game has other players, or its actions cannot be listed; in a run:
            it is too large.
    """

    NAME = "cfr"
    SUMMARY = "counterfactual regret minimisation over the whole game, for small games with hidden information"
    PARAMETERS: ClassVar[dict[str, Parameter]] = {
        "kind": Choice("dcfr", KINDS),
        "memory_mb": Integer(MEMORY_MB, 1, 32_000),
    }

    def __init__(self, game: Game, *, kind: str = "dcfr", memory_mb: int = MEMORY_MB, seed: int = 0) -> None:
        super().__init__(game, seed=seed, kind=kind, memory_mb=memory_mb)
        self._form = SequenceForm(game, memory_mb)
        self._sets: dict[tuple[int, int], list[int]] = {}
        self.regret: CounterfactualRegret | None = None

    @classmethod
    def why_unsupported(cls, game: Game) -> str | None:
        if not game.has_hidden_information:
            return "nothing is hidden in it; use mcts"
        if not game.is_zero_sum:
            return "it is for two players with opposite interests; use ismcts"
        reason = why_without_sequence_form(game)
        return None if reason is None else f"{reason}; use ismcts"

    def _open_search(self, view: View) -> View:
        return view

    def _search(self, search: View, limit: Limit, began: float, report: Callable[[], object] | None) -> None:
        clock = ProgressClock()
        end = math.inf if limit.seconds is None else began + limit.seconds
        most = math.inf if limit.simulations is None else limit.simulations
        while self.regret is None and not self._stopped and time.monotonic() < end:
            self._explore()
        while self.regret is not None and self.regret.iterations < most:
            if self._stopped or time.monotonic() >= end:
                return
            self.regret.run(int(min(most - self.regret.iterations, max(1, _VISITS // self._form.num_ends))))
            if report is not None and clock.is_due():
                report()

    def _explore(self) -> None:
        """Explore some histories, and begin with the strategies after the last one."""
        try:
            if not self._form.explore(_HISTORIES):
                return
        except TooLargeError as error:
            raise _refusal(self.game, self.parameters["memory_mb"], error) from None
        self._sets = self._form.sets_by_view()
        self.regret = CounterfactualRegret(self._form, self.parameters["kind"])

    def _result_of(self, view: View, search: View, seconds: float, interrupted: bool) -> SampledSearchResult:
        actions: list[Action] = [*view.legal_actions()]
        if self.regret is None:
            even = dict.fromkeys(actions, 1 / len(actions))
            none: dict[Action, float | None] = dict.fromkeys(actions)
            both = self._values(view, 0.5)
            return self._drawn(view, even, dict.fromkeys(actions, 0), none, both, 0, seconds, interrupted)
        chances, means = self.regret.answer(self._sets[self._form.key_of(view)])
        policy = dict(zip(actions, chances, strict=True))
        values = dict(zip(actions, means, strict=True))
        known = {each: mean for each, mean in values.items() if mean is not None}
        low, span = self.game.min_utility, self.game.max_utility - self.game.min_utility
        own = sum((policy[each] * mean for each, mean in known.items()), 0.0) if known else low + span / 2
        done = self.regret.iterations
        visits = {each: round(done * share) for each, share in policy.items()}
        both = self._values(view, (own - low) / span)
        return self._drawn(view, policy, visits, values, both, done, seconds, interrupted)


SEARCHER = CFR
