"""States and searches in reference cycles: the garbage collector may take them apart in any order."""

import gc

import pytest
from python_games import Coin

import mcts
from mcts.registry import native_games
from mcts.searchers.cfr import CFR
from mcts.searchers.ismcts import ISMCTS
from mcts.searchers.oos import OOS


class Holder:
    pass


@pytest.mark.parametrize("game", native_games())
def test_states_and_views_in_cycles_are_collected(game):
    state = mcts.load_game(game).new_initial_state()
    seen = state.view(0)
    holder = Holder()
    holder.me, holder.state, holder.seen = holder, state, seen
    del state, seen, holder
    assert gc.collect() > 0


@pytest.mark.parametrize("kind", [CFR, ISMCTS, OOS])
def test_searches_of_a_game_in_python_are_collected_with_it(kind):
    holder = Holder()
    holder.me, holder.game = holder, Coin()
    holder.game.holder = holder
    holder.search = kind(holder.game, seed=1)
    holder.search.run(holder.game.new_initial_state().child(1).view(0), simulations=20)
    del holder
    assert gc.collect() > 0
