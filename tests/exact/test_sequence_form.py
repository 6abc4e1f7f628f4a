"""Sequence forms, and regret minimisation over them: known counts and values, answers for views, and errors."""

import functools
import math
import re
from types import SimpleNamespace

import numpy as np
import pytest

import bots
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


@pytest.mark.parametrize("kind", ["cfr+", "dcfr", "pcfr+"])
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


@pytest.mark.parametrize("gap", [1e-7, 1e-9])
def test_a_small_gap_is_reached_or_refused(gap, monkeypatch):
    game = mcts.load_game("kuhn_poker")
    assert mcts.solve(game, method="cfr", gap=gap).max_error <= gap * 4
    monkeypatch.setattr("mcts.exact.sequence_solution.MOST_ITERATIONS", 50)
    message = rf"gap={gap}: after \d+ iterations best responses still gain (\S+) of .* valid: (\S+) to 1, or"
    with pytest.raises(mcts.PlayoutError, match=message) as raised:
        mcts.solve(game, method="cfr", gap=gap)
    found, least = map(float, re.search(message, str(raised.value)).groups())
    assert least == pytest.approx(2 * found, rel=0.3)


class SecretNumbers(mcts.PythonGame):
    """Each of two players names a number in secret; the lower half of the numbers after the other's number win."""

    name, players, public_actions = "secret_numbers", ("a", "b"), False
    min_utility, max_utility, utility_sum = -1.0, 1.0, 0.0
    num_actions = property(lambda self: self.parameters["numbers"])
    PARAMETERS = {"numbers": mcts.parameters.Integer(3, 2, 1000)}  # noqa: RUF012 (as in the documentation)

    def initial_state(self):
        return ()

    def acting_players(self, state):
        return () if len(state) == 2 else len(state)

    def legal_actions(self, state, player):
        return list(range(self.num_actions))

    def next_state(self, state, joint):
        return (*state, joint[len(state)])

    def observation(self, state, player):
        return state[player : player + 1], len(state)

    def returns(self, state):
        ahead = (state[0] - state[1]) % self.num_actions
        won = 0 if ahead == 0 else 1 if ahead <= self.num_actions // 2 else -1
        return [won, -won]


@pytest.mark.parametrize("numbers", [86, 90, 101, 200])
def test_many_actions_are_solved(numbers):
    """By symmetry the value is the mean of a row, which even play guarantees: 1 / n for even n, and 0 for odd n."""
    found = mcts.solve(SecretNumbers(numbers=numbers))
    value = 0 if numbers % 2 else 1 / numbers
    assert found.value() == pytest.approx([value, -value], abs=1e-9)
    assert found.max_error < 1e-9


class Nerves(mcts.PythonGame):
    """A secret coin, then 16 plies of going on or stopping in turn. Only the first player sees the coin.

    Who stops gets as many points as it has decided before, with the coin 0 reduced by one half for the first player. At
    the end, the last to go on loses everything.
    """

    name, players, num_actions, num_outcomes = "nerves", ("a", "b"), 2, 2
    min_utility, max_utility, utility_sum = -16.0, 16.0, 0.0
    PLIES = 16

    def initial_state(self):
        return None, 0, False

    def acting_players(self, state):
        coin, plies, is_over = state
        return mcts.CHANCE if coin is None else () if is_over or plies == self.PLIES else plies % 2

    def chance_outcomes(self, state):
        return {0: 1, 1: 1}

    def legal_actions(self, state, player):
        return [0, 1]

    def observation(self, state, player):
        return state[0] if player == 0 else None, *state[1:]

    def next_state(self, state, joint):
        coin, plies, _ = state
        if coin is None:
            return joint[mcts.CHANCE], 0, False
        return coin, plies + 1, joint[plies % 2] == 1

    def returns(self, state):
        coin, plies, is_over = state
        last = (plies - 1) % 2
        won = plies * (1 if coin or last == 1 else 0.5) if is_over else -16
        return [won, -won] if last == 0 else [-won, won]


def test_a_player_acts_behind_any_number_of_its_own_errors():
    """Stopping brings points and going on loses them, so that players stop, whatever has gone before."""
    game = Nerves()
    found = mcts.solve(game)
    assert found.max_error < 1e-9
    bot = bots.load_bot("exact")
    for coin in (0, 1):
        state = game.new_initial_state()
        state.apply_action(coin)
        while not state.is_terminal():
            view = state.view(state.current_player())
            assert found.policy(view) == {1: 1.0}
            assert sum(each.probability for each in found.action_values_at(view)) == 1
            state.apply_action(0)
    assert bot.choose(game.new_initial_state().child(1).view(0)) == 1


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


def test_a_failing_linear_program_is_an_error_with_an_alternative(monkeypatch):
    monkeypatch.setattr("scipy.optimize.linprog", lambda *_, **__: SimpleNamespace(status=4, message="Solve error"))
    with pytest.raises(mcts.PlayoutError, match=r"failed: Solve error; valid: method='cfr' of mcts\.solve"):
        mcts.solve(mcts.load_game("kuhn_poker"))


def test_a_matrix_game_in_sequence_form():
    """Rock, paper, scissors with other stakes, solved by hand: value 0, and (1/6, 1/3, 1/2) for each side."""
    sparse = pytest.importorskip("scipy.sparse")
    payoff = sparse.csr_matrix(np.pad([[0, -3, 2], [3, 0, -1], [-2, 1, 0]], ((1, 0), (1, 0))).astype(float))
    decisions = Decisions()
    decisions.add(0, 3)
    found = solve_for(decisions, decisions, payoff)
    assert found.value == pytest.approx(0, abs=1e-9)
    assert found.behaviour[0] == pytest.approx([1 / 6, 1 / 3, 1 / 2])
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
    with pytest.raises(ValueError, match=r"kind='cfr'; valid: cfr\+, dcfr, pcfr\+"):
        CounterfactualRegret(explored(mcts.load_game("kuhn_poker"), 1), "cfr")
    with pytest.raises(TypeError, match="not of kuhn_poker"):
        SequenceForm(mcts.load_game("kuhn_poker"), 1, mcts.load_game("mnk").new_initial_state())
    with pytest.raises(mcts.UnsupportedGameError, match="3 players"):
        mcts.solve(mcts.load_game("kuhn_poker(players=3)"))


def test_information_sets_that_do_not_exist_leave_the_strategies_usable():
    regret = CounterfactualRegret(explored(mcts.load_game("kuhn_poker"), 1))
    regret.run(10)
    for wrong in ([10**6], [-1], ["x"], []):
        with pytest.raises(ValueError, match="valid"):
            regret.answer(wrong)
    with pytest.raises(ValueError, match="iterations=-1"):
        regret.run(-1)
    assert sum(regret.answer([0])[0]) == pytest.approx(1)


class JointSecrets(mcts.PythonGame):
    """Both players decide at once, three times; from the third time on, what they see is a list, which has no hash."""

    name, players, num_actions, utility_sum = "joint_secrets", ("a", "b"), 2, 1.0

    def initial_state(self):
        return 0

    def acting_players(self, state):
        return (0, 1) if state < 3 else ()

    def legal_actions(self, state, player):
        return [0, 1]

    def next_state(self, state, joint):
        return state + 1

    def observation(self, state, player):
        return [state] if state == 2 else state

    def returns(self, state):
        return [1.0, 0.0]


@pytest.mark.parametrize(
    "call",
    [
        mcts.solve,
        mcts.searcher_for,
        lambda game: bots.load_bot("cfr").check_game(game),
        lambda game: bots.load_bot("cfr").choose(game.new_initial_state().view(0)),
        lambda game: bots.load_bot("oos").choose(game.new_initial_state().view(0)),
        lambda game: bots.load_bot("level(3)").choose(game.new_initial_state().view(0)),
    ],
)
def test_an_observation_without_a_hash_is_reported_where_several_decide(call):
    with pytest.raises(TypeError, match="unhashable"):
        call(JointSecrets())


class Fickle(JointSecrets):
    """The same without secrets. Who decides changes with every question."""

    name, observation = "fickle", None
    asked = 0

    def acting_players(self, state):
        self.asked += 1
        return () if state == 3 else ((0, 1), 1)[self.asked % 2]


def test_players_who_change_while_a_joint_action_is_made_end_no_walk():
    game = Fickle()
    form = SequenceForm(game, 10)
    assert form.explore(10_000)
    assert form.num_ends > 0
    searcher = mcts.load_searcher("oos", game)
    assert searcher.run(game.new_initial_state(), simulations=1000, player=1).simulations in (0, 1000)
