"""Sequential halving with Gumbel noise at the root: equal to the reference, its schedule, and what it refuses."""

import math

import numpy as np
import pytest
from nets import random_net
from search_cases import STATES
from support import kernel_search, reference_search
from waiting import HANG_SECONDS

import mcts
from mcts.reference.halving import visit_levels

MNK = mcts.load_game("mnk")
POLICY = random_net(MNK, policies=1)
START = MNK.new_initial_state()


def search(**options):
    return mcts.MCTS.plain(MNK, net=POLICY, selection="puct", **{"gumbel_actions": 4, "seed": 1, **options})


@pytest.mark.sample(5)
@pytest.mark.parametrize("actions", [1, 4, 16])
@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("name", STATES)
def test_a_search_agrees_with_plain_python(name, solver, actions):
    state = STATES[name]
    net = random_net(state.game, policies=1)
    options = {"selection": "puct", "exploration": 1.4, "solver": solver, "gumbel_actions": actions}
    for simulations, noise in ((7, 1.0), (60, 0.0), (90, 2.0)):
        kernel = kernel_search(state.game, net=net.core, gumbel_noise=noise, **options)
        kernel.set_root(state, 1)
        done, _ = kernel.run(simulations, 1e9)
        plain = reference_search(state.game, net=net, gumbel_noise=noise, **options)
        assert plain.run(state, simulations, 1) == done
        assert plain.root_arms() == kernel.root_arms()
        assert (plain.visits, plain.nodes) == (kernel.visits, kernel.nodes)
        if len(state.acting_players()) == 1 and not solver:
            assert kernel.root_record().line()[0][state.acting_players()[0]] == plain.considered_action


def test_each_round_divides_its_share_evenly():
    assert visit_levels(4, 16) == [0] * 4 + [1] * 4 + [2, 2, 3, 3, 4, 4, 5, 5]
    assert visit_levels(8, 5) == [0] * 5
    assert visit_levels(1, 4) == [0, 1, 2, 3]
    visits = search(gumbel_noise=0).run(START, simulations=16).visits
    assert sorted(visits.values()) == [0] * 5 + [2, 2, 6, 6]
    assert sum(visit > 0 for visit in search().run(START, simulations=3).visits.values()) == 3


def test_the_policy_is_the_improved_one_and_the_noise_follows_the_seed():
    """By the formulas of the paper, from the statistics of the root."""
    result = search(gumbel_noise=0).run(START, simulations=40)
    values = {action: None if value is None else value / 100 for action, value in result.action_values.items()}
    priors, outputs = POLICY.evaluate([START.encode()])
    priors = dict(enumerate(priors[0] / priors[0].sum()))
    tried = [action for action, value in values.items() if value is not None]
    share = sum(priors[action] for action in tried)
    mixed = (outputs[0][0] / 100 + 40 * sum(priors[action] * values[action] for action in tried) / share) / 41
    weight = 0.1 * (50 + max(result.visits.values()))
    scores = {
        action: math.log(priors[action]) + weight * (mixed if values[action] is None else values[action])
        for action in values
    }
    total = sum(math.exp(score - max(scores.values())) for score in scores.values())
    expected = [math.exp(scores[action] - max(scores.values())) / total for action in values]
    np.testing.assert_allclose(list(result.policy.values()), expected, rtol=1e-3)
    most = max(result.visits.values())
    assert result.action == max((action for action in tried if result.visits[action] == most), key=scores.get)
    assert result.pv[0][0] == result.action
    chosen = {search(seed=seed).run(START, simulations=4).action for seed in range(12)}
    assert len(chosen) > 1
    assert search(gumbel_noise=0, seed=2).run(START, simulations=40).visits == result.visits


def test_a_kept_tree_begins_a_new_schedule_and_a_proven_win_is_played():
    searcher = search()
    result = searcher.run(START, simulations=60)
    assert searcher.advance(result.action)
    after = START.child(result.action)
    again = searcher.run(after, simulations=16)
    assert again.simulations == 16
    assert sum(again.visits.values()) > 16
    won = MNK.state_from_text("xx./oo./..._x")
    assert search(solver=True).run(won, simulations=50).values == (100, 0)
    assert won.action_to_string(0, search(solver=True).run(won, simulations=50).action) == "mark(1,3)"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 2}, "gumbel_actions=4 does not go with threads=2; valid: threads=1"),
        ({"final": "lcb"}, "valid: final=visits, or gumbel_actions=0"),
        ({"temperature": 1.0}, "does not go with temperature=1"),
        ({"root_noise": 0.1}, "does not go with root_noise=0.1"),
        ({"early_stop": True}, "valid: early_stop=false"),
        ({"selection": "ucb1"}, "valid: selection=puct"),
        ({"net": None}, "gumbel_actions=4 is not read without a net with a policy"),
        ({"gumbel_actions": 0, "gumbel_noise": 0.5}, "gumbel_noise=0.5 is not read without gumbel_actions"),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused(options, message):
    with pytest.raises(mcts.ParameterError, match=message):
        mcts.MCTS.plain(MNK, **{"net": POLICY, "selection": "puct", "gumbel_actions": 4, **options})


def test_a_limit_on_time_alone_is_refused():
    with pytest.raises(mcts.errors.LimitError, match=r"gumbel_actions=4 .* valid: a limit on simulations"):
        search().run(START, seconds=0.1)
    assert search().run(START, simulations=50, seconds=HANG_SECONDS).simulations == 50
    for wrong in ({"net": random_net(MNK).core}, {"net": POLICY.core, "root_noise": 0.5}):
        with pytest.raises(TypeError, match="sequential halving"):
            kernel_search(MNK, selection="puct", gumbel_actions=4, **wrong)
    with pytest.raises(ValueError, match="gumbel_noise"):
        kernel_search(MNK, net=POLICY.core, selection="puct", gumbel_actions=4, gumbel_noise=float("nan"))
