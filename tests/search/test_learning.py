"""Games of a search against itself make examples, from which a net learns to guide the search."""

import numpy as np
import pytest
from chance_games import Dice, Race
from nets import random_net

import mcts
from mcts.learning import self_play as self_play_module
from mcts.learning.self_play import Examples, SelfPlay, learn, self_play
from mcts.nets.training import fit

MNK = mcts.load_game("mnk")
BOARD = mcts.load_game("mnk(m=5,n=5,k=4)")


def check(game, found):
    policies = found.policies.reshape(len(found.policies), found.heads, -1)
    legal = policies >= 0
    sums = np.maximum(policies, 0).sum(axis=2)
    np.testing.assert_allclose(sums[legal.any(axis=2)], 1, atol=1e-5)
    assert legal.any(axis=(1, 2)).all()
    assert (policies[~legal] == -1).all()
    assert ((found.values >= 0) & (found.values <= 1)).all()
    assert found.images == game.num_symmetries
    assert len(found.inputs) == len(found.values) == len(found.policies)
    assert found.inputs.shape[1] == game.encoding_size


@pytest.mark.parametrize("spec", ["mnk", "three_player_ttt", "points_ttt", "bidding_ttt(coins=3)", "tic_block"])
def test_examples_of_games_of_every_kind(spec):
    game = mcts.load_game(spec)
    found = self_play(game, games=2, simulations=20, seed=4)
    check(game, found)
    again = self_play(game, games=2, simulations=20, seed=4)
    same = Examples.from_bytes(again.to_bytes())
    assert (same.images, same.heads) == (found.images, 2 if spec.startswith(("bidding", "tic")) else 1)
    for name in ("inputs", "values", "policies"):
        np.testing.assert_array_equal(getattr(found, name), getattr(same, name))
    assert found.values.shape[1] == (1 if game.is_zero_sum else game.num_players)


@pytest.mark.parametrize("policies", [0, 1])
def test_a_net_guides_the_games(policies):
    net = random_net(MNK, policies=policies)
    found = self_play(MNK, net, games=3, simulations=30, seed=1)
    check(MNK, found)
    assert not np.array_equal(found.values[:8], self_play(MNK, games=3, simulations=30, seed=1).values[:8])


def test_sequential_halving_teaches_improved_policies():
    """They have all legal actions of the first state, more than the simulations visit."""
    net = random_net(MNK, policies=1)
    found = self_play(MNK, net, games=3, simulations=8, gumbel_actions=4, seed=1)
    check(MNK, found)
    assert (found.policies[0] > 0).all()
    visits = self_play(MNK, net, games=3, simulations=8, seed=1)
    assert (visits.policies[0] == 0).any()


def test_random_plies_of_players_who_decide_at_once_are_independent():
    """They reach states that equal seeds for both players do not."""
    game = mcts.load_game("bidding_ttt(coins=3)")
    known = {game.new_initial_state().encode().tobytes()}
    for seed in range(200):
        state = game.new_initial_state()
        state.apply_actions([state.sample_action(player, seed) for player in range(2)])
        known.add(state.encode().tobytes())
    player = SelfPlay(game, simulations=2, opening_plies=1)
    assert any(next(player.game(seed))[0].tobytes() not in known for seed in range(40))


def test_chance_decides_in_a_game():
    game = Race(turns=3)
    found = self_play(game, games=4, simulations=30, seed=2)
    check(game, found)
    assert 8 < len(found.inputs) <= 24  # six decisions of a game, fewer if one is proven


def test_states_whose_value_is_proven_have_the_exact_one():
    """The last state of a game is proven: else the game would go on."""
    solution = mcts.solve(MNK)
    exact = {}
    stack = [MNK.new_initial_state()]
    while stack:
        state = stack.pop()
        if not state.is_terminal() and state.encode().tobytes() not in exact:
            exact[state.encode().tobytes()] = solution.value(state)[0] / 100
            stack += [state.child(action) for action in state.legal_actions()]
    options = {"games": 1, "simulations": 30, "selection": "ucb1", "solver": True, "transpositions": False}
    games = [self_play(MNK, seed=seed, **options) for seed in range(20)]
    values = [exact[found.inputs[-1].tobytes()] for found in games]
    assert [found.values[-1, 0] for found in games] == values
    assert len(set(values)) == 3


@pytest.mark.parametrize("solver", [False, True])
def test_values_are_means_of_search_and_end_and_policies_are_of_long_searches(monkeypatch, solver):
    found = []

    class Noted(mcts.MCTS):
        def run(self, state, **options):
            found.append(super().run(state, **options))
            return found[-1]

    monkeypatch.setattr(self_play_module, "MCTS", Noted)
    player = SelfPlay(MNK, simulations=20, short_simulations=5, full_share=0.5, solver=solver)
    for seed in range(8):
        found.clear()
        examples = player.some(1, seed)
        searched = np.array([result.values[0] / 100 for result in found])
        ends = 2 * examples.values[:: examples.images, 0] - searched
        assert round(float(ends[0]), 4) in (0, 0.5, 1)
        np.testing.assert_allclose(ends, ends[0], atol=1e-5)
        assert [result.proven for result in found] == [False] * (len(found) - 1) + [solver]
        have_policies = (examples.policies[:: examples.images] >= 0).any(axis=1)
        assert have_policies.tolist() == [result.proven or result.simulations == 20 for result in found]


def test_images_are_held_out_together_and_have_the_actions_of_their_states():
    found = self_play(MNK, games=2, simulations=40, seed=1)
    assert found.images == 8
    marks = found.inputs[:, :18].reshape(-1, 8, 2, 9).sum(axis=2)
    policies = found.policies.reshape(-1, 8, 9)
    assert ((policies >= 0) == (marks == 0)).all()
    np.testing.assert_array_equal(np.sort(policies, axis=2), np.sort(policies[:, :1].repeat(8, axis=1), axis=2))
    both = Examples.joined([found, found])
    assert (len(both.inputs), both.images) == (2 * len(found.inputs), 8)


def test_a_net_learns_a_policy():
    """Of the legal actions the one with the greatest input is right; states without a policy teach values alone."""
    random = np.random.default_rng(1)
    inputs = random.normal(size=(3000, 5)).astype(np.float32)
    legal = random.random((3000, 5)) < 0.7
    legal[:, 0] |= ~legal.any(axis=1)
    policies = np.where(legal, 0.0, -1.0)
    policies[np.arange(3000), np.where(legal, inputs, -9).argmax(axis=1)] = 1.0
    policies[:100] = -1
    epochs = []
    values = 1 / (1 + np.exp(-inputs.sum(axis=1)))
    found = fit(inputs, values, policies, hidden=(24,), epochs=15, seed=1, on_epoch=epochs.append)
    assert epochs[-1].held_out_policy_loss < 0.25 < 0.7 < epochs[0].held_out_policy_loss
    units = np.maximum(inputs @ found.layers[0][1] + found.layers[0][0], 0)
    sums = np.where(legal, units @ found.policy[1] + found.policy[0], -1e9)[100:]
    assert (sums.argmax(axis=1) == policies[100:].argmax(axis=1)).mean() > 0.9
    outputs = 1 / (1 + np.exp(-(units @ found.layers[1][1] + found.layers[1][0])[:, 0]))
    assert np.abs(outputs - values).mean() < 0.05


def test_each_player_learns_a_policy_of_its_own():
    """The first player is to play the action with the greatest input, the second, in half of the states, the least."""
    random = np.random.default_rng(1)
    inputs = random.normal(size=(2000, 3)).astype(np.float32)
    policies = np.full((2000, 2, 3), -1.0)
    policies[:, 0] = np.eye(3)[inputs.argmax(axis=1)]
    policies[::2, 1] = np.eye(3)[inputs.argmin(axis=1)][::2]
    found = fit(inputs, np.full(2000, 0.5), policies.reshape(2000, 6), hidden=(24,), epochs=15, heads=2, seed=1)
    units = np.maximum(inputs @ found.layers[0][1] + found.layers[0][0], 0)
    sums = (units @ found.policy[1] + found.policy[0]).reshape(2000, 2, 3)
    assert (sums[:, 0].argmax(axis=1) == inputs.argmax(axis=1)).mean() > 0.9
    assert (sums[:, 1].argmax(axis=1) == inputs.argmin(axis=1)).mean() > 0.9
    with pytest.raises(ValueError, match=r"policies of shape \(2000, 6\); valid: \(2000, 4 \* actions\)"):
        fit(inputs, np.full(2000, 0.5), policies.reshape(2000, 6), heads=4)


@pytest.mark.parametrize(
    ("policies", "message"),
    [
        (np.zeros((20, 0)), "valid: .20, actions"),
        (np.ones((19, 1)), "valid: .20, actions"),
        (np.ones((20, 2)), "add up to 1"),
        (np.full((20, 2), np.nan), "add up to 1"),
        (np.zeros((20, 2)), "add up to 1"),
    ],
)
def test_policies_that_are_none_are_refused(policies, message):
    with pytest.raises(ValueError, match=message):
        fit(np.zeros((20, 3)), np.zeros(20), policies, epochs=1)


def test_games_without_an_encoding_or_with_hidden_information_are_refused():
    for game in (Dice(), mcts.load_game("bidding_3d_ttt")):
        with pytest.raises(mcts.UnsupportedGameError, match="no net can be trained"):
            self_play(game, games=1)
    with pytest.raises(ValueError, match="games"):
        self_play(MNK, games=0)


def share_of(searcher, opponent, games):
    """The share of the points of a searcher against another; every two games begin alike."""
    total = 0.0
    for number in range(games):
        state = BOARD.new_initial_state()
        state.apply_action(state.sample_action(0, number // 2))
        players = (searcher, opponent) if number % 2 == 0 else (opponent, searcher)
        for player in range(2):
            players[player].seed = 2 * number + player
        while not state.is_terminal():
            state.apply_action(players[state.current_player()].run(state, simulations=50).action)
        total += state.returns()[number % 2] / 100
    return total / games


def test_a_net_learns_to_guide_a_search_in_seconds():
    """Two generations of 40 games; then 50 simulations with the net beat 50 by UCB1, both with proofs."""
    net, parts = None, []
    for generation in range(2):
        parts.append(self_play(BOARD, net, games=40, simulations=100, seed=generation))
        net = learn(BOARD, Examples.joined(parts), hidden=(32, 32), epochs=6, seed=generation)
    plain = mcts.MCTS.plain(BOARD, solver=True)
    assert share_of(mcts.MCTS(BOARD, net=net), plain, 60) > 0.62
