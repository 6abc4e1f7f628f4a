"""Best responses and exploitability: against plain recursion."""

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solutions import first, solution, uniform
from support import random_path

import mcts
from bots import load_bot
from mcts.exact.best_responses import BestResponses
from mcts.exact.policies import BotPolicy, Sampling

TIC = "mnk(m=3,n=3,k=3)"
BIDS = "bidding_ttt(coins=3)"


def response(state, policy, player):
    """What a player gets by its best response, by plain recursion over every line of play."""
    if state.is_terminal():
        return state.returns()[player]
    other = 1 - player
    shares = policy(state, other) if other in state.acting_players() else {mcts.NOOP: 1.0}
    best = -math.inf
    for mine in state.legal_actions(player):
        total = 0.0
        for theirs, share in shares.items():
            after = state.clone()
            after.apply_actions([mine, theirs] if player == 0 else [theirs, mine])
            total += share * response(after, policy, player)
        best = max(best, total)
    return best


def scattered(seed):
    """A policy of random distributions, the same whenever it is asked."""

    def policy(state, player):
        rng = random.Random(f"{seed} {player} {state.to_dict()}")
        weights = {action: rng.choice([0, 1, 2, 5]) for action in state.legal_actions(player)}
        weights[rng.choice(list(weights))] += 1
        return {action: weight / sum(weights.values()) for action, weight in weights.items()}

    return policy


@pytest.mark.parametrize(("spec", "blanks"), [(TIC, 5), (BIDS, 2), ("points_ttt", 2), ("mnk(m=5,n=2,k=2)", 6)])
def test_best_responses_are_those_of_plain_recursion(spec, blanks):
    @settings(max_examples=6)
    @given(st.integers(0, 2**32))
    def check(seed):
        solved = solution(spec)
        path = random_path(solved.game, seed)
        state = next((state for state in path if state.to_dict()["board"].count(".") <= blanks), path[-1])
        for policy in (uniform, first, scattered(seed)):
            found = solved.best_responses(policy, state)
            assert found.values == pytest.approx([response(state, policy, player) for player in range(2)], abs=1e-9)
            gains = [best - value for best, value in zip(found.values, solved.value(state), strict=True)]
            assert found.gains == pytest.approx(gains, abs=1e-9)
            assert found.nash_conv == solved.exploitability(policy, state) == pytest.approx(sum(gains), abs=1e-9)
            assert min(found.gains) >= 0
            assert solved.exploitability(solved.policy, state) == pytest.approx(0, abs=1e-9)

    check()


def test_optimal_play_of_tic_tac_toe_cannot_be_exploited():
    solved = solution(TIC)
    found = solved.best_responses(solved.policy)
    assert found.values == (50, 50)
    assert found.nash_conv == 0


def test_random_play_of_tic_tac_toe():
    """Against random play, the best response wins 191 of 192 games as x, and draws the other."""
    found = solution(TIC).best_responses(uniform)
    assert found.values == pytest.approx([100 * 191.5 / 192, 100 * 909.5 / 945], abs=1e-9)
    assert found.nash_conv == pytest.approx(sum(found.values) - 100)


def test_the_first_action_is_easily_beaten():
    found = solution(TIC).best_responses(first)
    assert found.values == (100, 100)
    assert found.gains == (50, 50)
    assert found.states < 300  # what the first actions lead away from is not looked at


@pytest.mark.long
def test_optimal_bids_cannot_be_exploited():
    solved = solution("bidding_ttt(coins=1)")
    assert solved.exploitability(solved.policy) == 0


def test_gains_add_up_over_the_losses_on_the_way():
    """Against a best response, what a policy gives away is the sum of what its single decisions do."""
    solved = solution(TIC)
    policy = scattered(7)

    def expected_loss(state):
        if state.is_terminal():
            return 0.0
        (mover,) = state.acting_players()
        if mover == 0:
            total = 0.0
            for action, share in policy(state, 0).items():
                after = state.clone()
                after.apply_action(action)
                total += share * (solved.loss(state, 0, action) + expected_loss(after))
            return total
        best = -math.inf
        for action in state.legal_actions(1):
            after = state.clone()
            after.apply_action(action)
            # What o gives up by an action is what x gets back.
            best = max(best, expected_loss(after) - solved.loss(state, 1, action))
        return best

    state = solved.game.state_from_dict({"board": "x.o......"})
    gain = solved.best_responses(policy, state).gains[1]
    assert gain == pytest.approx(expected_loss(state), abs=1e-9)


def test_a_mixture_loses_what_its_worst_reply_takes():
    solved = solution(BIDS)
    state = solved.game.new_initial_state()
    for player, seed in itertools.product(range(2), range(5)):
        shares = scattered(seed)(state, player)
        worst = math.inf
        for reply in state.legal_actions(1 - player):
            total = 0.0
            for action, share in shares.items():
                after = state.clone()
                after.apply_actions([action, reply] if player == 0 else [reply, action])
                total += share * solved.value(after)[player]
            worst = min(worst, total)
        assert solved.loss(state, player, shares) == pytest.approx(solved.value(state)[player] - worst, abs=1e-9)


class Told:
    """A bot without new_game that always does the same."""

    def choose(self, view, limit):
        return view.legal_actions()[-1]


def last(state, player):
    return {state.legal_actions(player)[-1]: 1.0}


def test_bots_are_asked_for_their_policy():
    solved = solution(TIC)
    assert solved.best_responses(Told(), samples=1) == solved.best_responses(last)
    assert solved.best_responses(Told(), samples=3) == solved.best_responses(last)


class Silent:
    """A random bot that does not tell what it draws from."""

    def __init__(self):
        bot = load_bot("random")
        self.new_game, self.choose = bot.new_game, bot.choose


def test_a_bot_that_only_chooses_is_sampled():
    solved = solution(TIC)
    state = solved.game.state_from_dict({"board": "xo.xo.ox."})
    bot = Silent()
    found = solved.exploitability(bot, state, samples=2000)
    assert found == pytest.approx(solved.exploitability(uniform, state), abs=5)
    assert found == solved.exploitability(bot, state, samples=2000)
    assert found != solved.exploitability(bot, state, samples=2000, seed=1)
    with pytest.raises(mcts.errors.LimitError, match="samples"):
        solved.exploitability(bot, state, samples=0)


def test_the_strategy_that_a_bot_reports_is_used():
    solved = solution(TIC)
    state = random_path(solved.game, 1)[2]
    assert solved.best_responses(load_bot("random"), state) == solved.best_responses(uniform, state)


def test_a_searching_bot_gets_its_limit():
    solved = solution(TIC)
    state = solved.game.state_from_dict({"board": "xo.xo...."})
    assert solved.exploitability(load_bot("mcts"), state, samples=1, limit=mcts.Limit(simulations=400)) == 0


class Bad:
    def choose(self, view, limit):
        return 77


def test_answers_that_are_not_legal():
    solved = solution(TIC)
    with pytest.raises(mcts.errors.PolicyError, match=r"77.*valid: \[0, 1"):
        solved.exploitability(Bad())
    for wrong, told in [
        (lambda state, player: {0: 0.4}, r"sum to 0\.4"),
        (lambda state, player: {9: 1.0}, "the action 9, which is not legal; valid"),
        (lambda state, player: {0: 2.0, 1: -1.0}, r"the probability 2\.0"),
        (lambda state, player: {0: float("nan")}, "the probability nan"),
        (lambda state, player: 0, "mapping"),
        (lambda state, player: {}, "sum to 0"),
    ]:
        with pytest.raises(mcts.errors.PolicyError, match=told):
            solved.exploitability(wrong)
    with pytest.raises(TypeError, match="not a policy"):
        solved.exploitability({0: 1.0})
    with pytest.raises(mcts.StateError, match=r"m=3.*m=4"):
        solved.exploitability(uniform, mcts.load_game("mnk(m=4,n=3,k=3)").new_initial_state())


def test_errors_of_a_policy_are_raised():
    def broken(state, player):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        solution(TIC).exploitability(broken)


def test_finished_states_have_no_exploitability():
    solved = solution(TIC)
    state = solved.game.state_from_dict({"board": "xxxoo...."})
    found = solved.best_responses(uniform, state)
    assert found == BestResponses((100, 0), (0, 0), 0)


def test_a_bot_without_a_limit_gets_an_empty_one():
    class Bot:
        def choose(self, view, limit):
            self.limit = limit
            return view.legal_actions()[0]

    bot = Bot()
    state = mcts.load_game("mnk").new_initial_state()
    assert BotPolicy(bot, Sampling(2))(state, 0) == {state.legal_actions(0)[0]: 1.0}
    assert bot.limit == mcts.Limit()
