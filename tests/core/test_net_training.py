"""Training: a net learns what it is shown, the same from the same seed, and refuses what is not examples."""

import numpy as np
import pytest

from mcts.nets.training import fit

RNG = np.random.default_rng(3)
INPUTS = RNG.normal(size=(3000, 6)).astype(np.float32) * [1, 5, 0.1, 1, 0, 1] + [0, 3, 0, 0, 7, 0]
TARGETS = 1 / (1 + np.exp(-(np.abs(INPUTS[:, 0]) * 3 - 2 + INPUTS[:, 2] * 20)))


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


def test_examples_of_a_group_are_held_out_together():
    """What is held out has inputs and targets that no trained example has, so it is predicted worse and worse."""
    losses = []
    given = [[0.0]] * 10 + [[1.0]] * 10, [0.0] * 10 + [1.0] * 10
    fit(*given, hidden=(4,), rate=0.05, group=10, held_out=0.5, on_epoch=lambda each: losses.append(each.held_out_loss))
    assert losses == sorted(losses)


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


def test_training_ends_after_passes_in_a_row_without_progress():
    epochs = []
    fit(INPUTS[:100], TARGETS[:100], hidden=(8,), epochs=2000, seed=1, on_epoch=epochs.append)
    losses = [epoch.held_out_loss for epoch in epochs]
    least = losses.index(min(losses))
    assert len(losses) == least + 11
    assert sum(loss > min(losses[:number]) for number, loss in enumerate(losses[:least]) if number) > 10


def test_steps_become_small():
    epochs = []
    fit(INPUTS, TARGETS, epochs=4, rate=0.003, on_epoch=epochs.append)
    losses = [epoch.held_out_loss for epoch in epochs]
    assert losses[2] - losses[3] < (losses[0] - losses[1]) / 10


def test_the_loss_is_that_of_values_and_policy():
    epochs = []
    policies = np.full((300, 3), 1 / 3)
    fit(INPUTS[:300], TARGETS[:300], policies, epochs=3, on_epoch=epochs.append)
    assert all(epoch.held_out_loss > epoch.held_out_policy_loss > np.log(3) - 1e-3 for epoch in epochs)


def test_a_fit_begins_with_the_net_that_it_is_given():
    whole = fit(INPUTS[:2500], TARGETS[:2500], hidden=(24, 8), epochs=3)
    again = fit(INPUTS[:500], TARGETS[:500], hidden=(24, 8), epochs=1, rate=1e-9, start=whole)
    for (biases, weights), (given_biases, given_weights) in zip(again.layers, whole.layers, strict=True):
        np.testing.assert_allclose(weights, given_weights, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(biases, given_biases, rtol=1e-4, atol=1e-3)


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
        (INPUTS, TARGETS, {"group": 0}),
        (INPUTS, TARGETS, {"group": len(INPUTS)}),
    ],
)
def test_what_is_not_an_example_is_refused(inputs, targets, options):
    with pytest.raises(ValueError, match=r"valid|from 0 to 1"):
        fit(inputs, targets, **options)
