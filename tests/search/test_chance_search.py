"""Searches of games in which chance decides: values against exact expectations, proofs, trees, and what is refused."""

import json

import numpy as np
import pytest
from brute_force import ZeroSum
from chance_games import Dice, Race, ThreeDice, Weather
from support import kernel_search

import mcts
from mcts.results.tree_data import tree_to_dot

EXACT = 1e-7
"""Values of the solver are exact up to 2^-31 for each chance node on the way."""


def race(turns=2):
    return Race(turns=turns).new_initial_state().child(1)


def test_the_solver_proves_expectations():
    for state in (race(), Dice().new_initial_state(), Dice().new_initial_state().child(0)):
        search = mcts.MCTS.plain(state.game, solver=True, seed=1)
        result = search.run(state, simulations=60_000)
        assert result.proven
        assert result.simulations < 60_000
        assert result.values[0] == pytest.approx(ZeroSum().value(state), abs=EXACT)


def test_the_second_of_two_players_takes_the_better_die():
    state = Dice().new_initial_state()
    result = mcts.MCTS.plain(state.game, solver=True, seed=1).run(state, simulations=60_000)
    assert result.values == pytest.approx((4 / 9, 5 / 9), abs=EXACT)
    for die in range(3):
        reply = mcts.MCTS.plain(state.game, seed=1).run(state.child(die), simulations=20_000)
        assert reply.action == (die - 1) % 3  # the die that beats it
        assert reply.values[1] == pytest.approx(5 / 9, abs=0.03)


def test_the_solver_proves_where_both_decide():
    state = Weather().new_initial_state()
    result = mcts.MCTS.plain(state.game, solver=True, seed=1).run(state, simulations=100_000)
    assert result.proven
    assert result.values[0] == pytest.approx(ZeroSum().value(state), abs=EXACT)


def test_the_solver_bounds_three_players():
    assert ThreeDice().new_initial_state().child(0).child(1).child(2).child(4).child(8).child(5).returns() == [
        0.0, 1.0, 0.25,
    ]  # fmt: skip
    start = ThreeDice().new_initial_state().child(0).child(1)
    result = mcts.MCTS.plain(start.game, solver=True, seed=1).run(start, simulations=20_000)
    assert result.proven
    exact = np.mean(
        [start.child(2).child(a).child(b).child(c).returns() for a in (2, 4, 9) for b in (1, 6, 8) for c in (3, 5, 7)],
        axis=0,
    )
    assert result.values == pytest.approx(exact, abs=EXACT)


# Not GRAVE: without an exploration term it may leave an arm for good after a few unlucky throws.
@pytest.mark.sample(1)
@pytest.mark.parametrize("options", [{}, {"selection": "puct"}], ids=str)
def test_searches_approach_the_exact_value(options):
    state = race(turns=3)
    exact = ZeroSum().value(state)
    result = mcts.MCTS.plain(state.game, exploration=0.5, seed=3, **options).run(state, simulations=20_000)
    assert result.values[0] == pytest.approx(exact, abs=0.03)


class Flat:
    """An evaluator that knows nothing."""

    def evaluate(self, batch):
        return np.ones((len(batch), 2)), np.full((len(batch), 2), 0.5)


@pytest.mark.parametrize("batch_size", [1, 8])
def test_an_evaluator_judges_decisions_only(batch_size):
    seen = []

    class Noting(Flat):
        def evaluate(self, batch):
            seen.extend(batch.tolist())
            return super().evaluate(batch)

    state = race()
    search = mcts.MCTS.plain(
        state.game, selection="puct", evaluator=Noting(), batch_size=batch_size, solver=True, seed=1
    )
    result = search.run(state, simulations=20_000)
    assert seen
    assert all(throws == 0 for _, _, _, throws in seen)  # no state in which a throw is due
    assert result.values[0] == pytest.approx(ZeroSum().value(state), abs=0.03)


def test_a_search_does_not_begin_where_chance_decides():
    state = Race().new_initial_state()
    for searcher in (mcts.MCTS.plain(state.game), mcts.load_searcher("mcts", state.game)):
        for position in (state, state.view(0)):
            with pytest.raises(mcts.StateError, match="chance decides in this position of race; valid: a position"):
                searcher.run(position, simulations=10)


def test_the_tree_shows_outcomes_with_probabilities():
    state = race()
    search = mcts.MCTS.plain(state.game, seed=1)
    result = search.run(state, simulations=5_000)
    tree = result.tree(depth=2)
    (throw,) = (arm["child"] for arm in tree["arms"] if arm["joint"] == {"first": "throw"})
    assert throw["acting"] == []
    chances = {arm["joint"]["chance"]: arm["probability"] for arm in throw["arms"]}
    assert chances == {"points(0)": 1 / 2, "points(3)": 1 / 3, "points(5)": 1 / 6}
    assert sum(arm["visits"] for arm in throw["arms"]) == throw["visits"]
    for arm in throw["arms"]:
        assert arm["visits"] / throw["visits"] == pytest.approx(arm["probability"], abs=0.1)
    assert "points(3)" in tree_to_dot(tree)
    assert json.loads(json.dumps(tree)) == tree
    line = state.clone()
    for joint in result.pv:
        assert len(joint) == 2 + line.is_chance()
        line.apply_actions(joint)
    assert [len(words) for words in result.to_dict()["pv"]] == [len(joint) for joint in result.pv]


def test_the_tree_is_kept_through_a_throw():
    state = race()
    search = mcts.MCTS.plain(state.game, seed=1)
    before = search.run(state, simulations=5_000)
    assert search.advance(1)
    with pytest.raises(mcts.IllegalActionError, match="outcome 1 cannot happen"):
        search.advance(1)
    assert search.advance(3)
    after = state.child(1).child(3)
    result = search.run(after, simulations=1)
    assert sum(result.visits.values()) > 200
    assert before.visits[1] > sum(result.visits.values())
    assert search.advance([mcts.NOOP, 1])
    assert search.advance([mcts.NOOP, mcts.NOOP, 0])


def test_kernel_roots_where_chance_decides():

    state = Race().new_initial_state()
    options = {"selection": "ucb1", "joint_selection": "regret_matching", "playout": "uniform", "exploration": 1.4}
    with pytest.raises(
        TypeError, match=r"race.* has chance, and transpositions are merged in games without chance only"
    ):
        kernel_search(state.game, solver=True, transpositions=True, memory_bytes=1 << 22, **options)
    with pytest.raises(mcts.ParameterError, match=r"transpositions=true does not go with race.*, a game with chance"):
        mcts.MCTS.plain(state.game, transpositions=True)
    for early_stop in (False, True):
        search = kernel_search(
            state.game, solver=True, transpositions=False, memory_bytes=1 << 22, early_stop=early_stop, **options
        )
        search.set_root(state, 1)
        done, _ = search.run(60_000, 1e9)
        assert done < 60_000
        assert search.root_arms() == {}
        low, high = search.bounds()[0]
        assert low == high == pytest.approx(ZeroSum().value(state), abs=EXACT)
        assert search.principal_variation()[0][:2] == (mcts.NOOP, mcts.NOOP)
        assert search.tree(1, 100)["arms"][0]["probability"] == 0.5


@pytest.mark.long
def test_a_small_memory_does_not_end_the_search():
    state = race(turns=12)
    for options in ({}, {"solver": True}, {"selection": "grave"}):
        result = mcts.MCTS.plain(state.game, memory_mb=1, seed=1, **options).run(state, simulations=20_000)
        assert result.simulations == 20_000
        assert result.memory_bytes <= 1 << 20


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"threads": 2},
        {"threads": 2, "selection": "puct", "solver": True},
        {"early_stop": True},
        {"selection": "grave"},
        {"solver": True},
    ],
    ids=str,
)
def test_a_compiled_game_is_searched_with_every_option(options):
    state = mcts.load_game("dice_ttt").new_initial_state().child(1)
    result = mcts.MCTS.plain(state.game, seed=1, **options).run(state, simulations=60_000)
    assert state.action_to_string(0, result.action) == "mark(2,2)"
    assert result.action_values[result.action] == pytest.approx(2090 / 28, abs=3.0)  # exact: 74.6428...
    assert sum(result.values) == pytest.approx(100.0, abs=1e-5)
