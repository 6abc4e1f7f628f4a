"""Simultaneous decisions: equilibria of known matrix games, and tables of joint actions of every size."""

import collections

import numpy as np
import pytest
from python_games import matrix_game, staged_game, zero_sum

import mcts

BIASED_RPS = np.array([[0, -0.25, 0.5], [0.25, 0, -0.05], [-0.5, 0.05, 0]])
SKEWED = np.array([[2, -1], [-1, 1]])
SIMULATIONS = 100_000


def search(game, simulations, **parameters):
    return mcts.MCTS.plain(game, **parameters).run(game.new_initial_state(), simulations=simulations)


def strategy(found, player):
    return np.array(list(found.for_player(player).policy.values()))


def nash_conv(matrix, found):
    """What both players together could gain by knowing the other's strategy."""
    row, column = strategy(found, 0), strategy(found, 1)
    return (matrix @ column).max() - (row @ matrix).min()


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("matrix", [BIASED_RPS, SKEWED], ids=["biased_rps", "skewed"])
def test_regret_matching_comes_close_to_equilibrium(matrix, seed):
    found = search(matrix_game(zero_sum(matrix)), SIMULATIONS, seed=seed)
    assert nash_conv(matrix, found) < 0.005


def test_regret_matching_finds_the_known_strategies_and_value():
    found = search(matrix_game(zero_sum(SKEWED)), SIMULATIONS)
    np.testing.assert_allclose(strategy(found, 0), [0.4, 0.6], atol=0.01)
    np.testing.assert_allclose(strategy(found, 1), [0.4, 0.6], atol=0.01)
    np.testing.assert_allclose(found.values, [0.2, -0.2], atol=0.03)


def test_two_stages_converge_to_the_equilibrium_of_the_whole():
    # The values of the second stages make the first one [[2, -1], [-1, 1]]: both play (2/5, 3/5), worth 1/5.
    pennies = [[1, -1], [-1, 1]]
    saddle = [[3, 2, 5], [4, 1, -2], [0, 1, 6]]
    stages = {
        (0, 0): saddle,
        (0, 1): (np.array(pennies) - 1).tolist(),
        (1, 0): [[-1, 0], [-2, 3]],
        (1, 1): (np.array(pennies) * 2 + 1).tolist(),
    }
    game = staged_game(stages, low=-6.0, high=6.0)
    searcher = mcts.MCTS.plain(game, seed=2)
    found = searcher.run(game.new_initial_state(), simulations=2 * SIMULATIONS)
    np.testing.assert_allclose(strategy(found, 0), [0.4, 0.6], atol=0.03)
    np.testing.assert_allclose(strategy(found, 1), [0.4, 0.6], atol=0.03)
    np.testing.assert_allclose(found.values, [0.2, -0.2], atol=0.1)
    assert searcher.advance([0, 0])
    state = game.new_initial_state()
    state.apply_actions([0, 0])
    below = searcher.run(state, simulations=10_000)
    assert below.policy[0] > 0.9
    assert below.for_player(1).policy[1] > 0.9
    np.testing.assert_allclose(below.values, [2, -2], atol=0.2)


def test_players_of_a_general_sum_game_defect():
    cooperate, defect = 0, 1
    payoffs = np.zeros((2, 2, 2))
    payoffs[cooperate, cooperate] = 3, 3
    payoffs[cooperate, defect] = 0, 5
    payoffs[defect, cooperate] = 5, 0
    payoffs[defect, defect] = 1, 1
    found = search(matrix_game(payoffs), 20_000)
    assert found.policy[defect] > 0.99
    assert found.for_player(1).policy[defect] > 0.99
    np.testing.assert_allclose(found.values, [1, 1], atol=0.1)


def test_three_players_decide_at_once():
    """One action of each is better whatever the others do; what the others do moves the returns as well."""
    rng = np.random.default_rng(1)
    payoffs = rng.uniform(0, 0.2, (3, 4, 2, 3))
    payoffs[2, :, :, 0] += 0.5
    payoffs[:, 1, :, 1] += 0.5
    payoffs[:, :, 0, 2] += 0.5
    found = search(matrix_game(payoffs), 20_000)
    assert [max(p, key=p.get) for p in (found.for_player(player).policy for player in range(3))] == [2, 1, 0]
    assert all(strategy(found, player).max() > 0.95 for player in range(3))
    np.testing.assert_allclose(found.values, payoffs[2, 1, 0], atol=0.05)


@pytest.mark.parametrize("joint_selection", ["regret_matching", "exp3"])
@pytest.mark.parametrize(
    "counts",
    [(1, 2), (1, 5), (5, 1), (6, 6), (17, 17), (40, 30), (3, 1, 4), (8, 8, 8), (2, 2, 2, 2), (300, 2)],
    ids=str,
)
def test_every_size_of_table_counts_every_simulation(counts, joint_selection):
    """Values depend on the own action alone, so that the means are exact wherever a joint action is kept."""
    payoffs = np.zeros((*counts, len(counts)))
    for player, count in enumerate(counts):
        steps = np.linspace(0, 1, count + 1)[1:]
        payoffs[..., player] = steps.reshape([-1 if axis == player else 1 for axis in range(len(counts))])
    payoffs *= 8
    found = search(matrix_game(payoffs), 5_000, joint_selection=joint_selection, seed=7)
    for player, count in enumerate(counts):
        mine = found.for_player(player)
        assert list(mine.visits) == list(range(count))
        assert sum(mine.visits.values()) == 5_000
        assert sum(mine.policy.values()) == pytest.approx(1)
        for action, mean in mine.action_values.items():
            assert mean == (None if mine.visits[action] == 0 else pytest.approx(8 * (action + 1) / count, abs=1e-6))
        assert max(mine.policy, key=mine.policy.get) >= 0.8 * (count - 1)
    assert found.is_mixed


@pytest.mark.sample(1)
@pytest.mark.parametrize("width", [7, 12])
def test_a_table_that_has_grown_still_finds_its_children(width):
    """What is kept behind every joint action, taken together, is every simulation but the first of each, and the last
    is of a joint action that the table holds."""
    rng = np.random.default_rng(3)
    game = staged_game({joint: rng.uniform(-1, 1, (2, 2)).tolist() for joint in np.ndindex(width, width)}, -1.0, 1.0)
    simulations, kept, children = 3_000, 0, 0
    for joint in np.ndindex(width, width):
        searcher = mcts.MCTS.plain(game, seed=1)
        searcher.run(game.new_initial_state(), simulations=simulations)
        if searcher.advance(joint):
            children += 1
            state = game.new_initial_state()
            state.apply_actions(joint)
            kept += sum(searcher.run(state, simulations=1).visits.values()) - 1
    unexplored = width * width - children
    assert children > 1
    assert simulations - children - unexplored <= kept <= simulations - children


def test_for_player_selects_a_player_who_decides():
    found = search(matrix_game(zero_sum([[1, 0, 0], [0, 1, 0]])), 1_000)
    assert (found.player, found.for_player(1).player) == (0, 1)
    assert len(found.policy) == 2
    assert len(found.for_player(1).policy) == 3
    assert found.for_player(1).values == found.values
    assert found.for_player(1).for_player(0) == found
    with pytest.raises(ValueError, match="player 2 has nothing to decide here; valid: 0, 1"):
        found.for_player(2)


def test_run_reports_the_player_that_was_asked_for():
    game = matrix_game(zero_sum([[1, 0, 0], [0, 1, 0]]))
    found = mcts.MCTS.plain(game).run(game.new_initial_state(), simulations=100, player=1)
    assert found.player == 1
    assert len(found.visits) == 3
    with pytest.raises(ValueError, match="player 5 has nothing to decide here; valid: 0, 1"):
        mcts.MCTS.plain(game).run(game.new_initial_state(), simulations=100, player=5)


def test_actions_are_drawn_from_the_policy():
    game = matrix_game(zero_sum(SKEWED))
    draws, expected = collections.Counter(), np.zeros(2)
    count = 400
    for seed in range(count):
        found = search(game, 300, seed=seed)
        draws[found.action] += 1
        expected += strategy(found, 0)
    deviation = np.sqrt(expected[0] * expected[1] / count)
    assert abs(draws[0] - expected[0]) < 4 * deviation
    assert min(draws.values()) > 0.2 * count  # the argmax alone would be drawn nearly always


def test_both_players_draw_for_themselves():
    game = matrix_game(zero_sum([[1, -1], [-1, 1]]))
    found = [search(game, 300, seed=seed) for seed in range(200)]
    pairs = collections.Counter((each.action, each.for_player(1).action) for each in found)
    assert len(pairs) == 4
    assert min(pairs.values()) > 20


def test_games_may_have_both_kinds_of_nodes():
    """In bidding tic-tac-toe the bids are drawn and the mark is chosen."""
    game = mcts.load_game("bidding_ttt(coins=3)")
    state = game.new_initial_state()
    bids = mcts.MCTS.plain(game, seed=3).run(state, simulations=2_000)
    assert bids.is_mixed
    state.apply_actions([state.string_to_action(0, "bid(1)"), state.string_to_action(1, "bid(0)")])
    mark = mcts.MCTS.plain(game, seed=3).run(state, simulations=2_000)
    assert not mark.is_mixed
    assert mark.action == max(mark.visits, key=mark.visits.get)
    assert state.action_to_string(0, mark.action) == "mark(2,2)"
