"""The final action from tables of arms: ties, proven bounds, moved weights, and the shares of drawn actions."""

import math
from collections import Counter

import pytest

from mcts.results.final_action import (
    Arm,
    best_action,
    by_visits,
    draw,
    mixture,
    safest,
    undominated,
    without_dominated,
)


def arms_of(*rows):
    """Arms from rows of visits, mean, and other fields."""
    return [
        Arm(number, visits, mean, float(visits))._replace(**dict(*others))
        for number, (visits, mean, *others) in enumerate(rows)
    ]


def actions(arms):
    return [arm.action for arm in arms]


@pytest.mark.parametrize(
    ("final", "rows", "action"),
    [
        ("visits", [(5, 10.0), (5, 20.0), (5, 20.0), (4, 90.0)], 1),
        ("visits", [(0, None), (1, 0.0)], 1),
        ("value", [(3, 20.0), (5, 20.0), (5, 20.0), (9, 10.0), (0, None)], 1),
        ("lcb", [(9, 50.0, {"half_width": 30.0}), (4, 40.0, {"half_width": 10.0}), (1, 60.0)], 1),
        ("lcb", [(4, 35.0, {"half_width": 5.0}), (6, 40.0, {"half_width": 10.0}), (6, 30.0, {"half_width": 0.0})], 1),
    ],
)
def test_among_equals_visits_and_values_decide_and_then_the_lowest_action(final, rows, action):
    assert best_action(arms_of(*rows), final) == action


@pytest.mark.parametrize(
    ("rows", "action"),
    [
        ([(9, 80.0), (1, 20.0, {"lower": 20.0})], 1),
        ([(3, 50.0, {"lower": 10.0}), (7, 40.0, {"lower": 10.0}), (7, 60.0, {"lower": 10.0})], 1),
        ([(0, None), (0, None)], 0),
    ],
)
def test_the_safest_arm_has_the_highest_proven_return(rows, action):
    assert safest(arms_of(*rows)).action == action


PROVEN = arms_of(
    (2, 50.0, {"lower": 50.0}),  # the safest
    (9, 60.0, {"upper": 50.0}),  # can return no more
    (8, 49.0),  # expects less
    (7, 50.0, {"upper": 60.0}),
    (0, None, {"upper": 60.0}),
)


def test_a_dominated_arm_is_not_played_and_its_weight_is_moved_to_the_safest():
    assert actions(undominated(PROVEN)) == [0, 3]
    assert best_action(PROVEN, "visits") == 3
    assert [arm.weight for arm in without_dominated(PROVEN)] == [2 + 9 + 8, 0, 0, 7, 0]
    improved = [arm._replace(weight=5.0) if arm.mean is None else arm for arm in PROVEN]
    assert [arm.weight for arm in without_dominated(improved)] == [2 + 9 + 8, 0, 0, 7, 5]
    assert by_visits(PROVEN, 1.0) == pytest.approx({0: 2 / 9, 1: 0, 2: 0, 3: 7 / 9, 4: 0})
    lost = arms_of((0, 0.0, {"lower": 0.0, "upper": 0.0}), (6, 0.0, {"lower": 0.0, "upper": 0.0}))
    assert actions(undominated(lost)) == [1]
    assert [arm.weight for arm in without_dominated(lost)] == [0.0, 6.0]


@pytest.mark.parametrize(("upper", "weight"), [(50.0, 1.0), (60.0, 0.0)])
def test_a_win_that_is_proven_without_a_visit_has_all_weight(upper, weight):
    arms = arms_of((0, None, {"upper": upper}), (0, 50.0, {"lower": 50.0, "upper": 50.0}))
    assert [arm.weight for arm in without_dominated(arms)] == [0.0, weight]


def test_a_mixture_without_weights_is_uniform():
    assert mixture(arms_of((0, None), (0, None))) == {0: 0.5, 1: 0.5}
    assert mixture(arms_of((1, 50.0), (3, 50.0))) == {0: 0.25, 1: 0.75}


def test_actions_are_drawn_with_their_shares():
    shares = {4: 0.0, 5: 0.25, 6: 0.0, 7: 0.125, 8: 0.625, 9: 0.0}
    drawn = Counter(draw(shares, seed) for seed in range(2000))
    assert drawn.keys() == {5, 7, 8}
    for action, times in drawn.items():
        assert abs(times / 2000 - shares[action]) < 4 * math.sqrt(shares[action] / 2000)
    assert {draw({3: 1e-9, 4: 0.0}, seed) for seed in range(9)} == {3}
