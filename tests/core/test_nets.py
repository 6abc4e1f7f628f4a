"""Nets in compiled code: the same bits as in plain Python, from both builds, and with sums kept by board."""

import json
from pathlib import Path

import numpy as np
import pytest
import support
from nets import random_layers, random_net
from support import random_path, run_python

import mcts
from cext import _variant
from cext.games.bidding_3d_ttt.leaves import Leaves
from cext.nets.net import Net
from mcts.reference.net import hidden_units, logistic, net_policy, net_values

BIDDING = ["bidding_3d_ttt", "bidding_3d_ttt(recapture=true)", "bidding_3d_ttt(chips=0)", "bidding_3d_ttt(chips=255)"]


def outputs_of(blocks, layers, inputs):
    layers = [(np.float32(biases), np.ascontiguousarray(weights, np.float32)) for biases, weights in layers]
    outputs = np.zeros((len(inputs), len(layers[-1][0])), np.float32)
    Net(blocks, layers).evaluate(inputs, outputs)
    plain = [net_values(blocks, layers, row) for row in inputs]
    return outputs, np.array(plain, np.float32), layers


@pytest.mark.parametrize("blocks", [(1,), (7,), (3, 5, 1), (20, 44)])
@pytest.mark.parametrize("widths", [(1, 1), (5, 2), (64, 32, 1), (33, 9, 70, 8), (8, 8, 8, 8, 3)])
def test_a_net_agrees_with_plain_python_to_the_last_bit(blocks, widths):
    rng = np.random.default_rng(len(blocks))
    inputs = rng.normal(size=(5, sum(blocks))).astype(np.float32)
    inputs[0] = 0
    found, plain, layers = outputs_of(blocks, random_layers((sum(blocks), *widths)), inputs)
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
    Net((300,), layers, policy).evaluate(inputs, outputs, priors)
    units = [hidden_units((300,), layers, row) for row in inputs]
    plain = [net_policy(row, policy, range(actions)) for row in units]
    np.testing.assert_array_equal(priors, np.array(plain, np.float32))
    sums = np.float64(units) @ policy[1] + policy[0]
    np.testing.assert_allclose(priors, np.exp(sums - sums.max(axis=1, keepdims=True)), atol=2e-6)


def test_a_policy_of_huge_weights_has_priors_in_range():
    huge = float(np.finfo(np.float32).max)
    layers = [(np.float32([0, 0]), np.float32([[huge, huge]])), (np.float32([0]), np.float32([[0], [0]]))]
    policy = np.float32([0, 0, 1]), np.float32([[huge, huge, 0], [huge, -huge, 0]])
    outputs, priors = np.zeros((2, 1), np.float32), np.zeros((2, 3), np.float32)
    Net((1,), layers, policy).evaluate(np.float32([[huge], [-huge]]), outputs, priors)
    least = np.exp(np.float32(-30))
    np.testing.assert_allclose(priors, [[least, least, least], [np.exp(-1.0), np.exp(-1.0), 1.0]], rtol=1e-5)


class Long(np.ndarray):
    """An array that claims to be shorter than its buffer."""

    def __len__(self):
        return 1


def test_sizes_are_those_of_the_buffers():
    biases = np.zeros(1000, np.float32).view(Long)
    with pytest.raises(ValueError, match="shape 2, 1; valid: 2, 1000"):
        Net((2,), [(biases, np.zeros((2, 1), np.float32)), (np.zeros(1, np.float32), np.zeros((1, 1), np.float32))])


def test_extreme_numbers_give_values_in_range():
    huge = float(np.finfo(np.float32).max)
    layers = [([huge, -huge], [[huge, -huge]] * 3), ([0.0], [[huge], [-huge]])]
    found, plain, _ = outputs_of(
        (3,), layers, np.float32([[1, 1, 1], [-1, -1, -1], [huge, -huge, huge], [0, 0, np.nan]])
    )
    np.testing.assert_array_equal(found, plain)
    assert ((found >= 0) & (found <= 1)).all()


def test_the_logistic_function():
    points = np.linspace(-40, 40, 4001, dtype=np.float32)
    found, plain, _ = outputs_of((1,), [([0.0, 0.0], [[1.0, -1.0]]), ([0.0], [[1.0], [-1.0]])], points[:, None])
    np.testing.assert_array_equal(found, plain)
    clipped = np.clip(points.astype(np.float64), -30, 30)
    np.testing.assert_allclose(found[:, 0], 1 / (1 + np.exp(-clipped)), rtol=3e-7, atol=0)
    assert logistic(np.float32("nan")) == 0.5


@pytest.mark.parametrize(
    ("blocks", "layers"),
    [
        ((), [([0.0], [[1.0]])] * 2),
        ((0, 1), [([0.0], [[1.0]])] * 2),
        ((1,), [([0.0], [[1.0]])]),
        ((1,), [([0.0], [[1.0]])] * 6),
        ((2,), [([0.0], [[1.0]])] * 2),
        ((1,), [([0.0, 0.0], [[1.0]])] * 2),
        ((1,), [([0.0], [[float("nan")]])] * 2),
        ((1,), [([float("inf")], [[1.0]])] * 2),
        ((1,), [([0.0] * 1025, [[1.0] * 1025]), ([0.0], [[1.0]] * 1025)]),
        ((1,), [([0.0], [[1.0]]), ([0.0] * 9, [[1.0] * 9])]),
        ((1 << 16, 1), [([0.0], [[1.0]])] * 2),
    ],
)
def test_nets_that_are_not_valid_are_refused(blocks, layers):
    with pytest.raises(ValueError, match="valid"):
        Net(blocks, [(np.float32(biases), np.float32(weights)) for biases, weights in layers])


def test_arrays_of_other_shapes_are_refused():
    net = Net((2,), [(np.float32([0]), np.float32([[1], [1]])), (np.float32([0]), np.float32([[1]]))])
    for inputs, outputs in [((3, 3), (3, 1)), ((3, 2), (2, 1)), ((3, 2), (3, 2))]:
        with pytest.raises(ValueError, match="valid"):
            net.evaluate(np.zeros(inputs, np.float32), np.zeros(outputs, np.float32))
    with pytest.raises(ValueError, match=r"priors \[3, 1\]; valid: \[3, 0\]"):
        net.evaluate(*(np.zeros((3, width), np.float32) for width in (2, 1, 1)))


@pytest.mark.parametrize("spec", BIDDING)
def test_sums_by_board_change_no_bit(spec):
    game = mcts.load_game(spec)
    states = [state for seed in range(40) for state in random_path(game, seed)]
    for hidden in [(64, 32), (1024,)]:  # with 1024 units, the table is small and is emptied often
        net = random_net(game, hidden)
        expected = [
            state.returns()[0] / 100 if state.is_terminal() else net.outputs([state.encode()])[0, 0] for state in states
        ]
        leaves = Leaves(game, net.core)
        np.testing.assert_array_equal(leaves.values(states), np.float32(expected))
        np.testing.assert_array_equal(leaves.values(states[::-1], times=3), np.float32(expected)[::-1])


def test_leaves_refuse_other_nets_games_and_states():
    game = mcts.load_game(BIDDING[0])
    net = random_net(game).core
    mnk = mcts.load_game("mnk")
    with pytest.raises(ValueError, match="valid: bidding_3d_ttt"):
        Leaves(mnk, net)
    for wrong in (
        random_net(mnk).core,
        random_net(game, blocks=(214,)).core,
        random_net(game, blocks=(21, 19, *(20,) * 7, 24, 10)).core,
    ):
        with pytest.raises(ValueError, match="valid: 11 blocks"):
            Leaves(game, wrong)
    leaves = Leaves(game, net)
    for state in (mnk.new_initial_state(), mcts.load_game(BIDDING[1]).new_initial_state()):
        with pytest.raises(mcts.StateError, match="are of bidding_3d_ttt"):
            leaves.values([state])
    for wrong in (None, 1, "x"):
        with pytest.raises(TypeError):
            leaves.values([wrong])
    assert len(leaves.values([])) == 0


IN_THIS_VARIANT = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
import mcts
from nets import random_net
from support import random_path
from cext.games.bidding_3d_ttt.leaves import Leaves
digests = {}
for spec in ("bidding_3d_ttt", "mnk(m=5,n=5,k=4)", "three_player_ttt"):
    game = mcts.load_game(spec)
    net = random_net(game, (64, 32), policies=game.num_actions > 0)
    states = [state for seed in range(20) for state in random_path(game, seed)]
    found = net.evaluate([state.encode() for state in states])
    digests[spec] = [hashlib.sha256(numbers.tobytes()).hexdigest() for numbers in found]
    if spec == "bidding_3d_ttt":
        digests["leaves"] = hashlib.sha256(Leaves(game, net.core).values(states).tobytes()).hexdigest()
print(json.dumps(digests))
"""


def test_both_builds_give_the_same_bits():
    found = {
        name: json.loads(run_python(IN_THIS_VARIANT, str(Path(support.__file__).parent), PLAYOUT_VARIANT=name))
        for name in _variant.available()
    }
    assert len({json.dumps(digests) for digests in found.values()}) == 1


def by_hand(state, recapture):
    """The 20 numbers of board A and the first 16 of the layout, from the text of a state."""
    given = state.to_dict()
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    boards = [given["tiles"][9 * board : 9 * board + 9] for board in range(9)]
    boards_of = given["boards"]
    lacking = []
    for me, opponent in ("rb", "br"):
        row = []
        for tiles, owner in zip(boards, boards_of, strict=True):
            live = [line for line in lines if recapture or opponent not in [tiles[cell] for cell in line]]
            lacks = [sum(tiles[cell] != me for cell in line) for line in live]
            row.append(0 if me in owner else 99 if owner else min(lacks, default=99))
        lacking.append(row)
    layout = [
        1 / (1 + sum(row[board] for board in line)) if max(row[board] for board in line) < 99 else 0
        for row in lacking
        for line in lines
    ]
    numbers = []
    for me, opponent in ("rb", "br"):
        tiles = boards[0]
        live = [line for line in lines if recapture or opponent not in [tiles[cell] for cell in line]]
        missing = [[cell for cell in line if tiles[cell] != me] for line in live]
        nearest = min(map(len, missing), default=99)
        dead = sum(opponent in [tiles[cell] for cell in line] for line in lines)
        inner = [
            nearest == 1,
            nearest == 2,
            dead / 8,
            len({cells[0] for cells in missing if len(cells) == 1}) / 3,
            sum(len(cells) == 2 for cells in missing) / 4,
            sum(len(cells) == 3 for cells in missing) / 8,
            len({cell for cells in missing for cell in cells}) / 9,
            tiles[4] == me,
        ]
        owner = boards_of[0]
        numbers += [me in owner, *([0] * 8 if owner else inner), tiles.count(me) / 5]
    return numbers, layout


@pytest.mark.parametrize("spec", BIDDING[:2])
def test_features_of_the_bidding_game(spec):
    game = mcts.load_game(spec)
    assert game.encoding_size == 214
    for seed in range(40):
        for state in random_path(game, seed):
            found = state.encode()
            numbers, layout = by_hand(state, "recapture=true" in spec)
            np.testing.assert_allclose(found[:20], numbers, atol=1e-6)
            np.testing.assert_allclose(found[180:196], layout, atol=1e-6)
            red, blue = state.to_dict()["chips"]
            share = red / (red + blue) if red + blue else 0.5
            rounds = [state.to_dict()["round"] == number for number in (1, 2, 3)]
            chips = [red / 80, blue / 80, (red - blue) / 80, share, 1 / (1 + red), 1 / (1 + blue), (red + blue) / 160]
            np.testing.assert_allclose(found[204:], [*rounds, *chips], atol=1e-6)
