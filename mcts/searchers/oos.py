"""Online outcome sampling: search towards an equilibrium by a player's view, for two players."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from cext.exact.outcome_sampling import OutcomeSampling
from cext.exact.sequence_form import SequenceForm, TooLargeError, why_without_sequence_form
from cext.game.actions import Action
from cext.game.game import Game, View
from cext.parameters import Choice, Integer, Parameter, Real

from ..errors import ParameterError
from ..options import MEMORY_MB
from .base import SampledSearchResult, ViewSearcher, with_signature

_HISTORIES = 1024
"""Histories that the walk to the decision visits meanwhile."""


@dataclass
class _Decision:
    """A search of one decision: the walk over the histories that lead to it, and the ways to look for them."""

    seen: list[tuple[int, int]]
    """Keys of the player's views: of the earlier decisions that were searched, and of this one."""
    walk: SequenceForm | None = None
    """None when it has ended."""
    ways: list[tuple[list[tuple[int, int]], bool]] = field(default_factory=list)
    """Arguments `seen` and `whole` of the walks that follow if this one finds nothing."""
    simulations: int = 0


@with_signature
class OOS(ViewSearcher):
    """Online outcome sampling (Lisý, Lanctot and Bowling 2015): regret minimisation by sampled games.

    The answer approaches an equilibrium of the whole game. Simulations begin at the first state; most of them keep to
    histories that lead to the decision that is searched. Until a walk has found these, beside the simulations, and in
    games in which they exceed a quarter of the memory, all histories are simulated. What is learnt is kept from run to
    run.

    Args:
        game: a two-player constant-sum game whose actions are listed.
        targeting: `information_set`: the histories in which the player sees the same; `public`: those in which the
            players have done the same, whatever chance has decided, for games in which everybody sees what the players
            do; `none`.
        targeted: share of the simulations that keep to these histories, 0 to 0.99.
        exploration: share of even play of the player who learns from a simulation, 0.01 to 1.
        sampling: `outcome`; or `external` (Lanctot et al. 2009): a simulation follows all actions of the player who
            learns, over the whole game. Then `targeting`, `targeted` and `exploration` have no effect.
        memory_mb: limit of the information sets and of the walk in megabytes, 2 to 32,000; at the limit no information
            set is added.
        seed: root of the random streams; new searchers with the same seed, views and simulations give the same results.

    Raises:
        ParameterError: a parameter is out of range, or `targeting` is `public` and actions are not.
        UnsupportedGameError: the game has other players or no constant sum, or its actions cannot be listed.
    """

    NAME = "oos"
    SUMMARY = "online outcome sampling towards an equilibrium, for two players with hidden information"
    PARAMETERS: ClassVar[dict[str, Parameter]] = {
        "targeting": Choice("information_set", ("information_set", "public", "none")),
        "targeted": Real(0.9, 0, 0.99),
        "exploration": Real(0.4, 0.01, 1),
        "sampling": Choice("outcome", ("outcome", "external")),
        "memory_mb": Integer(MEMORY_MB, 2, 32_000),
    }

    def __init__(self, game: Game, *, seed: int = 0, **parameters: Any) -> None:
        super().__init__(game, seed=seed, **parameters)
        given = self.parameters
        self._is_external = given["sampling"] == "external"
        if given["targeting"] == "public" and game.has_hidden_information and not game.info.public_actions:
            raise ParameterError(
                f"targeting=public: in {game.spec} not everybody sees what the players do; valid: information_set, none"
            )
        self._walk_mb = max(1, given["memory_mb"] // 4)
        memory_mb = given["memory_mb"] - self._walk_mb
        self._sampling = OutcomeSampling(game, given["exploration"], given["targeted"], memory_mb)
        self._keys = SequenceForm(game, 1)  # for keys of views only
        self._seen: list[list[tuple[int, int]]] = [[], []]

    @classmethod
    def why_unsupported(cls, game: Game) -> str | None:
        reason = why_without_sequence_form(game)
        if reason is not None:
            return f"{reason}; use double_oracle"
        return None if game.is_zero_sum else "it is for two players with opposite interests; use ismcts"

    def _open_search(self, view: View) -> _Decision:
        key = self._keys.key_of(view)
        earlier = self._seen[view.player]
        if key in earlier:
            earlier = earlier[: earlier.index(key)]
        self._sampling.reseed(self.seed)
        self._sampling.aim(None)
        decision = _Decision([*earlier, key])
        if not self._is_external and self.parameters["targeting"] != "none" and self.parameters["targeted"] > 0:
            decision.ways = [([key], False)]
            if earlier:
                decision.ways.append(([key], True))
            decision.ways.append((decision.seen, True))
            self._next_walk(decision)
        self._seen[view.player] = decision.seen
        return decision

    def _next_walk(self, decision: _Decision) -> None:
        """Begin the next walk of a decision, if there is one."""
        decision.walk = None
        if decision.ways:
            decision.seen, whole = decision.ways.pop()
            actions = self.parameters["targeting"] == "public"
            decision.walk = SequenceForm(self.game, self._walk_mb, None, decision.seen, whole, actions)

    def _continue_walk(self, decision: _Decision) -> None:
        """Continue the walk to a decision, and aim the simulations when it is complete."""
        walk = decision.walk
        if walk is None:
            return
        try:
            if not walk.explore(_HISTORIES):
                return
        except TooLargeError:
            decision.walk = None
            return
        if walk.num_found == 0:
            self._next_walk(decision)
            return
        self._sampling.aim(walk)
        self._seen[decision.seen[-1][0]] = decision.seen
        decision.walk = None

    def _simulate(self, search: _Decision, count: int) -> None:
        if self._is_external:
            count = self._sampling.traverse(count)
        else:
            self._continue_walk(search)
            self._sampling.simulate(count)
        search.simulations += count

    def _result_of(self, view: View, search: _Decision, seconds: float, interrupted: bool) -> SampledSearchResult:
        actions: list[Action] = [*view.legal_actions()]
        known = self._sampling.answer(*self._keys.key_of(view))
        chances, visits, means = known or ([1 / len(actions)] * len(actions), [0] * len(actions), [None] * len(actions))
        low, span = self.game.min_utility, self.game.max_utility - self.game.min_utility
        shares = [None if mean is None else (mean + 1) / 2 for mean in means]
        weights = [(chance, share) for chance, share in zip(chances, shares, strict=True) if share is not None]
        total = sum(chance for chance, _ in weights)
        value = sum(chance * share for chance, share in weights) / total if total else 0.5
        return self._drawn(
            view,
            dict(zip(actions, chances, strict=True)),
            dict(zip(actions, visits, strict=True)),
            {each: None if share is None else low + share * span for each, share in zip(actions, shares, strict=True)},
            self._values(view, value),
            search.simulations,
            seconds,
            interrupted,
        )


SEARCHER = OOS
