"""Searches with a net in place of playouts: equal to the reference in every bit, and with all options."""

import numpy as np
import pytest
from chance_games import Race
from nets import random_net
from search_cases import STATES
from support import kernel_search, reference_search

import mcts
from bots import load_bot
from cext.nets.net import Net
from cext.search.policies import JOINT_SELECTIONS, SELECTIONS
from cext.spec import format_spec

MEMORY_BYTES = 1 << 26
MNK = mcts.load_game("mnk")
POLICY = random_net(MNK, policies=1)


class EncodedRace(Race):
    encoding_size = 3

    def encode(self, state):
        return [1.0, 2.0, float("nan")]


def assert_same(state, simulations, policies=0, **options):
    options = {"selection": "ucb1", "joint_selection": "regret_matching", "playout": "uniform", **options}
    options = {"solver": False, "transpositions": False, "exploration": 0.4, **options}
    net = random_net(state.game, policies=policies)
    kernel = kernel_search(state.game, memory_bytes=MEMORY_BYTES, net=net.core, **options)
    kernel.set_root(state, 1)
    done, _ = kernel.run(simulations, 1e9)
    plain = reference_search(state.game, net=net, **options)
    assert plain.run(state, simulations, 1) == done
    assert plain.root_arms() == kernel.root_arms()
    assert plain.value_sums() == kernel.value_sums()
    assert plain.bounds() == kernel.bounds()
    assert (plain.visits, plain.nodes) == (kernel.visits, kernel.nodes)


@pytest.mark.sample(8)
@pytest.mark.parametrize("options", [{}, {"solver": True}, {"transpositions": True}, {"playout_share": 0.3}], ids=str)
@pytest.mark.parametrize("name", STATES)
def test_a_search_agrees_with_plain_python(name, options):
    assert_same(STATES[name], 60, **options)


@pytest.mark.sample(6)
@pytest.mark.parametrize("options", [{}, {"solver": True}, {"playout_share": 0.3, "solver": True}], ids=str)
@pytest.mark.parametrize("name", STATES)
def test_a_search_with_a_policy_agrees_with_plain_python(name, options):
    assert_same(STATES[name], 80, policies=1, selection="puct", exploration=1.4, **options)


def test_a_share_of_1_leaves_the_values_to_playouts():
    """As without a net, but for the first state, of which a search with priors makes no playout of its own."""
    options = {"playout_share": 1.0, "selection": "puct", "solver": False, "seed": 2}
    net = random_net(MNK)
    value = mcts.MCTS.plain(MNK, net=net, **options).run(MNK.new_initial_state(), simulations=2000).values[0]
    options.pop("playout_share")
    played = mcts.MCTS.plain(MNK, **options).run(MNK.new_initial_state(), simulations=2000).values[0]
    judged = mcts.MCTS.plain(MNK, net=net, **options).run(MNK.new_initial_state(), simulations=2000).values[0]
    assert value == played
    assert abs(judged - played) > 5


@pytest.mark.sample(3)
@pytest.mark.parametrize("options", [{}, {"solver": True}, {"joint_selection": "exp3"}], ids=str)
@pytest.mark.parametrize("name", ["bidding", "tic_block", "three players"])
def test_a_search_with_a_policy_for_each_player_agrees_with_plain_python(name, options):
    state = STATES[name]
    assert_same(state, 80, policies=state.game.num_players, selection="puct", **options)


def test_a_policy_leads_a_player_where_several_decide():
    """The second player likes its first action, the first one its last: most simulations play them."""
    state = STATES["bidding"]
    game = state.game
    layers = random_net(game, (8,)).layers
    biases = np.zeros((2, game.num_actions))
    first, second = (state.legal_actions(player) for player in range(2))
    biases[0, first[-1]] = biases[1, second[0]] = 9
    net = mcts.ValueNet(game, layers, policy=(biases.ravel(), np.zeros((8, biases.size))))
    result = mcts.MCTS(game, net=net, selection="puct", seed=1).run(state, simulations=40)
    assert max(result.visits, key=result.visits.get) == first[-1]
    assert max(result.for_player(1).visits, key=result.for_player(1).visits.get) == second[0]


@pytest.mark.parametrize("options", [{"first_play_urgency": 0.3}, {"first_play_reduction": 0.4}])
def test_untried_actions_with_a_policy(options):
    assert_same(STATES["mnk, 5x5"], 200, policies=1, selection="puct", **options)


def test_the_default_reduction_is_that_of_policies():
    def reduction(net, **options):
        return mcts.MCTS(MNK, net=net, **options).parameters["first_play_reduction"]

    assert (reduction(POLICY), reduction(random_net(MNK)), reduction(None)) == (0.25, 0, 0)
    assert (reduction(POLICY, first_play_reduction=0.1), reduction(POLICY, selection="ucb1")) == (0.1, 0)


def test_a_chance_game_with_a_policy_agrees_with_plain_python():
    assert_same(EncodedRace(turns=3).new_initial_state().child(1), 60, policies=1, selection="puct", solver=True)


def test_priors_are_those_of_the_net():
    net = random_net(MNK, policies=1)
    state = MNK.new_initial_state().child(3)
    kernel = kernel_search(MNK, net=net.core, selection="puct")
    kernel.set_root(state, 1)
    priors, _ = net.evaluate([state.encode()])
    legal = state.legal_actions()
    found = kernel.root_priors()
    assert list(found) == legal == list(net.priors(state))
    np.testing.assert_allclose(list(found.values()), priors[0, legal] / priors[0, legal].sum(), rtol=1e-5)
    np.testing.assert_allclose(list(net.priors(state).values()), list(found.values()), rtol=1e-6)
    assert random_net(MNK).priors(state) == {}


def test_each_player_who_decides_has_priors():
    state = STATES["bidding"]
    net = random_net(state.game, policies=2)
    weights, outputs = np.zeros((1, net.core.num_actions), np.float32), np.zeros((1, 1), np.float32)
    net.core.evaluate(state.encode()[None], outputs, weights)
    for player in (0, 1):
        legal = state.legal_actions(player)
        share = weights[0, player * state.game.num_actions + np.array(legal)]
        found = net.priors(state, player)
        assert list(found) == legal
        np.testing.assert_allclose(list(found.values()), share / share.sum(), rtol=1e-6)
    for player in (-1, 2):
        with pytest.raises(ValueError, match=f"player {player} does not decide here; valid: .0, 1."):
            net.priors(state, player)
    with pytest.raises(mcts.UnsupportedGameError, match="not for mnk"):
        net.priors(MNK.new_initial_state())
    for wrong in ([], [net.core.num_actions]):
        with pytest.raises(ValueError, match="valid: at least one"):
            net.core.priors(state, wrong)
    with pytest.raises(ValueError, match="from number -1; valid: at least one"):
        net.core.priors(state, [1], -1)
    with pytest.raises(ValueError, match="an encoding of 20 numbers"):
        net.core.priors(MNK.new_initial_state(), [0])


def test_a_policy_guides_the_search_and_noise_changes_it():
    weights = np.zeros((8, 9), np.float32)
    likes = (np.where(np.arange(9) == 7, 6.0, 0.0), weights)
    net = mcts.ValueNet(MNK, [(np.zeros(8), np.zeros((20, 8))), (np.zeros(1), np.zeros((8, 1)))], policy=likes)
    state = MNK.new_initial_state()
    result = mcts.MCTS(MNK, net=net, seed=1, exploration=100).run(state, simulations=50)
    assert result.visits[state.legal_actions()[7]] > 45
    noisy = mcts.MCTS(MNK, net=net, seed=1, exploration=100, root_noise=1.0).run(state, simulations=50)
    assert noisy.visits[state.legal_actions()[7]] < 45


def test_a_small_pool_with_a_policy():
    game = mcts.load_game("mnk(m=7,n=7,k=5)")
    searcher = mcts.MCTS(game, net=random_net(game, policies=1), memory_mb=1, solver=True, seed=1)
    assert searcher.run(game.new_initial_state(), simulations=20_000).simulations == 20_000


def test_a_game_in_python_that_fails_with_a_policy():
    class Failing(EncodedRace):
        def encode(self, state):
            if state[1] == 2:
                raise RuntimeError("no encoding")
            return super().encode(state)

    game = Failing(turns=3)
    searcher = mcts.MCTS(game, net=random_net(game, policies=1), seed=1)
    with pytest.raises(RuntimeError, match="no encoding"):
        searcher.run(game.new_initial_state().child(1), simulations=40)


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
    result = mcts.MCTS.plain(MNK, net=net, seed=1).run(state, simulations=50)
    assert result.action == centre
    assert result.values[0] > 75
    path = tmp_path / "centre.net"
    net.save(path)
    by_path = mcts.MCTS.plain(MNK, net=str(path), seed=1).run(state, simulations=50)
    assert by_path.visits == result.visits
    spec = format_spec("mcts", {"net": str(path)})
    assert mcts.load_searcher(spec, MNK, seed=1).run(state, simulations=50).visits == result.visits
    bot = load_bot(format_spec("mcts", {"net": str(path), "simulations": 50, "solver": False}))
    bot.new_game(MNK, player=0, seed=1)
    assert bot.choose(state.view(0)) == centre
    assert bot.parameters["net"] == f"{path}#{net.digest}"
    random_net(MNK).save(path)
    with pytest.raises(mcts.errors.NetFileError, match="digest"):
        load_bot(bot.spec).check_game(MNK)


def test_threads_and_a_kept_tree():
    searcher = mcts.MCTS.plain(MNK, net=random_net(MNK), threads=3, solver=True, seed=2)
    state = MNK.new_initial_state()
    result = searcher.run(state, simulations=300)
    assert result.simulations == 300
    assert searcher.advance(result.action)
    assert searcher.run(state.child(result.action), simulations=300).simulations > 0


def test_a_game_in_python_with_chance():
    game = EncodedRace(turns=3)
    net = random_net(game)
    result = mcts.MCTS.plain(game, net=net, seed=1).run(game.new_initial_state().child(1), simulations=40)
    assert result.simulations == 40
    assert all(game.min_utility <= value <= game.max_utility for value in result.values)


def test_a_net_is_an_evaluator_too():
    """By both doors the same search, where no states wait at once."""
    net, state = random_net(MNK, policies=1), MNK.new_initial_state()
    options = {"selection": "puct", "solver": False, "first_play_reduction": 0.0, "seed": 1}
    asked = mcts.MCTS.plain(MNK, evaluator=net, batch_size=1, **options).run(state, simulations=200)
    assert mcts.MCTS.plain(MNK, net=net, **options).run(state, simulations=200).visits == asked.visits


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"net": None, "playout_share": 0.2}, mcts.ParameterError, "playout_share=0.2 .*; valid: a net or .* policy"),
        ({"playout_share": 1.1}, mcts.ParameterError, "0 to 1"),
        ({"root_noise": 0.2}, mcts.ParameterError, "valid: a net with a policy or an evaluator, or root_noise=0"),
        ({"net": "missing.net"}, mcts.errors.NetFileError, "missing.net"),
        ({"net": " "}, mcts.ParameterError, "valid"),
        ({"net": random_net(mcts.load_game("mnk(m=4,n=4,k=3)"))}, mcts.UnsupportedGameError, "not for mnk"),
        ({"net": 3}, mcts.ParameterError, "net=3 is not a text"),
        ({"net": None, "evaluator": 3}, TypeError, "evaluate"),
        ({"evaluator": random_net(MNK)}, mcts.ParameterError, "net and evaluator are given"),
        (
            {"net": POLICY, "root_noise": 0.2},
            mcts.ParameterError,
            "does not go with selection=ucb1; valid: selection=puct",
        ),
        (
            {"net": POLICY, "selection": "puct", "transpositions": True},
            mcts.ParameterError,
            "valid: transpositions=false",
        ),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        mcts.MCTS.plain(MNK, **{"net": random_net(MNK), **options})


def test_the_kernel_refuses_nets_that_do_not_fit():
    options = {"selection": "puct", "joint_selection": "exp3", "exploration": 1.0, "solver": False}
    options |= {"transpositions": False, "memory_bytes": MEMORY_BYTES, "playout": "uniform"}
    for net in (random_net(mcts.load_game("mnk(m=4,n=4,k=3)")), random_net(mcts.load_game("three_player_ttt"))):
        with pytest.raises(ValueError, match="valid: 20 and 1"):
            kernel_search(MNK, net=net.core, **options)
    with pytest.raises(TypeError, match="a net needs"):
        kernel_search(MNK, net=random_net(MNK).core, **options, batch_size=4)
    net = Net(POLICY.layers, tuple(np.tile(array, 3) for array in POLICY.policy))
    with pytest.raises(ValueError, match="27 actions; valid: 9, or 9 for each player"):
        kernel_search(MNK, net=net, **options)
    with pytest.raises(TypeError, match="transpositions"):
        kernel_search(MNK, net=POLICY.core, **{**options, "transpositions": True})
    with pytest.raises(TypeError, match="a net with a policy"):
        kernel_search(MNK, net=random_net(MNK).core, root_noise=0.5, **options)
    with pytest.raises(TypeError):
        kernel_search(MNK, net=3, **options)
