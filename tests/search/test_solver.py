"""The solver in search: every proof holds against brute force, and late positions are proven quickly."""

import functools
import random

import numpy as np
import pytest
from brute_force import MaxN, ZeroSum, successors
from python_games import rounds_game, staged_game, tree_game
from sampling import sweep
from support import random_path

import mcts

EXACT = 1e-5
"""On a scale of 100: values in the tree are whole multiples of 2^-30, and mixed ones are rounded to them."""
SIMULATIONS = 20_000
MANY = 1_000_000
"""Enough to prove any late position of a game in turns; nearly all are proven after a few hundred."""

# Spec -> (most cells left blank, positions)
IN_TURNS = {
    "mnk(m=3,n=3,k=3)": (7, 200),
    "mnk(m=4,n=4,k=3)": (7, 120),
    "mnk(m=6,n=2,k=3)": (8, 120),
    "mnk(m=5,n=3,k=4)": (7, 120),
    "points_ttt": (3, 120),
    "tic_block(block_phase=alternating)": (6, 120),
}
AT_ONCE = {
    "tic_block(block_phase=simultaneous)": (6, 70),
    "bidding_ttt(coins=0)": (4, 120),
    "bidding_ttt(coins=1)": (4, 120),
    "bidding_ttt(coins=2)": (3, 120),
    "bidding_ttt(coins=3)": (2, 120),
}
MIXED = ("tic_block(block_phase=simultaneous)",)
"""Late bids, it turns out, need not be drawn at random: one number of coins is best."""
THREE_PLAYERS = {"three_player_ttt(torus=false)": (5, 120), "three_player_ttt(torus=true)": (5, 120)}


def blanks(state):
    """Blank cells of the board that is played on now; of both boards of tic_block, as far as they are to come."""
    given = state.to_dict()
    if "tic" in given:
        return 16 + given["tic"].count(".") if given["block"] is None else given["block"].count(".")
    return given["board"].count(".")


@functools.cache
def late_states(spec, most_blanks, count):
    """Different states, not over, of random play: two of each game at most."""
    game, found, seed = mcts.load_game(spec), {}, 0
    while len(found) < count and seed < 60 * count:
        late = [state for state in random_path(game, seed) if not state.is_terminal() and blanks(state) <= most_blanks]
        for state in random.Random(seed).sample(late, min(2, len(late))):
            found[state.key()] = state
        seed += 1
    return list(found.values())[:count]


def search(state, simulations, **parameters):
    parameters = {"solver": True, **parameters}
    return mcts.MCTS.plain(state.game, **parameters).run(state, simulations=simulations)


def assert_contains(found, values):
    """The bounds contain these returns, one a player."""
    for (lower, upper), value in zip(found.bounds, values, strict=True):
        assert lower - EXACT <= value <= upper + EXACT


OPTIONS = [
    {},
    {"selection": "puct"},
    {"selection": "grave"},
    {"transpositions": True},
    {"threads": 2},
    {"joint_selection": "exp3", "transpositions": True, "selection": "puct"},
]
SHARE_AT_ONCE = 0.95
"""Of the late positions in which two decide at once, how many are proven."""
THREADED = 4
"""The number of the options with two trees: one may have proven the value where the other has not."""


def some_options(number):
    """Other options for every position."""
    return {"seed": number, **OPTIONS[number % len(OPTIONS)]}


def assert_value(state, exact, found):
    """What is proven is exact, and the action keeps it."""
    value = exact.value(state)
    assert found.values == pytest.approx((value, 100 - value), abs=EXACT)
    if found.is_mixed:
        assert_optimal(state, exact, found)
        return
    joint = [mcts.NOOP, mcts.NOOP]
    joint[found.player] = found.action
    assert exact.value(successors(state)[tuple(joint)]) == pytest.approx(value, abs=EXACT)


def check_bounds(state, exact, number):
    """Searches of any length and with any options prove nothing false."""
    value = exact.value(state)
    for simulations in (1, 4, 30, 300, SIMULATIONS):
        found = search(state, simulations, **some_options(number))
        assert_contains(found, (value, 100 - value))
        if found.proven and (not found.is_mixed or found.seed % len(OPTIONS) != THREADED):
            assert_value(state, exact, found)


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", IN_TURNS)
def test_games_of_two_in_turns(spec):
    most_blanks, count = IN_TURNS[spec]
    exact = ZeroSum()
    states = late_states(spec, most_blanks, count)
    assert len(states) == count
    for number, state in enumerate(states):
        check_bounds(state, exact, number)
        found = search(state, MANY, exploration=5.0)
        assert found.proven, state
        assert_value(state, exact, found)


def assert_optimal(state, exact, found):
    """The policies secure the value against the exact matrix of what follows."""
    matrix = np.asarray(exact.matrix(state))
    value = exact.value(state)
    row, column = (np.asarray(list(found.for_player(player).policy.values())) for player in range(2))
    assert (row @ matrix).min() == pytest.approx(value, abs=EXACT)
    assert (matrix @ column).max() == pytest.approx(value, abs=EXACT)
    assert matrix[state.legal_actions(0).index(found.for_player(0).action)].max() >= value - EXACT


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", AT_ONCE)
def test_games_of_two_at_once(spec):
    most_blanks, count = AT_ONCE[spec]
    exact = ZeroSum()
    proven = mixed = 0
    states = late_states(spec, most_blanks, count)
    assert len(states) == count
    for number, state in enumerate(states):
        check_bounds(state, exact, number)
        found = search(state, SIMULATIONS, joint_selection="exp3", transpositions=True)
        if found.proven:
            assert_value(state, exact, found)
            proven += 1
            mixed += found.is_mixed and min(abs(exact.value(state) - pure) for pure in (0, 25, 50, 75, 100)) > 1
    assert proven > SHARE_AT_ONCE * count
    assert (mixed > 0) == (spec in MIXED)


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", THREE_PLAYERS)
def test_three_players_whatever_breaks_ties(spec):
    most_blanks, count = THREE_PLAYERS[spec]
    exact = MaxN()
    proven = several = 0
    for number, state in enumerate(late_states(spec, most_blanks, count)):
        outcomes = exact.outcomes(state)
        options = some_options(number)
        if options.get("selection") != "grave":
            options["exploration"] = 1.4
        for many in (1, 4, 30, SIMULATIONS):
            found = search(state, many, **options)
            for returns in outcomes:
                assert_contains(found, returns)
        several += len(outcomes) > 1
        if found.proven:
            proven += 1
            assert len(outcomes) == 1
            (returns,) = outcomes
            assert found.values == pytest.approx(returns, abs=EXACT)
            joint = [mcts.NOOP] * 3
            joint[found.player] = found.action
            after = exact.outcomes(successors(state)[tuple(joint)])
            assert {returns[found.player] for returns in after} == {returns[found.player]}
    assert proven > count / 3
    assert several > count / 20


@sweep("seed", range(60), 15)
def test_trees_of_many_ties(seed):
    """Games of one to four players whose returns are a few whole numbers."""
    rng = np.random.default_rng(seed)
    players = int(rng.integers(1, 5))
    movers = tuple(rng.integers(0, players, size=rng.integers(1, 6)).tolist())
    payoffs = rng.integers(0, 3, size=(3 ** len(movers), players)) / 2
    state = tree_game(movers, 3, payoffs).new_initial_state()
    outcomes = MaxN().outcomes(state)
    for simulations in (1, 5, 20, 100, 3_000):
        found = search(state, simulations, **some_options(seed))
        for returns in outcomes:
            assert_contains(found, returns)
        assert not (found.proven and len(outcomes) > 1)
    assert found.proven or len(outcomes) > 1 or players > 1
    if players == 1:
        assert found.proven


@sweep("seed", range(40), 10)
def test_random_games_of_two_stages(seed):
    """Two players choose at once twice: matrix games of the values of matrix games."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, size=4)
    matrices = rng.integers(-2, 3, size=counts)
    stages = {(i, j): matrices[i, j].tolist() for i in range(counts[0]) for j in range(counts[1])}
    state = staged_game(stages, -2.0, 2.0).new_initial_state()
    exact = ZeroSum()
    value = exact.value(state)
    for simulations in (1, 10, 100, 10_000):
        found = search(state, simulations, seed=seed)
        assert_contains(found, (value, -value))
    assert found.proven
    assert found.values == pytest.approx((value, -value), abs=EXACT)
    if found.is_mixed:
        assert_optimal(state, exact, found)


def test_simultaneous_games_without_constant_sum_are_not_proven():
    state = rounds_game((2, 2, 2), rounds=1, seed=1).new_initial_state()
    found = search(state, 2_000)
    assert not found.proven
    assert found.simulations == 2_000
    assert found.bounds == ((0.0, 1.0),) * 3


class Shifted(mcts.PythonGame):
    """What one of two gets the other does not, but together they never get the least and the most that there is."""

    name = "shifted"
    num_actions = 2
    max_utility = 10.0
    utility_sum = 4.0

    def initial_state(self):
        return ()

    def acting_players(self, state):
        return len(state) if len(state) < 2 else ()

    def legal_actions(self, state, player):
        return (0, 1)

    def next_state(self, state, joint):
        return (*state, joint[len(state)])

    def returns(self, state):
        first = {(0, 0): 1.0, (0, 1): 3.0, (1, 0): 2.0, (1, 1): 2.5}[state]
        return first, 4.0 - first


def test_returns_of_any_constant_sum():
    found = search(Shifted().new_initial_state(), 1_000)
    assert found.proven
    assert found.values == pytest.approx((2.0, 2.0), abs=EXACT)
    assert found.action == 1


def test_with_transpositions_proofs_need_fewer_simulations():
    state = random_path(mcts.load_game("mnk"), 2, 2)[-1]
    tree, graph = (search(state, 100_000, exploration=5.0, transpositions=merged) for merged in (False, True))
    assert tree.proven
    assert graph.proven
    assert graph.values == tree.values
    assert graph.simulations < tree.simulations


def test_two_at_once_are_proven_from_the_first_move():
    """No pure or mixed policy of the other player gains anything against one that is proven."""
    state = mcts.load_game("bidding_ttt(coins=3)").new_initial_state()
    found = search(state, 20_000, transpositions=True)
    assert found.proven
    assert found.values == pytest.approx((50.0, 50.0), abs=EXACT)


@pytest.mark.long
def test_bids_and_marks_early_in_the_game_lose_nothing():
    """What is played after 20,000 simulations, against the best answers, by the exact values of 530,879 states."""
    game = mcts.load_game("bidding_ttt(coins=3)")
    exact, losses = ZeroSum(), []
    states = {random_path(game, seed, seed % 8)[-1]: None for seed in range(60)}
    for state in states:
        if state.is_terminal():
            continue
        found = search(state, 20_000, transpositions=True)
        value = exact.value(state)
        if found.is_mixed:
            matrix = np.asarray(exact.matrix(state))
            rows, columns = (np.asarray(list(found.for_player(player).policy.values())) for player in range(2))
            losses.append(max(value - (rows @ matrix).min(), (matrix @ columns).max() - value))
        else:
            joint = [mcts.NOOP, mcts.NOOP]
            joint[found.player] = found.action
            losses.append(abs(value - exact.value(successors(state)[tuple(joint)])))
    assert len(losses) > 30
    assert max(losses) < 1.0
    assert np.mean(losses) < 0.1


def test_a_proven_better_action_is_played_despite_fewer_visits():
    """Once an arm is proven it is not visited any more; the policy and the action know it all the same."""
    beaten = surprises = 0
    for state in late_states("mnk(m=4,n=4,k=4)", 7, 60):
        for simulations in (5, 50, 500):
            found = search(state, simulations)
            arms = found.arms[found.player]
            surest = max(arm.lower for arm in arms)
            chosen = next(arm for arm in arms if arm.action == found.action)
            assert chosen.lower == surest or (chosen.upper > surest and chosen.mean >= surest)
            assert sum(found.policy.values()) == pytest.approx(1.0)
            worse = [arm for arm in arms if arm.upper < surest]
            assert all(found.policy[arm.action] == 0.0 for arm in worse)
            beaten += len(worse)
            surprises += chosen.visits < max(arm.visits for arm in arms)
    assert beaten > 30
    assert surprises > 2
