"""Training: a net learns what it is shown, the same from the same seed, and refuses what is not examples."""

import numpy as np
import pytest
from support import random_path

import mcts
from mcts.nets.training import fit, playout_values, train
from mcts.seeds import seed_for

RNG = np.random.default_rng(3)
INPUTS = RNG.normal(size=(3000, 6)).astype(np.float32) * [1, 5, 0.1, 1, 0, 1] + [0, 3, 0, 0, 7, 0]
TARGETS = 1 / (1 + np.exp(-(np.abs(INPUTS[:, 0]) * 3 - 2 + INPUTS[:, 2] * 20)))
MNK = mcts.load_game("mnk")


def error(layers, inputs, targets):
    units = inputs
    for number, (biases, weights) in enumerate(layers, 1):
        units = units @ weights + biases
        units = np.maximum(units, 0) if number < len(layers) else 1 / (1 + np.exp(-units))
    return float(np.sqrt(((units[:, 0] - targets) ** 2).mean()))


def test_a_net_learns_a_function_that_is_not_linear():
    epochs = []
    layers = fit(INPUTS[:2500], TARGETS[:2500], hidden=(24, 8), epochs=30, seed=1, on_epoch=epochs.append).layers
    assert error(layers, INPUTS[2500:], TARGETS[2500:]) < 0.04 < 0.25 < TARGETS.std()
    assert [epoch.number for epoch in epochs] == list(range(1, len(epochs) + 1))
    assert epochs[-1].held_out_loss < epochs[0].held_out_loss
    assert epochs[-1].loss < epochs[0].loss


def test_equal_seeds_give_equal_layers():
    def bits(seed):
        return [
            array.tobytes() for layer in fit(INPUTS[:300], TARGETS[:300], epochs=2, seed=seed).layers for array in layer
        ]

    assert bits(1) == bits(1) != bits(2)


def test_the_layers_with_the_least_held_out_loss_are_kept():
    """Targets without any rule: a net can only learn them by heart, and training ends early."""
    epochs = []
    noise = RNG.random(200).round()
    fit(RNG.normal(size=(200, 30)), noise, hidden=(64,), epochs=500, on_epoch=epochs.append)
    least = min(range(len(epochs)), key=lambda number: epochs[number].held_out_loss)
    assert len(epochs) == least + 11 < 500


@pytest.mark.parametrize("spec", ["mnk", "three_player_ttt", "bidding_3d_ttt"])
def test_a_net_of_playout_values(spec, tmp_path):
    game = mcts.load_game(spec)
    states = [state for seed in range(30) for state in random_path(game, seed) if not state.is_terminal()]
    values = playout_values(states[:4], 7, count=50)
    for number, (state, value) in enumerate(zip(states[:4], values.reshape(4, -1), strict=True)):
        returns = mcts.playouts(state, 50, seed=seed_for(7, number))
        assert value[0] == pytest.approx((returns[0] - game.min_utility) / (game.max_utility - game.min_utility))
    net = train(game, states, lambda given, seed: playout_values(given, seed, count=20), hidden=(8,), epochs=3)
    net.save(tmp_path / "x.net")
    assert mcts.ValueNet.load(game, tmp_path / "x.net").digest == net.digest


def test_a_trained_net_is_worth_more_than_an_untrained_one():
    states = [state for seed in range(600) for state in random_path(MNK, seed) if not state.is_terminal()]
    net = train(MNK, states, playout_values, hidden=(64, 16), epochs=25, seed=1)
    fresh = [state for seed in range(900, 940) for state in random_path(MNK, seed) if not state.is_terminal()]
    truth = playout_values(fresh, 1, count=500)
    found = net.outputs([state.encode() for state in fresh])[:, 0]
    assert np.sqrt(((found - truth) ** 2).mean()) < 0.75 * truth.std()


@pytest.mark.parametrize(
    ("inputs", "targets", "options"),
    [
        (INPUTS, TARGETS[:-1], {}),
        (INPUTS[:9], TARGETS[:9], {}),
        (INPUTS[:, 0], TARGETS, {}),
        (INPUTS, TARGETS + 0.5, {}),
        (INPUTS, TARGETS * np.nan, {}),
        (INPUTS * np.inf, TARGETS, {}),
        (INPUTS, TARGETS, {"hidden": ()}),
        (INPUTS, TARGETS, {"hidden": (2000,)}),
        (INPUTS, TARGETS, {"epochs": 0}),
        (INPUTS, TARGETS, {"held_out": 1}),
    ],
)
def test_what_is_not_an_example_is_refused(inputs, targets, options):
    with pytest.raises(ValueError, match=r"valid|from 0 to 1"):
        fit(inputs, targets, **options)


def test_a_game_without_an_encoding_is_refused():
    from python_games import TicTacToe

    with pytest.raises(mcts.UnsupportedGameError, match="no encoding"):
        train(TicTacToe(), [], playout_values)
