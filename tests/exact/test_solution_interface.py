"""Solutions: with and without hidden information the same methods answer, or refuse with a clear error."""

import inspect
import math

import pytest

import mcts
from mcts.exact.sequence_solution import SequenceSolution
from mcts.exact.tabular_solution import TabularSolution

HIDDEN = "dark_mnk(m=4,n=1,k=2,retry=true)"
SPECS = ["mnk(m=3,n=3,k=3)", "bidding_ttt(coins=1)", HIDDEN]
for_every_kind = pytest.mark.parametrize("spec", SPECS)


@pytest.fixture(scope="module")
def solved():
    return {spec: mcts.solve(mcts.load_game(spec)) for spec in SPECS}


def public(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


def test_both_kinds_have_the_methods_of_solution_and_no_others():
    assert public(TabularSolution) == public(SequenceSolution) == public(mcts.Solution)
    for name in public(mcts.Solution):
        wanted = getattr(mcts.Solution, name)
        for kind in (TabularSolution, SequenceSolution):
            found = getattr(kind, name)
            if callable(wanted):
                assert list(inspect.signature(found).parameters.values()) == list(
                    inspect.signature(wanted).parameters.values()
                ), name
            if callable(wanted) or isinstance(wanted, property):
                assert inspect.getdoc(found), name


@for_every_kind
def test_a_solution_describes_itself(solved, spec):
    solution = solved[spec]
    assert isinstance(solution, mcts.Solution)
    assert repr(solution) == f"<Solution of {solution.game.spec}: {solution.num_states} states>"
    assert solution.num_states >= solution.num_canonical_states >= solution.num_simultaneous_stages
    assert solution.num_mixed_stages >= 0
    if not solution.game.has_hidden_information:
        assert solution.num_simultaneous_stages >= solution.num_mixed_stages
    assert 0 <= solution.max_error < 1e-6
    hidden = [solution.num_information_states, solution.num_histories, solution.linear_program_size]
    assert all(value is not None for value in hidden) == solution.game.has_hidden_information
    assert all(value is None for value in hidden) != solution.game.has_hidden_information


@for_every_kind
def test_every_question_is_answered_for_a_view_and_for_a_state_with_a_player(solved, spec):
    solution = solved[spec]
    state = solution.game.new_initial_state()
    assert solution.value() == solution.value(state)
    assert math.isclose(sum(solution.value()), 100)
    for player in state.acting_players():
        view = state.view(player)
        assert solution.value(view) == pytest.approx(solution.value())
        policy = solution.policy(view)
        assert policy == solution.policy(state, player) == solution.policy(view, player)
        assert math.isclose(sum(policy.values()), 1)
        best = solution.optimal_actions(view)
        assert best == solution.optimal_actions(state, player) == sorted(best)
        assert solution.loss(view, None, policy) == pytest.approx(0, abs=1e-6)
        assert solution.loss(state, player, best[0]) == pytest.approx(0, abs=1e-6)
        assert solution.loss(state, player, solution.policy) == pytest.approx(0, abs=1e-6)
        assert solution.loss(view, player, lambda where, seat: solution.policy(where, seat)) == pytest.approx(
            0, abs=1e-6
        )
        assert solution.sample(view, seed=3) == solution.sample(state, player, seed=3)
        assert solution.sample(view, seed=3) in policy


@for_every_kind
def test_the_same_errors_are_raised(solved, spec):
    solution = solved[spec]
    state = solution.game.new_initial_state()
    player = state.acting_players()[0]
    other = mcts.load_game("points_ttt").new_initial_state()
    for ask in (solution.policy, solution.optimal_actions):
        with pytest.raises(mcts.StateError, match="valid: a view, or a state together with a player"):
            ask(state)
        with pytest.raises(mcts.StateError, match="the view is of player"):
            ask(state.view(player), 1 - player)
        with pytest.raises(mcts.StateError, match="points_ttt"):
            ask(other, 0)
    with pytest.raises(mcts.StateError, match="valid: a view, or a state together with a player"):
        solution.loss(state, None, 0)
    with pytest.raises(mcts.PlayoutError, match="legal"):
        solution.loss(state, player, 10_000)
    with pytest.raises(TypeError, match="is not a policy"):
        solution.exploitability(3)
    with pytest.raises(mcts.errors.LimitError, match="samples=0"):
        solution.exploitability(FirstAction(), samples=0)


class FirstAction:
    """Plays the first legal action."""

    def choose(self, view, limit=None):
        return view.legal_actions()[0]


def test_functions_and_bots_with_the_same_policy_are_measured_equally(solved):
    for spec in ("bidding_ttt(coins=1)", HIDDEN):
        solution = solved[spec]
        open_start = None
        if not solution.game.has_hidden_information:  # the whole game would take a while
            open_start = solution.game.state_from_text("xo./ox./..._1,1_x_-")
        answers = [
            solution.best_responses(policy, open_start)
            for policy in (
                solution.policy,
                lambda view, s=solution: s.policy(view),
                lambda where, p, s=solution: s.policy(where, p),
            )
        ]
        for answer in answers:
            assert answer.nash_conv == pytest.approx(0, abs=1e-6)
            assert answer.states == answers[0].states > 0
        bot = solution.best_responses(FirstAction(), open_start, samples=2, limit=mcts.Limit(simulations=1))
        assert bot.nash_conv > 0
        assert bot.nash_conv == solution.exploitability(FirstAction(), open_start, samples=2)


def test_hidden_losses_are_those_of_the_distribution(solved):
    solution = solved[HIDDEN]
    view = solution.game.new_initial_state().view(0)
    actions = solution.action_values_at(view)
    best, worst = (choose(actions, key=lambda each: each.value) for choose in (max, min))
    assert best.value > worst.value + 1
    for each in actions:
        assert solution.loss(view, None, each.action) == pytest.approx(best.value - each.value, abs=1e-9)
    mixed = {worst.action: 0.5, best.action: 0.5}
    assert solution.loss(view, None, mixed) == pytest.approx((best.value - worst.value) / 2)
    state = solution.game.new_initial_state()
    state.apply_action(best.action)
    with pytest.raises(mcts.StateError, match="from the first state on only"):
        solution.exploitability(solution.policy, state)


def test_methods_for_hidden_information_are_refused_elsewhere_with_an_alternative(solved):
    solution = solved["mnk(m=3,n=3,k=3)"]
    state = solution.game.new_initial_state()
    for call, instead in (
        (lambda: solution.action_values_at(state, 0), "policy"),
        (lambda: solution.mean_loss(solution.policy), "loss"),
        (lambda: solution.expected_returns(solution.policy, solution.policy), "best_responses"),
    ):
        with pytest.raises(
            mcts.UnsupportedGameError, match=rf"is for hidden information, and mnk.* has none; valid: {instead}"
        ):
            call()
