"""Nets in compiled code: the same bits as in plain Python, and from both builds."""

import copy
import hashlib
import inspect
import json
import pickle

import numpy as np
import pytest
from nets import random_layers, random_net
from support import HELPERS, random_path, run_python

import cext
import mcts
from cext import _variant
from cext.nets.net import Net
from mcts.reference.net import hidden_units, logistic, net_policy, net_values


def outputs_of(layers, inputs):
    layers = [(np.float32(biases), np.ascontiguousarray(weights, np.float32)) for biases, weights in layers]
    outputs = np.zeros((len(inputs), len(layers[-1][0])), np.float32)
    Net(layers).evaluate(inputs, outputs)
    plain = [net_values(layers, row) for row in inputs]
    return outputs, np.array(plain, np.float32), layers


@pytest.mark.parametrize("count", [1, 7, 64, 300])
@pytest.mark.parametrize("widths", [(1, 1), (5, 2), (64, 32, 1), (33, 9, 70, 8), (8, 8, 8, 8, 3)])
def test_a_net_agrees_with_plain_python_to_the_last_bit(count, widths):
    rng = np.random.default_rng(count)
    inputs = rng.normal(size=(5, count)).astype(np.float32)
    inputs[0] = 0
    found, plain, layers = outputs_of(random_layers((count, *widths)), inputs)
    np.testing.assert_array_equal(found, plain)
    units = inputs.astype(np.float64)
    for number, (biases, weights) in enumerate(layers, 1):
        units = units @ weights + biases
        units = np.maximum(units, 0) if number < len(layers) else 1 / (1 + np.exp(-units))
    np.testing.assert_allclose(found, units, atol=1e-6)


@pytest.mark.parametrize(("hidden", "actions"), [((1,), 1), ((16,), 9), ((40, 23), 70)])
def test_a_policy_agrees_with_plain_python_to_the_last_bit(hidden, actions):
    rng = np.random.default_rng(actions)
    inputs = rng.integers(0, 2, (4, 300)).astype(np.float32)
    layers = [(np.float32(b), np.ascontiguousarray(w, np.float32)) for b, w in random_layers((300, *hidden, 1))]
    biases, weights = random_layers((hidden[-1], actions), 7)[0]
    policy = np.float32(biases), np.ascontiguousarray(weights, np.float32)
    outputs, priors = np.zeros((4, 1), np.float32), np.zeros((4, actions), np.float32)
    Net(layers, policy).evaluate(inputs, outputs, priors)
    units = [hidden_units(layers, row) for row in inputs]
    plain = [net_policy(row, policy, range(actions)) for row in units]
    np.testing.assert_array_equal(priors, np.array(plain, np.float32))
    sums = np.float64(units) @ policy[1] + policy[0]
    np.testing.assert_allclose(priors, np.exp(sums - sums.max(axis=1, keepdims=True)), atol=2e-6)


def test_a_policy_of_huge_weights_has_priors_in_range():
    huge = float(np.finfo(np.float32).max)
    layers = [(np.float32([0, 0]), np.float32([[huge, huge]])), (np.float32([0]), np.float32([[0], [0]]))]
    policy = np.float32([0, 0, 1]), np.float32([[huge, huge, 0], [huge, -huge, 0]])
    outputs, priors = np.zeros((2, 1), np.float32), np.zeros((2, 3), np.float32)
    Net(layers, policy).evaluate(np.float32([[huge], [-huge]]), outputs, priors)
    least = np.exp(np.float32(-30))
    np.testing.assert_allclose(priors, [[least, least, least], [np.exp(-1.0), np.exp(-1.0), 1.0]], rtol=1e-5)


class Long(np.ndarray):
    """An array that claims to be shorter than its buffer."""

    def __len__(self):
        return 1


def test_sizes_are_those_of_the_buffers():
    biases = np.zeros(1000, np.float32).view(Long)
    with pytest.raises(ValueError, match="shape 2, 1; valid: 2, 1000"):
        Net([(biases, np.zeros((2, 1), np.float32)), (np.zeros(1, np.float32), np.zeros((1, 1), np.float32))])


def test_extreme_numbers_give_values_in_range():
    huge = float(np.finfo(np.float32).max)
    layers = [([huge, -huge], [[huge, -huge]] * 3), ([0.0], [[huge], [-huge]])]
    found, plain, _ = outputs_of(layers, np.float32([[1, 1, 1], [-1, -1, -1], [huge, -huge, huge], [0, 0, np.nan]]))
    np.testing.assert_array_equal(found, plain)
    assert ((found >= 0) & (found <= 1)).all()


def test_the_logistic_function():
    points = np.linspace(-40, 40, 4001, dtype=np.float32)
    found, plain, _ = outputs_of([([0.0, 0.0], [[1.0, -1.0]]), ([0.0], [[1.0], [-1.0]])], points[:, None])
    np.testing.assert_array_equal(found, plain)
    clipped = np.clip(points.astype(np.float64), -30, 30)
    np.testing.assert_allclose(found[:, 0], 1 / (1 + np.exp(-clipped)), rtol=3e-7, atol=0)
    assert logistic(np.float32("nan")) == 0.5


@pytest.mark.parametrize(
    "layers",
    [
        [],
        [([0.0], np.zeros((0, 1))), ([0.0], [[1.0]])],
        [([0.0], [[1.0]])],
        [([0.0], [[1.0]])] * 6,
        [([0.0], [[1.0]]), ([0.0], [[1.0]] * 2)],
        [([0.0, 0.0], [[1.0]])] * 2,
        [([0.0], [[float("nan")]])] * 2,
        [([float("inf")], [[1.0]])] * 2,
        [([0.0] * 1025, [[1.0] * 1025]), ([0.0], [[1.0]] * 1025)],
        [([0.0], [[1.0]]), ([0.0] * 9, [[1.0] * 9])],
        [([0.0], np.zeros(((1 << 16) + 1, 1))), ([0.0], [[1.0]])],
    ],
)
def test_nets_that_are_not_valid_are_refused(layers):
    with pytest.raises(ValueError, match="valid"):
        Net([(np.float32(biases), np.float32(weights)) for biases, weights in layers])


def test_arrays_of_other_shapes_are_refused():
    net = Net([(np.float32([0]), np.float32([[1], [1]])), (np.float32([0]), np.float32([[1]]))])
    for inputs, outputs in [((3, 3), (3, 1)), ((3, 2), (2, 1)), ((3, 2), (3, 2))]:
        with pytest.raises(ValueError, match="valid"):
            net.evaluate(np.zeros(inputs, np.float32), np.zeros(outputs, np.float32))
    with pytest.raises(ValueError, match=r"priors \[3, 1\]; valid: \[3, 0\]"):
        net.evaluate(*(np.zeros((3, width), np.float32) for width in (2, 1, 1)))


def digests():
    """Return what nets find in this process's machine code."""
    found = {}
    for spec in ("bidding_3d_ttt", "mnk(m=5,n=5,k=4)", "three_player_ttt"):
        game = mcts.load_game(spec)
        net = random_net(game, (64, 32), policies=game.num_actions > 0)
        states = [state for seed in range(20) for state in random_path(game, seed)]
        numbers = net.evaluate([state.encode() for state in states])
        found[spec] = [hashlib.sha256(each.tobytes()).hexdigest() for each in numbers]
    return found


DIGESTS_HERE = f"""
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
import mcts
from nets import random_net
from support import random_path
{inspect.getsource(digests)}
print(json.dumps(digests()))
"""


def test_both_builds_give_the_same_bits():
    for name in {_variant.available()[0], _variant.available()[-1]} - {cext.variant}:
        assert json.loads(run_python(DIGESTS_HERE, str(HELPERS), PLAYOUT_VARIANT=name)) == digests()


@pytest.mark.parametrize("policy", [None, 9])
def test_nets_are_copied_and_pickled(policy):
    rng, game = np.random.default_rng(2), mcts.load_game("mnk")
    head = None if policy is None else (rng.normal(size=policy), rng.normal(size=(8, policy)))
    net = mcts.ValueNet(
        game, [(np.zeros(8), rng.normal(size=(20, 8))), (np.zeros(1), rng.normal(size=(8, 1)))], policy=head
    )
    batch = [game.new_initial_state().encode()]
    for again in (copy.copy(net), copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert (again.game, again.digest) == (game, net.digest)
        assert all((a == b).all() for a, b in zip(again.evaluate(batch), net.evaluate(batch), strict=True))
    restore, (_, content) = net.__reduce__()
    with pytest.raises(mcts.errors.NetFileError, match="a pickle is damaged"):
        restore(game, content[:-1] + bytes([content[-1] ^ 1]))
