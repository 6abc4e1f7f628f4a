"""States and searches in reference cycles: the garbage collector may take them apart in any order."""

import gc
import weakref

from python_games import Coin

import mcts
from mcts.registry import native_games
from mcts.searchers.cfr import CFR
from mcts.searchers.ismcts import ISMCTS
from mcts.searchers.oos import OOS


class Holder:
    pass


def held(game):
    """Return a weak reference to an object in a cycle that holds a state and a view."""
    state = mcts.load_game(game).new_initial_state()
    holder = Holder()
    holder.me, holder.state, holder.seen = holder, state, state.view(0)
    return weakref.ref(holder)


def test_states_and_views_in_cycles_are_collected():
    gc.disable()
    try:
        holders = [held(game) for game in native_games()]
        assert all(holder() for holder in holders)
        assert gc.collect() > 0
        assert not any(holder() for holder in holders)
    finally:
        gc.enable()


def searched(kind):
    """Return a weak reference to an object in a cycle of a game in Python and a search of it."""
    holder = Holder()
    holder.me, holder.game = holder, Coin()
    holder.game.holder = holder
    holder.search = kind(holder.game, seed=1)
    holder.search.run(holder.game.new_initial_state().child(1).view(0), simulations=20)
    return weakref.ref(holder)


def test_searches_of_a_game_in_python_are_collected_with_it():
    holders = [searched(kind) for kind in (CFR, ISMCTS, OOS)]
    gc.collect()
    assert not any(holder() for holder in holders)
