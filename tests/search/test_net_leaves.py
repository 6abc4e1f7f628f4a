"""Searches with a net in place of playouts: equal to the reference in every bit, and with all options."""

import numpy as np
import pytest
from chance_games import Race
from nets import random_net
from search_cases import STATES

import mcts
from bots import load_bot
from cext.search.search import JOINT_SELECTIONS, Search
from cext.search.selection import SELECTIONS
from mcts.reference import ReferenceSearch

MEMORY_BYTES = 1 << 26
MNK = mcts.load_game("mnk")


def assert_same(state, simulations, **options):
    options = {"selection": "ucb1", "joint_selection": "regret_matching", "playout": "uniform", **options}
    options = {"solver": False, "transpositions": False, "exploration": 0.4, **options}
    net = random_net(state.game)
    kernel = Search(state.game, memory_bytes=MEMORY_BYTES, net=net.core, **options)
    kernel.set_root(state, 1)
    done, _ = kernel.run(simulations, 1e9)
    plain = ReferenceSearch(state.game, net=net, **options)
    assert plain.run(state, simulations, 1) == done
    assert plain.root_arms() == kernel.root_arms()
    assert plain.value_sums() == kernel.value_sums()
    assert plain.bounds() == kernel.bounds()
    assert (plain.visits, plain.nodes) == (kernel.visits, kernel.nodes)


@pytest.mark.parametrize("options", [{}, {"solver": True}, {"transpositions": True}], ids=str)
@pytest.mark.parametrize("name", STATES)
def test_a_search_agrees_with_plain_python(name, options):
    assert_same(STATES[name], 60, **options)


@pytest.mark.parametrize("selection", SELECTIONS)
def test_every_selection(selection):
    assert_same(STATES["mnk, 5x5"], 150, selection=selection, solver=True)


@pytest.mark.parametrize("selection", JOINT_SELECTIONS)
def test_every_joint_selection(selection):
    assert_same(STATES["bidding"], 60, joint_selection=selection)


def test_the_net_of_the_searcher_is_used(tmp_path):
    """A net that only likes the centre: the search plays there."""
    weights = np.zeros((20, 8), np.float32)
    weights[4, 0], weights[9 + 4, 1] = 8, 8  # the mark of x, of o in the centre
    output = np.zeros((8, 1), np.float32)
    output[0], output[1] = 1, -1
    net = mcts.ValueNet(MNK, [(np.zeros(8), weights), (np.zeros(1), output)])
    state = MNK.new_initial_state()
    centre = MNK.new_initial_state().legal_actions()[4]
    result = mcts.MCTS(MNK, evaluator=net, seed=1).run(state, simulations=50)
    assert result.action == centre
    assert result.values[0] > 75
    path = tmp_path / "centre.net"
    net.save(path)
    by_path = mcts.MCTS(MNK, evaluator=str(path), seed=1).run(state, simulations=50)
    assert by_path.visits == result.visits
    spec = mcts.format_spec("mcts", {"evaluator": str(path)})
    assert mcts.load_searcher(spec, MNK, seed=1).run(state, simulations=50).visits == result.visits
    bot = load_bot(mcts.format_spec("mcts", {"evaluator": str(path), "simulations": 50, "solver": False}))
    bot.new_game(MNK, player=0, seed=1)
    assert bot.choose(state.view(0)) == centre


def test_threads_and_a_kept_tree():
    searcher = mcts.MCTS(MNK, evaluator=random_net(MNK), threads=3, solver=True, seed=2)
    state = MNK.new_initial_state()
    result = searcher.run(state, simulations=300)
    assert result.simulations == 300
    assert searcher.advance(result.action)
    assert searcher.run(state.child(result.action), simulations=300).simulations > 0


def test_a_game_in_python_with_chance():
    class Encoded(Race):
        encoding_size = 3

        def encode(self, state):
            return [1.0, 2.0, float("nan")]

    game = Encoded(turns=3)
    net = random_net(game)
    result = mcts.MCTS(game, evaluator=net, seed=1).run(game.new_initial_state().child(1), simulations=40)
    assert result.simulations == 40
    assert all(game.min_utility <= value <= game.max_utility for value in result.values)


def test_a_net_is_an_evaluator_too():
    net = random_net(MNK)

    class Asked:
        def evaluate(self, batch):
            return net.evaluate(batch)

    result = mcts.MCTS(MNK, selection="puct", evaluator=Asked(), seed=1).run(MNK.new_initial_state(), simulations=60)
    assert result.simulations == 60


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"playout": "decisive"}, mcts.ParameterError, "valid: playout=uniform"),
        ({"playout": "mast"}, mcts.ParameterError, "valid: playout=uniform"),
        ({"root_noise": 0.2}, mcts.ParameterError, "valid: 0"),
        ({"evaluator": "missing.net"}, mcts.NetFileError, "missing.net"),
        ({"evaluator": " "}, mcts.ParameterError, "valid"),
        ({"evaluator": random_net(mcts.load_game("mnk(m=4,n=4,k=3)"))}, mcts.UnsupportedGameError, "not for mnk"),
        ({"evaluator": 3}, TypeError, "evaluate"),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        mcts.MCTS(MNK, **{"evaluator": random_net(MNK), **options})


def test_the_kernel_refuses_nets_that_do_not_fit():
    options = {"selection": "puct", "joint_selection": "ducb1", "exploration": 1.0, "solver": False}
    options |= {"transpositions": False, "memory_bytes": MEMORY_BYTES, "playout": "uniform"}
    for net in (random_net(mcts.load_game("mnk(m=4,n=4,k=3)")), random_net(mcts.load_game("three_player_ttt"))):
        with pytest.raises(ValueError, match="valid: 20 and 1"):
            Search(MNK, net=net.core, **options)
    for wrong in ({"batch_size": 4}, {"playout": "mast"}):
        with pytest.raises(TypeError, match="a net needs"):
            Search(MNK, net=random_net(MNK).core, **{**options, **wrong})
    with pytest.raises(TypeError):
        Search(MNK, net=3, **options)
