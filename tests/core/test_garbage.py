"""States in reference cycles: the garbage collector may take them apart in any order."""

import gc

import pytest

import mcts
from mcts.registry import native_games


class Holder:
    pass


@pytest.mark.parametrize("game", native_games())
def test_states_and_views_in_cycles_are_collected(game):
    for _ in range(3):
        state = mcts.load_game(game).new_initial_state()
        seen = state.view(0)
        holder = Holder()
        holder.me, holder.state, holder.seen = holder, state, seen
        del state, seen, holder
        assert gc.collect() > 0
