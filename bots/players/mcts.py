"""Monte Carlo tree search, for every game whose actions can be listed and where nothing is hidden."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any, cast

from cext.search.selection import SELECTIONS
from mcts import MCTS, Action, AnySearchResult, Game, Limit, PythonGame, SearchResult, State, View
from mcts.exact.size_estimate import estimate_size
from mcts.parameters import Choice, Flag, Integer, Real
from mcts.random_steps import sampled_states

from ..base import NO_LIMIT, tighter_limit
from ..pondering import Pondering
from ..search_bot import SearchBot
from ..steps import is_in_turns

WARM_UP_SECONDS = 0.02
"""Time limit of the search that a new searcher runs before the game."""

FEW_STATES = 500_000
"""Number of states, symmetric ones counted once, up to which transpositions are merged by default. A search that merges
is a few times slower, but what it proves of a state holds wherever the state occurs."""
FEW_SIMULTANEOUS_STATES = 10_000_000
"""The same number for games with simultaneous moves. Their simulations take longer, so that merging costs less."""
LEAVES = 32
"""Number of new states in a batch, in games with wide playouts."""


class MctsBot(SearchBot):
    """A search by `mcts.MCTS` at every decision.

    Some defaults differ from those of the searcher, for strength. The solver is on, except in games with so many
    states that a search proves little where players choose simultaneously. Transpositions are merged by default if a
    game has so few states that a search meets most of them again. In games in turns with more states the selection is
    GRAVE, unless `exploration` or `first_play_urgency` is given, which GRAVE does not read, or a net, which leaves it
    no playouts to learn from. In rulesheets the selection is UCB1, with batches of new states whose random games are
    played side by side, unless an option is given that does not go with them.

    With `keep_tree`, a search continues with the tree of the last one. With `ponder`, the bot also searches while the
    other players decide; its actions then depend on their times. With a clock, the remaining time is divided between
    the share `clock_decisions` of the decisions left: less than 1 gives more time to the earlier ones.
    """

    NAME = "mcts"
    SUMMARY = "Monte Carlo tree search, for games in which nothing is hidden"
    SEARCHER = MCTS
    PARAMETERS = {  # noqa: RUF012 (declared a ClassVar by the base)
        "selection": Choice(None, SELECTIONS),
        "solver": Flag(None),
        "transpositions": Flag(None),
        "leaves": Integer(None, 0, 512),
        "keep_tree": Flag(False),
        "ponder": Flag(False),
        "clock_decisions": Real(1.0, 0.01, 1.0),
    }

    _first_limit: Limit = NO_LIMIT
    """Limit of the first decision of the next game."""
    _searched: State | None = None
    """The state of the last search of this game, if its tree can be kept."""
    _pondering: Pondering | None = None
    _searcher: MCTS | None = None

    def why_unsupported(self, game: Game) -> str | None:
        if game.is_enumerable and game.has_hidden_information:
            return "it searches the true state, and here a player does not see it; use greedy or random"
        return super().why_unsupported(game)

    def set_limit(self, limit: Limit) -> None:
        self._first_limit = limit

    def new_game(self, game: Game, player: int, seed: int) -> None:
        self._end_pondering()
        self._searched = None
        super().new_game(game, player, seed)
        if self.supports(game):  # so that the first decision takes no longer than the others
            self.searcher_for(game, tighter_limit(self._first_limit, self.parameters).memory_mb)

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        self._end_pondering()
        kept = self.parameters["keep_tree"] and self._advance(view.state())
        action = super().choose(view, limit)
        if self.parameters["keep_tree"] and (kept or self.search_info is not None):
            self._searched = view.state()
        if self.parameters["ponder"]:
            self._ponder(view, action)
        return action

    def search(self, view: View, limit: Limit) -> AnySearchResult | None:
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

    def strategy(self, view: View, limit: Limit = NO_LIMIT, samples: int = 100) -> dict[Action, float]:
        result = self.search(view, limit)
        return result.strategy if isinstance(result, SearchResult) else {view.legal_actions()[0]: 1.0}

    def make_searcher(self, game: Game, given: dict[str, Any]) -> MCTS:
        if given["solver"] is None:
            given["solver"] = _has_few_states(game) or not _is_simultaneous(game)
        if given["transpositions"] is None:
            most = FEW_SIMULTANEOUS_STATES if _is_simultaneous(game) else FEW_STATES
            given["transpositions"] = not game.has_chance and _has_few_states(game, most)
        if given["leaves"] is None:
            given["leaves"] = LEAVES if _plays_wide(game, given) else 0
        if given["leaves"] and given["selection"] is None:
            given["selection"] = "ucb1"
        if given["selection"] is None:
            given["selection"] = _selection(game, given)
        searcher = MCTS(game, **given)
        # Makes the memory and the code of a search resident. It has no influence on later runs.
        state = game.new_initial_state()
        while state.is_chance():
            state.apply_action(state.sample_outcome(0))
        if not state.is_terminal():
            searcher.run(state, simulations=self.DEFAULT_SIMULATIONS, seconds=WARM_UP_SECONDS)
        return searcher


def _plays_wide(game: Game, given: dict[str, Any]) -> bool:
    """Return True if a search whose `leaves` are not given plays games from several new states side by side.

    docs/rulesheets.md has the matches behind this rule.
    """
    others = ("grave_exploration", "root_exploration", "first_play_urgency", "widening", "evaluator")
    return (
        game.has_wide_playouts
        and given["selection"] in (None, "ucb1")
        and given["playout"] == "uniform"
        and all(given[name] is None for name in others)
    )


def _selection(game: Game, given: dict[str, Any]) -> str:
    """Return the selection policy for a game if none is given. docs/strength.md has the matches behind this rule."""
    if given["grave_exploration"] is not None or given["root_exploration"] is not None:
        return "grave"
    if given["exploration"] is not None or given["transpositions"]:
        return "ucb1"
    if given["first_play_urgency"] is not None or given["evaluator"] is not None:
        return "ucb1"
    if isinstance(game, PythonGame) or _has_few_states(game) or not is_in_turns(game):
        return "ucb1"
    return "grave"


@cache
def _has_few_states(game: Game, most: int = FEW_STATES) -> bool:
    try:
        return estimate_size(game, enough=most).states <= most
    except TypeError:  # a game written in Python: an estimate would take too long
        return False


@cache
def _is_simultaneous(game: Game) -> bool:
    """Return True if in some of a few random games several players had a choice at once."""
    return any(
        sum(len(state.legal_actions(player)) > 1 for player in state.acting_players()) > 1
        for state in sampled_states(game)
    )


BOT = MctsBot
