"""Noise in the priors of the root, and actions drawn by a temperature."""

from collections import Counter

import numpy as np
import pytest
from support import kernel_search
from test_evaluator import MNK, Neutral, Weights, search, searcher

import mcts
from mcts.reference.root_noise import noisy_priors
from mcts.results.final_action import Arm, by_visits

START = MNK.new_initial_state()


def compiled(share, alpha, **options):
    """Return a compiled search over an evaluator, with its root at the start."""
    given = {"selection": "puct", "joint_selection": "regret_matching", "playout": "uniform", "exploration": 1.4}
    given |= {"solver": False, "transpositions": False, "memory_bytes": 1 << 20, "batch_size": 4}
    tree = kernel_search(MNK, **(given | {"root_noise": share, "noise_alpha": alpha} | options))
    tree.set_root(START, 7)
    return tree


def answers(batch):
    """Return some priors that are all different, and values in the middle."""
    priors = np.tile(np.array([3, 1, 4, 1.5, 9, 2, 6, 5, 3.5], dtype=np.float32), (len(batch), 1))
    return priors, np.full((len(batch), 2), 0.5)


@pytest.mark.parametrize("alpha", [0.03, 0.3, 1.0, 5.0, None])
@pytest.mark.parametrize("share", [0.25, 1.0])
def test_noise_is_that_of_the_reference(share, alpha):
    plain, noisy = compiled(0.0, alpha), compiled(share, alpha)
    for tree in (plain, noisy):
        tree.run_evaluated(0, 1e9, answers)
    order = sorted(plain.root_priors().items(), key=lambda item: -item[1])
    assert noisy.root_priors() == dict(sorted(noisy_priors(order, 7, share, alpha).items()))
    assert noisy.root_priors() != plain.root_priors()
    assert sum(noisy.root_priors().values()) == pytest.approx(1.0, abs=1e-6)


def test_noise_has_the_moments_of_the_dirichlet_distribution():
    """Mean 1/K and variance (K - 1) / (K^2 (K alpha + 1)), with K actions."""
    draws = []
    for seed in range(2000):
        tree = compiled(1.0, 0.4)
        tree.set_root(START, seed)
        tree.run_evaluated(0, 1e9, answers)
        draws.append(list(tree.root_priors().values()))
    assert np.mean(draws, axis=0) == pytest.approx(1 / 9, abs=0.02)
    assert np.var(draws, axis=0) == pytest.approx(8 / (81 * (9 * 0.4 + 1)), rel=0.2)


def test_noise_is_added_once_to_every_root():
    tree = compiled(0.5, 0.3)
    tree.run_evaluated(50, 1e9, answers)
    first = tree.root_priors()
    tree.run_evaluated(50, 1e9, answers)
    assert tree.root_priors() == first
    tree.advance([4, -1])
    kept = tree.root_priors()
    tree.run_evaluated(1, 1e9, answers)
    assert tree.root_priors() != kept
    tree.advance([-1, 0])
    tree.set_root(START, 7)
    tree.run_evaluated(50, 1e9, answers)
    assert tree.root_priors() == first


def test_priors_without_noise_and_without_priors():
    assert compiled(0.0, None).root_priors() == pytest.approx(dict.fromkeys(range(9), 1 / 9))
    assert compiled(0.0, None, selection="ucb1", batch_size=0).root_priors() == {}


def test_noise_changes_the_search_and_follows_the_seed():
    def visits(**given):
        return search(Weights(MNK), 200, **given).visits

    assert visits(root_noise=0.25, seed=1) == visits(root_noise=0.25, seed=1)
    assert visits(root_noise=0.25, seed=1) != visits(root_noise=0.25, seed=2)
    assert visits(root_noise=0.25, seed=1) != visits(seed=1)
    assert visits(root_noise=0.25, seed=1) != visits(root_noise=0.25, noise_alpha=0.05, seed=1)
    with pytest.raises(mcts.ParameterError, match=r"noise_alpha=0\.05 is not read without root_noise"):
        visits(seed=1, noise_alpha=0.05)


def drawn(temperature, **given):
    """Return how often each action is played in searches that differ in the seed alone, and the last result."""
    counts = Counter()
    for seed in range(300):
        result = mcts.MCTS.plain(MNK, seed=seed, temperature=temperature, **given).run(START, simulations=20)
        counts[result.action] += 1
    return counts, result


def test_a_temperature_draws_in_proportion_to_powers_of_visits():
    arms = [Arm(action, visits, 0.5, float(visits)) for action, visits in enumerate([0, 10, 20, 70])]
    assert by_visits(arms, 1.0) == pytest.approx({0: 0.0, 1: 0.1, 2: 0.2, 3: 0.7})
    assert by_visits(arms, 0.5) == pytest.approx({0: 0.0, 1: 1 / 54, 2: 4 / 54, 3: 49 / 54})
    assert by_visits(arms, 1e-300) == {0: 0.0, 1: 0.0, 2: 0.0, 3: 1.0}
    assert by_visits([Arm(3, 0, None, 0.0), Arm(5, 0, None, 0.0)], 1.0) == {3: 1.0, 5: 0.0}


def test_an_action_that_cannot_be_best_is_not_drawn():
    state = MNK.state_from_text("xx./oo./..._x")
    for seed in range(20):
        result = mcts.MCTS.plain(MNK, solver=True, temperature=100.0, seed=seed).run(state, simulations=200)
        assert (result.action, result.strategy) == (2, {2: 1.0})


def test_actions_are_drawn_with_the_probabilities_of_the_strategy():
    result = mcts.MCTS.plain(MNK, temperature=1.0, seed=1).run(START, simulations=50)
    assert result.is_drawn
    assert result.strategy == pytest.approx({action: count / 50 for action, count in result.visits.items() if count})
    hot, _ = drawn(100.0)
    cold, last = drawn(0.01)
    assert len(hot) == 9
    assert cold[max(cold, key=cold.get)] > hot[max(hot, key=hot.get)]
    assert last.visits[last.action] == max(last.visits.values())


def test_a_temperature_does_not_change_mixed_decisions():
    state = mcts.load_game("bidding_ttt(coins=3)").new_initial_state()
    for seed in range(5):
        found, plain = (
            mcts.MCTS.plain(state.game, temperature=temperature, seed=seed).run(state, simulations=300)
            for temperature in (3.0, 0.0)
        )
        assert found.strategy == plain.strategy
        assert found.strategy == {action: chance for action, chance in found.policy.items() if chance > 0}
        assert found.visits == plain.visits


def test_a_temperature_follows_the_seed_and_leaves_the_search_alone():
    def result(**given):
        return mcts.MCTS.plain(MNK, seed=3, **given).run(START, simulations=100)

    assert result(temperature=1.0).action == result(temperature=1.0).action
    assert result(temperature=1.0).visits == result().visits
    assert result(temperature=1.0).policy == result().policy
    assert not result().is_drawn


def test_a_temperature_ends_after_its_plies():
    bot = mcts.MCTS.plain(MNK, temperature=1.0, temperature_plies=2)
    state = MNK.new_initial_state()
    for expected in (True, True, False, False):
        result = bot.run(state, simulations=30)
        assert result.is_drawn is expected
        state.apply_action(result.action)
    assert not mcts.MCTS.plain(MNK, temperature=1.0, temperature_plies=0).run(START, simulations=30).is_drawn


def test_decisions_of_several_players_are_drawn_from_the_policy_as_ever():
    state = mcts.load_game("bidding_ttt(coins=3)").new_initial_state()
    plain = mcts.MCTS.plain(state.game, seed=1).run(state, simulations=200)
    warm = mcts.MCTS.plain(state.game, seed=1, temperature=5.0).run(state, simulations=200)
    assert (warm.action, warm.strategy) == (plain.action, plain.strategy)


@pytest.mark.parametrize(
    ("bad", "valid"),
    [
        ({"temperature": 1.0, "final": "mixed"}, "final=visits"),
        ({"temperature": 1.0, "early_stop": True}, "early_stop=false"),
        ({"root_noise": 0.25}, "not read without a net with a policy or an evaluator"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused(bad, valid):
    (name, _), *_ = bad.items()
    with pytest.raises(mcts.ParameterError, match=name) as refusal:
        mcts.MCTS.plain(MNK, **bad)
    assert valid in str(refusal.value)


@pytest.mark.parametrize("bad", [{"share": -0.1}, {"share": float("nan")}, {"alpha": 0.0}, {"alpha": float("inf")}])
def test_the_compiled_search_refuses_them_too(bad):
    with pytest.raises(ValueError, match="valid: "):
        compiled(**({"share": 0.25, "alpha": 0.3} | bad))


def test_noise_without_evaluations_is_refused():
    with pytest.raises(TypeError, match="needs evaluation"):
        compiled(0.25, 0.3, batch_size=0)
    searcher(Neutral(MNK), root_noise=0.0, temperature=1.0)
