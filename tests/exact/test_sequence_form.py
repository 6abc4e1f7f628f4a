"""Sequence forms, and regret minimisation over them: known counts and values, answers for views, and errors."""

import functools
import math

import numpy as np
import pytest

import mcts
from cext.exact.counterfactual_regret import CounterfactualRegret
from cext.exact.sequence_form import SequenceForm, TooLargeError
from mcts.exact.sequence_form import Decisions, solve_for
from mcts.exact.sequence_solution import DEFAULT_GAP, explored, iterated
from mcts.exact.size_estimate import estimate_ends

COUNTS = [  # information sets, ends, and histories as OpenSpiel 1.6 counts them
    ("kuhn_poker", 12, 30, 58),
    ("kuhn_poker(players=3)", 48, 312, 617),
    ("leduc_poker", 936, 5520, 9457),
    ("liars_dice(sides=3)", 192, 567, 1147),
    ("oh_hell(suits=2,ranks=3,tricks=1)", 2760, 1800, 9877),  # after the third player deals
    ("dark_mnk(m=2,n=3,k=2)", 226, 3040, 4405),  # by a program of its own for this game
    ("dark_mnk(m=2,n=3,k=2,retry=false)", 296, 2798, 3973),
]
VALUES = {
    "kuhn_poker": -1 / 18,
    "leduc_poker": -0.0856064,
    "liars_dice(sides=3)": 1 / 9,
    "oh_hell(players=2,suits=1,ranks=5,tricks=2)": 11 / 3,
}


@functools.cache
def solved(spec):
    return mcts.solve(mcts.load_game(spec))


@pytest.mark.parametrize(("spec", "sets", "ends", "histories"), COUNTS)
def test_counts_are_those_of_other_programs(spec, sets, ends, histories):
    game = mcts.load_game(spec)
    form = explored(game, 100)
    assert (form.num_sets, form.num_ends, form.num_histories) == (sets, ends, histories)
    _, chances, returns = form.ends()
    assert game.utility_sum is None or np.allclose(returns.sum(axis=1), game.utility_sum)
    assert chances.min() > 0


@pytest.mark.parametrize(
    "spec", [pytest.param(spec, marks=[pytest.mark.long] * (spec == "leduc_poker")) for spec in VALUES]
)
def test_known_values_are_found_by_linear_programs(spec):
    assert solved(spec).value()[0] == pytest.approx(VALUES[spec], abs=1e-6)
    assert solved(spec).max_error < 1e-9
    assert solved(spec).exploitability(solved(spec).policy) < 1e-9


@pytest.mark.parametrize("kind", ["cfr+", "dcfr"])
@pytest.mark.parametrize("spec", VALUES)
def test_regret_minimisation_approaches_them(spec, kind):
    regret = CounterfactualRegret(explored(mcts.load_game(spec), 100), kind)
    gaps = []
    for iterations in (10, 490):
        regret.run(iterations)
        values, best = regret.evaluate()
        gaps.append(sum(best) - sum(values))
        assert all(reply >= value - 1e-12 for value, reply in zip(values, best, strict=True))
    assert gaps[1] < 0.005 < gaps[0]
    assert values[0] == pytest.approx(VALUES[spec], abs=gaps[1])
    assert regret.iterations == 500


def test_iterations_find_known_values():
    found = mcts.solve(mcts.load_game("leduc_poker"), method="cfr")
    assert found.max_error <= DEFAULT_GAP * 26 + 1e-12
    value = VALUES["leduc_poker"]
    assert found.value() == pytest.approx([value, -value], abs=DEFAULT_GAP * 26)
    assert found.linear_program_size is None
    assert solved("kuhn_poker").linear_program_size is not None


def test_methods_are_chosen_by_name_where_there_are_several(monkeypatch):
    monkeypatch.setattr("mcts.exact.sequence_solution.MOST_SEQUENCES", 0)
    game = mcts.load_game("kuhn_poker")
    assert mcts.solve(game).linear_program_size is None
    assert mcts.solve(game, method="sequence_form").linear_program_size is not None
    with pytest.raises(mcts.ParameterError, match=r"method='lp' is unknown; valid: sequence_form, cfr"):
        mcts.solve(game, method="lp")
    for other in ("mnk", "bidding_3d_ttt(chips=1)"):
        for given in ({"method": "cfr"}, {"gap": 0.1}):
            with pytest.raises(mcts.ParameterError, match="is solved by one method only; valid: None"):
                mcts.solve(mcts.load_game(other), **given)


def test_iterations_end_at_a_gap():
    game = mcts.load_game("leduc_poker")
    assert 0.001 * 26 < mcts.solve(game, method="cfr", gap=0.01).max_error <= 0.01 * 26
    with pytest.raises(mcts.ParameterError, match="gap"):
        mcts.solve(game, gap=0)


def test_three_players_have_strategies_without_regret():
    regret = CounterfactualRegret(explored(mcts.load_game("kuhn_poker(players=3)"), 100))
    regret.run(1000)
    values, best = regret.evaluate()
    assert sum(values) == pytest.approx(0)
    assert sum(best) - sum(values) < 1e-3


def test_simultaneous_moves_are_decisions_without_the_others_action():
    game = mcts.load_game("bidding_ttt(coins=1)")
    start = game.state_from_text("xox/.o./x.._1,1_o_-")
    form = explored(game, 1000, start=start)
    strategies = iterated(form, 1e-3)
    regret = CounterfactualRegret(form)
    regret.run(400)
    values, best = regret.evaluate()
    assert sum(best) - sum(values) < 0.5
    assert values[0] == pytest.approx(mcts.solve(game).value(start)[0], abs=0.5)
    assert [len(one) for one in strategies] == [form.num_sequences(0), form.num_sequences(1)]


def test_a_solution_answers_for_views():
    solution = solved("kuhn_poker")
    game = solution.game
    state = game.state_from_text("JK_b")
    view = state.view(1)
    assert solution.policy(view) == {1: 1.0}  # the highest card calls
    assert solution.optimal_actions(view) == [1]
    assert solution.loss(view, None, 0) == pytest.approx(3)
    assert solution.value(game.state_from_text("KQ_bp")) == [1, -1]
    assert math.fsum(each.probability for each in solution.action_values_at(game.state_from_text("JK_-").view(0))) == 1
    for wrong, message in (
        (game.state_from_text("JK_b").view(0), "no play"),
        (game.new_initial_state().view(0), "no play"),
        (game.state_from_text("JK_bb").view(0), "over"),
    ):
        with pytest.raises(mcts.StateError, match=message):
            solution.policy(wrong)


def test_a_matrix_game_in_sequence_form():
    """Rock, paper, scissors with other stakes, solved by hand: value 0, and (1/6, 1/3, 1/2) for each side."""
    sparse = pytest.importorskip("scipy.sparse")
    payoff = sparse.csr_matrix(np.pad([[0, -3, 2], [3, 0, -1], [-2, 1, 0]], ((1, 0), (1, 0))).astype(float))
    decisions = Decisions()
    decisions.add(0, 3)
    value, behaviour, _ = solve_for(decisions, decisions, payoff)
    assert value == pytest.approx(0, abs=1e-9)
    assert behaviour[0] == pytest.approx([1 / 6, 1 / 3, 1 / 2])
    assert decisions.best_response(payoff @ np.array([1, 1, 0, 0]))[0] == 3


def test_an_even_player_loses_what_is_known():
    """The best response to even play in Kuhn poker earns 1/2 and 5/12 of a chip (as OpenSpiel computes it)."""
    found = solved("kuhn_poker").best_responses(lambda view: dict.fromkeys(view.legal_actions(), 0.5))
    assert found.values == pytest.approx((0.5, 5 / 12))


class ForgetfulGame(mcts.PythonGame):
    """A player may pass once more than it has passed before, and the other decides nothing."""

    name, players, num_actions, utility_sum = "forgetful", ("a", "b"), 2, 1

    def initial_state(self):
        return 0

    def acting_players(self, state):
        if state == 99:
            raise RuntimeError("broken rules")
        return () if state == 3 else 0

    def legal_actions(self, state, player):
        return [0, 1] if state else [1]

    def next_state(self, state, joint):
        return state + 1 if joint[0] else 99

    def returns(self, state):
        return 1, 0


@pytest.mark.parametrize(("spec", "ends"), [("kuhn_poker", 30), ("leduc_poker", 5520), ("mnk", 255168)])
def test_the_number_of_ends_is_estimated(spec, ends):
    start = mcts.load_game(spec).new_initial_state()
    assert 0.7 * ends < estimate_ends(start) < 1.4 * ends
    assert 5 < estimate_ends(start, enough=5) < 100 * ends


def test_errors_of_rules_and_limits_are_reported():
    form = SequenceForm(ForgetfulGame(), 10)
    with pytest.raises(RuntimeError, match="broken rules"):
        form.explore(100)
    with pytest.raises(RuntimeError, match="failed before"):
        form.explore(1)
    with pytest.raises(ValueError, match="not all found"):
        CounterfactualRegret(form)
    large = SequenceForm(mcts.load_game("mnk(m=4,n=4,k=4)"), 1)
    with pytest.raises(TooLargeError):
        large.explore(1 << 30)
    with pytest.raises(mcts.UnsupportedGameError, match="too large to solve"):
        explored(mcts.load_game("mnk(m=4,n=4,k=4)"), 1)
    with pytest.raises(mcts.UnsupportedGameError, match=r"valid: up to 107,374,182, by memory_mb=4096"):
        explored(mcts.load_game("dark_mnk"), 4096)
    with pytest.raises(mcts.UnsupportedGameError, match="too many to list"):
        explored(mcts.load_game("bidding_3d_ttt"), 1)
    with pytest.raises(ValueError, match=r"kind='cfr'; valid: cfr\+, dcfr"):
        CounterfactualRegret(explored(mcts.load_game("kuhn_poker"), 1), "cfr")
    with pytest.raises(TypeError, match="not of kuhn_poker"):
        SequenceForm(mcts.load_game("kuhn_poker"), 1, mcts.load_game("mnk").new_initial_state())
    with pytest.raises(mcts.UnsupportedGameError, match="3 players"):
        mcts.solve(mcts.load_game("kuhn_poker(players=3)"))
