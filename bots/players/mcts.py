"""Monte Carlo tree search, for every game whose actions can be listed and where nothing is hidden."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any, cast

from mcts import MCTS, Action, Game, Limit, Result, Searcher, State, View
from mcts.parameters import Flag

from ..base import NO_LIMIT
from ..clocks import TurnLimit, decision_limit
from ..search_bot import SearchBot
from .common.pondering import Pondering

WARM_UP_SECONDS = 0.02
"""Time limit of the search that a new searcher runs before the game."""


class MctsBot(SearchBot):
    """A search by `mcts.MCTS` at every decision.

    With `keep_tree`, a search continues with the tree of the last one. With `ponder`, the bot also searches while the
    other players decide; its actions then depend on their times.
    """

    NAME = "mcts"
    SUMMARY = "Monte Carlo tree search, for games in which nothing is hidden"
    SEARCHER = MCTS
    PARAMETERS = {  # noqa: RUF012 (declared a ClassVar by the base)
        "keep_tree": Flag(False),
        "ponder": Flag(False),
    }

    NOT_COPIED = (*SearchBot.NOT_COPIED, "_searched", "_pondering")

    _searched: State | None = None
    """The state of the last search of this game, if its tree can be kept."""
    _pondering: Pondering | None = None
    _searcher: MCTS | None = None

    def why_unsupported(self, game: Game) -> str | None:
        if game.is_enumerable and game.has_hidden_information:
            return "it searches the true state, and here a player does not see it; use ismcts"
        return super().why_unsupported(game)

    def new_game(self, game: Game, player: int, seed: int) -> None:
        self._end_pondering()
        self._searched = None
        super().new_game(game, player, seed)
        if self.supports(game):  # so that the first decision takes no longer than the others
            kept = self._searcher
            searcher = self.searcher_for(game, decision_limit(None, self._first_limit, self.parameters).memory_mb)
            if searcher is not kept:
                self._warm_up(searcher)

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        self._end_pondering()
        keeps = self.parameters["keep_tree"] or self.parameters["ponder"]
        advanced = self._searcher if keeps and self._advance(view.state()) else None
        action = super().choose(view, limit)
        has_tree = self.search_info is not None or (advanced is not None and advanced is self._searcher)
        if keeps and has_tree:
            self._searched = view.state()
        if self.parameters["ponder"]:
            self._ponder(view, action)
        return action

    def search(self, view: View, limit: Limit) -> Result | None:
        self._end_pondering()
        self._searched = None  # `choose` sets it again
        return super().search(view, limit)

    def _advance(self, state: State) -> bool:
        """Move the root of the tree from the state of the last search to a state that followed it, if it is known."""
        last, self._searched = self._searched, None
        if last is None or self._searcher is None:
            return False
        steps = state.history()[len(last.history()) :]
        reached = last.clone()
        try:
            for step in steps:
                reached.apply_actions(step)
        except ValueError:  # another game, which a caller has not announced
            return False
        return reached == state and all(self._searcher.advance(cast("tuple[int, ...]", step)) for step in steps)

    def _ponder(self, view: View, action: Action) -> None:
        """Begin to search the state after this bot's action, where others decide alone."""
        state = view.state()
        if state.acting_players() != (view.player,) or self._searcher is None:
            return
        after = state.child(action)
        if after.is_terminal():
            return
        if self._searched is not None:
            self._searcher.advance(action)
        self._searched = after
        self._pondering = Pondering(self._searcher, after)

    def _end_pondering(self) -> None:
        """End the search in the background. Raise the error with which it has failed, if it did."""
        running, self._pondering = self._pondering, None
        error = None if running is None else running.end()
        if error is not None:
            self._searched = None
            raise error

    def close(self) -> None:
        with suppress(Exception):
            self._end_pondering()
        super().close()

    def make_searcher(self, game: Game, given: dict[str, Any]) -> MCTS:
        """Return a new searcher. The estimate of the game's size takes at most half of the first deadline."""
        deadline = self._first_limit.deadline_seconds if isinstance(self._first_limit, TurnLimit) else None
        return MCTS(game, estimate_seconds=math.inf if deadline is None else deadline / 2, **given)

    def _warm_up(self, searcher: Searcher) -> None:
        """Make the memory and the code of a search resident. This has no influence on later runs."""
        state = searcher.game.new_initial_state()
        while state.is_chance():
            state.apply_action(state.sample_outcome(0))
        if not state.is_terminal():
            searcher.run(state, simulations=self.DEFAULT_SIMULATIONS, seconds=WARM_UP_SECONDS)


BOT = MctsBot
