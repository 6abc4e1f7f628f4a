"""Bias-reduced estimates and profile intervals: against published numbers, another optimiser, and simulation."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import minimize
from simulated_results import block_scores, outcomes_of_three, pair_blocks, random_tournament, shared_draws

from bots.arena.ratings.bias_reduction import PenalisedLikelihood
from bots.arena.ratings.blocks import GameOutcome, make_block
from bots.arena.ratings.elo import ELO_PER_UNIT, estimate_elo, score_of_elo
from bots.arena.ratings.fitting import ChoiceList
from bots.arena.ratings.ratings import rate
from bots.arena.ratings.separation import Separation

ENDOMETRIAL = """
0,13,1.64,0 0,16,2.26,0 0,8,3.14,0 0,34,2.68,0 0,20,1.28,0 0,5,2.31,0 0,17,1.8,0 0,10,1.68,0 0,26,1.56,0 0,17,2.31,0
0,8,2.01,0 0,7,1.89,0 0,20,3.15,0 0,10,1.23,0 0,18,1.27,0 0,16,1.76,0 0,18,2,0 0,8,2.64,1 0,29,0.88,1 0,12,1.27,1
0,20,1.37,1 1,38,0.97,1 1,22,1.14,1 1,7,0.88,1 1,25,0.91,1 1,15,0.58,1 0,7,0.97,1 0,28,1.5,0 0,11,1.33,0 0,19,2.37,0
0,10,1.82,0 0,10,3.13,0 0,18,1.31,0 0,14,1.92,0 0,21,1.64,0 0,11,2.01,0 0,17,1.88,0 0,25,1.93,0 0,16,2.11,0 0,19,1.29,0
0,15,1.72,0 0,33,0.75,0 0,24,1.92,0 0,48,1.84,1 0,12,1.11,1 0,19,1.61,1 0,2,1.18,1 1,22,1.44,1 1,40,1.18,1 1,5,0.93,1
1,0,1.17,1 0,21,1.19,1 0,15,1.06,1 0,29,2.02,0 0,15,2.29,0 0,12,2.33,0 0,3,2.9,0 0,20,1.7,0 0,23,1.41,0 0,12,2.25,0
0,22,1.54,0 0,42,1.97,0 0,15,1.75,0 0,13,2.16,0 0,14,2.57,0 0,19,1.37,0 0,12,3.61,0 0,13,2.04,0 0,10,2.17,0 0,12,1.69,1
1,49,0.27,1 0,6,1.84,1 0,5,1.3,1 0,17,0.96,1 1,11,1.01,1 1,21,0.98,1 0,5,0.35,1 1,19,1.02,1 0,33,0.85,1
"""
"""Neovascularization, pulsatility index, endometrium height, high grade: Heinze and Schemper (2002), who show that the
likelihood of a logistic regression on them has no maximum."""


def test_published_logistic_regression_without_a_maximum():
    found = ChoiceList(4)
    for line in ENDOMETRIAL.split():
        neo, pulse, height, grade = map(float, line.split(","))
        found.add([{0: 1.0, 1: neo, 2: pulse, 3: height}, {}], [grade, 1 - grade], 1.0, -1)
    likelihood = PenalisedLikelihood(found.choices(), np.zeros(4), np.eye(4))
    assert likelihood.maximum == pytest.approx([3.77455951, 2.92927330, -0.03475175, -2.60416387], abs=2e-6)
    published = [(1.0825371, 7.20928050), (0.6097244, 7.85463171), (-0.1244587, 0.04045547), (-4.3651832, -1.23272106)]
    for parameter, ends in enumerate(published):
        interval = likelihood.interval(np.eye(4)[parameter], (True, True), 1.959964)
        assert interval == pytest.approx(ends, abs=2e-4)


def penalised_pairs(games, weight):
    """Firth's penalised log likelihood of the worths of three bots of mean 0, written independently.

    Args:
        games: (first, second, points of the first, how many such games).
        weight: of each game.
    """

    def value(free):
        theta = np.array([free[0], free[1], -free[0] - free[1]])
        total, level = 0.0, np.zeros((2, 2))
        for first, second, points, times in games:
            gap = theta[first] - theta[second]
            slope = [(first == k) - (second == k) - (first == 2) + (second == 2) for k in (0, 1)]
            chance = 1 / (1 + math.exp(-gap))
            total += weight * times * (points * math.log(chance) + (1 - points) * math.log(1 - chance))
            level += weight * times * chance * (1 - chance) * np.outer(slope, slope)
        return total + math.log(np.linalg.det(level)) / 2

    return value


def test_a_chain_agrees_with_another_optimiser():
    """a won all games against b and c, and b all games against c: the likelihood has no maximum."""
    met = ((0, 1, 6), (1, 2, 4), (0, 2, 3))
    counts = sum((pair_blocks(one, other, {(1.0, 1.0): times}) for one, other, times in met), Counter())
    games = [(0, 1, 1.0, 12), (1, 2, 1.0, 8), (0, 2, 1.0, 6)]
    found = rate(3, counts, seat_effect=False)
    options = {"xatol": 1e-9, "fatol": 1e-13, "maxiter": 5000}
    best = minimize(lambda x: -penalised_pairs(games, 1.0)(x), [1.0, 0.0], method="Nelder-Mead", options=options)
    assert found.values[:2] == pytest.approx(ELO_PER_UNIT * best.x, abs=1e-3)
    # the end of the interval: blocks count as games, and what is left free is fitted again
    blocks = penalised_pairs(games, 0.5)
    top = -minimize(lambda x: -blocks(x), [1.0, 0.0], method="Nelder-Mead", options=options).fun
    fixed = found.lower[0] / ELO_PER_UNIT
    there = -minimize(lambda x: -blocks([fixed, x[0]]), [0.0], method="Nelder-Mead", options=options).fun
    assert 2 * (top - there) == pytest.approx(3.8414588, abs=1e-2)
    assert (found.upper[0], found.lower[2]) == (None, None)


def test_a_seat_effect_beside_one_sided_results_agrees_with_another_optimiser():
    """a and b determine the seat effect and their difference; c lost all games: only its distance is bias-reduced."""
    inside = pair_blocks(0, 1, {(1.0, 1.0): 7, (1.0, 0.0): 9, (0.0, 0.0): 5, (0.0, 1.0): 2, (0.5, 0.0): 3})
    counts = inside + pair_blocks(0, 2, {(1.0, 1.0): 4}) + pair_blocks(1, 2, {(1.0, 1.0): 5})
    found, alone = rate(3, counts), rate(2, inside)
    assert found.seats[0].value == pytest.approx(alone.seats[0].value)
    assert found.seats[0].error == pytest.approx(alone.seats[0].error)
    assert found.values[:2] == pytest.approx(alone.values)
    a, b = (elo / ELO_PER_UNIT for elo in alone.values)
    seat = (alone.seats[0].value - alone.seats[1].value) / ELO_PER_UNIT

    def minus_penalised(worth):
        total = level = 0.0
        for other, times in ((a, 4), (b, 5)):
            for side in (seat, -seat):
                chance = 1 / (1 + math.exp(worth[0] - other - side))
                total += times * math.log(chance)
                level += times * chance * (1 - chance)
        return -total - math.log(level) / 2

    best = minimize(minus_penalised, [-2.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13})
    assert found.values[2] == pytest.approx(ELO_PER_UNIT * best.x[0], abs=1e-3)


def test_three_players_with_ties_agree_with_another_optimiser():
    """a always has rank 1 alone; b and c take or share rank 2: only the distance of a is bias-reduced."""
    seats = (0, 1, 2)
    kinds = {(9.0, 5.0, 5.0): 4, (9.0, 5.0, 1.0): 5, (9.0, 1.0, 5.0): 3}
    counts = Counter({(GameOutcome(seats, returns),): times for returns, times in kinds.items()})
    found = rate(3, counts, seat_effect=False)
    # b against c with ties, of which the likelihood of the second stage alone has a maximum
    delta, gap = math.log(4 / math.sqrt(5 * 3)), math.log(5 / 3)
    assert found.ties[2] == pytest.approx(delta, abs=1e-6)
    assert found.values[1] - found.values[2] == pytest.approx(ELO_PER_UNIT * gap, abs=1e-3)
    worths = {1: gap / 2, 2: -gap / 2}

    def minus_penalised(worth):
        value = {0: worth[0], **worths}
        sets = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
        logs = np.array([sum(value[k] for k in some) / len(some) + delta * (len(some) > 1) for some in sets])
        chances = np.exp(logs) / np.exp(logs).sum()
        slope = np.array([(0 in some) / len(some) for some in sets])
        variance = chances @ slope**2 - (chances @ slope) ** 2
        return -12 * math.log(chances[0]) - math.log(12 * variance) / 2

    best = minimize(minus_penalised, [2.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13})
    assert found.values[0] == pytest.approx(ELO_PER_UNIT * best.x[0], abs=1e-3)
    assert found.values[0] > found.lower[0] > max(found.values[1:])
    assert found.upper[0] is None


def test_two_bots_are_rated_as_their_match_is():
    for blocks in (1, 6, 50):
        found, match = rate(2, pair_blocks(0, 1, {(1.0, 1.0): blocks})), estimate_elo([0, 0, 0, 0, blocks])
        assert found.values[0] - found.values[1] == pytest.approx(match.elo, abs=1e-3)
        assert found.leads[0, 1].lower == pytest.approx(match.lower, abs=0.1)
        assert found.los[0][1] == pytest.approx(match.los, abs=1e-6)
        assert (found.leads[0, 1].upper, match.upper) == (None, None)


def test_the_last_draw_missing_changes_little():
    """The estimate of a bot that won all games is a little above that of a bot that drew one game."""
    most = pair_blocks(0, 1, {(1.0, 1.0): 9})
    nearly, all_won = (rate(2, most + pair_blocks(0, 1, {(1.0, last): 1})).values[0] for last in (0.5, 1.0))
    assert nearly < all_won < 1.1 * nearly


@pytest.mark.parametrize("seed", range(3))
def test_results_that_are_not_one_sided_are_rated_by_the_greatest_likelihood(seed):
    """Ratings of bots with results in both directions do not change when bots join that won or lost all games."""
    inside = random_tournament(seed, bots=4, blocks=12)
    alone = rate(4, inside)
    joined = inside + sum((pair_blocks(4, bot, {(1.0, 1.0): 3}) for bot in range(4)), Counter())
    joined += sum((pair_blocks(bot, 5, {(1.0, 1.0): 3}) for bot in range(5)), Counter())
    found = rate(6, joined)
    assert found.values[:4] == pytest.approx(alone.values, abs=1e-6)
    assert found.errors[:4] == pytest.approx(alone.errors, rel=1e-6)
    assert found.lists[0][0] == 4
    assert found.lists[0][-1] == 5


def test_many_bots_are_rated_quickly_where_all_results_are_one_sided():
    """Seven bots in a chain of one-sided results are sorted by their wins, without a search over pairs."""
    wins = itertools.combinations(range(7), 2)
    found = rate(7, sum((pair_blocks(one, other, {(1.0, 1.0): 2}) for one, other in wins), Counter()))
    assert found.lists == (tuple(range(7)),)
    assert all(one > other for one, other in itertools.pairwise(found.values))
    assert found.values == pytest.approx([-elo for elo in found.values[::-1]], abs=1e-3)


def holds(lower, upper, truth):
    return (lower is None or lower <= truth) and (upper is None or truth <= upper)


@pytest.mark.parametrize(("gap", "blocks"), [(0.0, 3), (2.0, 4), (4.0, 6), (6.0, 12), (8.0, 30)])
def test_coverage_of_short_and_lopsided_matches(gap, blocks):
    rng = np.random.default_rng(2)
    truth = float(block_scores(rng, 500_000, gap, 0.2, 0.6).mean())
    known = {}
    held = 0
    for scores in block_scores(rng, (1000, blocks), gap, 0.2, 0.6):
        points = Counter((2 * scores.sum(axis=1)).astype(int).tolist())
        counts = tuple(points[number] for number in range(5))
        if counts not in known:
            found = estimate_elo(counts)
            lower = 0.0 if found.lower is None else score_of_elo(found.lower)
            known[counts] = lower <= truth <= (1.0 if found.upper is None else score_of_elo(found.upper))
        held += known[counts]
    assert held / 1000 >= 0.935  # few results are possible, so intervals hold the truth more often than in 95 %


def coverage_of_lopsided_tournaments(theta, blocks, runs):
    """Numbers of intervals of ratings and leads that contain the true value, and of intervals with one end."""
    rng = np.random.default_rng(5)
    held, total = Counter(), Counter()
    for _ in range(runs):
        counts = Counter()
        for one, other in itertools.combinations(range(len(theta)), 2):
            draws = shared_draws(rng, 2, (blocks,), 0.7)
            gap = theta[one] - theta[other]
            first, second = (draws[turn] < 1 / (1 + math.exp(-gap - seat)) for turn, seat in ((0, 0.3), (1, -0.3)))
            for (mine, again), times in Counter(zip(first.tolist(), second.tolist(), strict=True)).items():
                counts.update(pair_blocks(one, other, {(float(mine), float(again)): times}))
        found = rate(len(theta), counts)
        groups = sorted(found.graph.groups, key=len, reverse=True)
        zero = groups[0] if len(groups) == 1 or len(groups[0]) > len(groups[1]) else range(len(theta))
        middle = np.mean([theta[bot] for bot in zero])
        for bot, worth in enumerate(theta):
            kind = "two ends" if found.errors[bot] is not None else "one end"
            total[kind] += 1
            held[kind] += holds(found.lower[bot], found.upper[bot], ELO_PER_UNIT * (worth - middle))
        for (better, worse), interval in found.leads.items():
            total["leads"] += 1
            held["leads"] += holds(interval.lower, interval.upper, ELO_PER_UNIT * (theta[better] - theta[worse]))
    return {kind: held[kind] / total[kind] for kind in total}, total


LOPSIDED = [
    ((2.5, 0.3, -0.3), 3),
    ((3.0, 0.5, -0.5, -3.0), 2),
    ((3.0, 0.0), 5),
    ((0.9, 0.3, -0.3, -0.9), 2),
    ((4.0, 2.0, 0.0, -2.0, -4.0), 3),
]


@pytest.mark.long
def test_coverage_of_a_short_and_lopsided_tournament():
    shares, total = coverage_of_lopsided_tournaments((2.5, 0.3, -0.3), 3, 40)
    assert min(total.values()) >= 20
    assert all(share >= 0.9 for share in shares.values())


@pytest.mark.long
@pytest.mark.parametrize(("theta", "blocks"), LOPSIDED)
def test_coverage_of_many_short_and_lopsided_tournaments(theta, blocks):
    shares, total = coverage_of_lopsided_tournaments(theta, blocks, 200)
    for kind, share in shares.items():
        assert share >= (0.93 if total[kind] >= 300 else 0.9), kind


def coverage_of_three_players(theta, blocks, runs):
    rng = np.random.default_rng(6)
    turns = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    outcomes = outcomes_of_three([math.exp(worth) for worth in theta], 0.3)
    rankings, sums = sorted(outcomes), np.cumsum([outcomes[ranks] for ranks in sorted(outcomes)])
    held, total = Counter(), Counter()
    for _ in range(runs):
        counts = Counter()
        for ends in np.searchsorted(sums, shared_draws(rng, 3, (blocks,), 0.5).T * sums[-1]).tolist():
            games = zip(turns, (rankings[end] for end in ends), strict=True)
            counts[make_block(GameOutcome(s, tuple(-float(ranks[bot]) for bot in s)) for s, ranks in games)] += 1
        found = rate(3, counts, seat_effect=False)
        for (better, worse), interval in found.leads.items():
            kind = "two ends" if interval.error is not None else "one end"
            total[kind] += 1
            held[kind] += holds(interval.lower, interval.upper, ELO_PER_UNIT * (theta[better] - theta[worse]))
    return {kind: held[kind] / total[kind] for kind in total}, total


@pytest.mark.long
def test_coverage_of_lopsided_games_of_three():
    shares, total = coverage_of_three_players((3.5, 0.0, -0.5), 5, 200)
    assert total["one end"] >= 10
    assert all(share >= 0.92 for share in shares.values())


def test_what_is_bounded_on_both_sides_is_bounded_above():
    all_known = Separation(np.zeros((0, 2)), np.arange(2), np.zeros((0, 2)), None)
    assert all_known.determines(np.array([1.0, -1.0]))
    assert all_known.bounds_above(np.array([1.0, -1.0]))
