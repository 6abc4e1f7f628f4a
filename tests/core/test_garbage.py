"""States and searches in reference cycles: the garbage collector may take them apart in any order."""

import gc

import pytest

import mcts
from mcts.registry import native_games
from mcts.searchers.cfr import CFR
from mcts.searchers.ismcts import ISMCTS
from mcts.searchers.oos import OOS


class Holder:
    pass


class Coin(mcts.PythonGame):
    """The first player guesses a coin that it does not see."""

    name, num_actions, num_outcomes, utility_sum = "coin", 2, 2, 1.0

    def initial_state(self):
        return ()

    def acting_players(self, state):
        return (mcts.CHANCE, 0, ())[len(state)]

    def chance_outcomes(self, state):
        return {0: 1, 1: 1}

    def legal_actions(self, state, player):
        return [0, 1]

    def next_state(self, state, joint):
        return (*state, joint[mcts.CHANCE] if not state else joint[0])

    def observation(self, state, player):
        return len(state)

    def returns(self, state):
        return [float(state[0] == state[1]), float(state[0] != state[1])]


@pytest.mark.parametrize("game", native_games())
def test_states_and_views_in_cycles_are_collected(game):
    for _ in range(3):
        state = mcts.load_game(game).new_initial_state()
        seen = state.view(0)
        holder = Holder()
        holder.me, holder.state, holder.seen = holder, state, seen
        del state, seen, holder
        assert gc.collect() > 0


@pytest.mark.parametrize("kind", [CFR, ISMCTS, OOS])
def test_searches_of_a_game_in_python_are_collected_with_it(kind):
    for _ in range(3):
        holder = Holder()
        holder.me, holder.game = holder, Coin()
        holder.game.holder = holder
        holder.search = kind(holder.game, seed=1)
        holder.search.run(holder.game.new_initial_state().child(1).view(0), simulations=20)
        del holder
        assert gc.collect() > 0
