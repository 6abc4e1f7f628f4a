"""Coverage of 95 % intervals: simulated tournaments in which the games of a block depend on each other."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from simulated_results import block_scores, outcomes_of_three, shared_draws

from bots.arena.ratings.blocks import GameOutcome, make_block
from bots.arena.ratings.elo import ELO_PER_UNIT, estimate_elo, score_of_elo
from bots.arena.ratings.ratings import rate

LOW, HIGH = 0.92, 0.98


@pytest.mark.sample(1)
@pytest.mark.parametrize(("gap", "blocks"), [(0.0, 60), (1.5, 400), (-0.3, 8), (0.2, 12)])
def test_two_bots(gap, blocks):
    rng = np.random.default_rng(1)
    # the truth is what the mean score tends to
    truth = float(block_scores(rng, 2_000_000, gap, 0.2, 0.6).mean())
    runs = 1000
    held = naive_held = known = 0
    for scores in block_scores(rng, (runs, blocks), gap, 0.2, 0.6):
        points = Counter((2 * scores.sum(axis=1)).astype(int).tolist())
        found = estimate_elo([points[number] for number in range(5)])
        lower = 0.0 if found.lower is None else score_of_elo(found.lower)
        upper = 1.0 if found.upper is None else score_of_elo(found.upper)
        held += lower <= truth <= upper
        games = Counter((2 * scores).astype(int).ravel().tolist())
        naive = estimate_elo([games[number] for number in range(3)])
        if naive.error is not None and found.error is not None:
            known += 1
            naive_held += naive.lower <= 400 * math.log10(truth / (1 - truth)) <= naive.upper
    assert LOW <= held / runs <= HIGH
    if blocks >= 60:
        assert naive_held / known < LOW  # single games promise too much: the blocks are needed


def test_superiority_is_as_likely_as_it_says():
    """True differences are uniform. Of the bots whose likelihood of superiority is p, a share p is better."""
    rng = np.random.default_rng(4)
    said, was = [], []
    for gap in rng.uniform(-0.6, 0.6, 1500):
        scores = block_scores(rng, 50, gap, 0.2, 0.6)
        points = Counter((2 * scores.sum(axis=1)).astype(int).tolist())
        said.append(estimate_elo([points[number] for number in range(5)]).los)
        was.append(gap > 0)
    said, was = np.array(said), np.array(was)
    for low, high in ((0.6, 0.9), (0.1, 0.4)):
        some = (said > low) & (said < high)
        assert was[some].mean() == pytest.approx(said[some].mean(), abs=4 * 0.5 / math.sqrt(some.sum()))


def coverage_of_pairs(runs, blocks_each):
    """Numbers of intervals of ratings, of differences and of the seat effect that contain the true value."""
    rng = np.random.default_rng(7)
    theta = np.array([0.9, 0.3, -0.3, -0.9])
    seat = 0.4
    held, total = Counter(), Counter()

    def note(kind, found, truth, error):
        total[kind] += 1
        held[kind] += abs(found - ELO_PER_UNIT * truth) <= error

    for _ in range(runs):
        counts = Counter()
        for first, second in itertools.combinations(range(4), 2):
            # each game is by the logistic law, but one number decides both of most blocks
            draws = shared_draws(rng, 2, (blocks_each,), 0.7)
            gap = theta[first] - theta[second]
            as_first = draws[0] < 1 / (1 + math.exp(-gap - seat))
            as_second = draws[1] < 1 / (1 + math.exp(-gap + seat))
            for (one, other), times in Counter(zip(as_first.tolist(), as_second.tolist(), strict=True)).items():
                games = [((first, second), (one, not one)), ((second, first), (not other, other))]
                counts[make_block(GameOutcome(seats, tuple(map(float, returns))) for seats, returns in games)] = times
        found = rate(4, counts)
        assert found.rated == (0, 1, 2, 3)
        for bot in range(4):
            note("ratings", found.values[bot], theta[bot], found.errors[bot])
        for one, other in itertools.combinations(range(4), 2):
            note(
                "differences",
                found.values[one] - found.values[other],
                theta[one] - theta[other],
                found.differences[one][other],
            )
        note("seats", found.seats[0].value, seat / 2, found.seats[0].error)
    return {kind: held[kind] / total[kind] for kind in total}


@pytest.mark.long
@pytest.mark.parametrize(("runs", "blocks_each"), [(300, 40), (400, 12)], ids=["many", "few"])
def test_four_bots_with_a_seat_effect(runs, blocks_each):
    for kind, share in coverage_of_pairs(runs, blocks_each).items():
        assert LOW <= share <= HIGH, kind


def coverage_of_rankings(runs, blocks_each):
    """Numbers of intervals of the ratings of three bots and of the seat effects that contain the true value."""
    rng = np.random.default_rng(12)
    theta, gamma, delta = (0.5, 0.0, -0.5), (0.3, 0.0, -0.3), 0.5
    kinds = []  # of blocks: seats of each game, and the rankings of bots that it may end in, by their probabilities
    for order in ([0, 1, 2], [2, 1, 0]):
        games = []
        for turn in range(3):
            seats = tuple(order[turn:] + order[:turn])
            worths = [math.exp(theta[bot] + gamma[seats.index(bot)]) for bot in range(3)]
            outcomes = outcomes_of_three(worths, delta)
            assert sum(outcomes.values()) == pytest.approx(1)
            games.append((seats, sorted(outcomes), np.cumsum([outcomes[ranks] for ranks in sorted(outcomes)])))
        kinds.append(games)
    held, total = Counter(), Counter()
    for _ in range(runs):
        counts = Counter()
        for games in kinds:
            draws = shared_draws(rng, 3, (blocks_each // 2,), 0.6)
            ends = [np.searchsorted(sums, u * sums[-1]) for u, (_, _, sums) in zip(draws, games, strict=True)]
            for numbers, times in Counter(zip(*(end.tolist() for end in ends), strict=True)).items():
                block = [
                    GameOutcome(seats, tuple(-float(rankings[number][bot]) for bot in seats))
                    for number, (seats, rankings, _) in zip(numbers, games, strict=True)
                ]
                counts[make_block(block)] += times
        found = rate(3, counts)
        assert found.rated == (0, 1, 2)
        for which in range(3):
            total["ratings"] += 1
            held["ratings"] += abs(found.values[which] - ELO_PER_UNIT * theta[which]) <= found.errors[which]
            total["seats"] += 1
            seat = found.seats[which]
            held["seats"] += abs(seat.value - ELO_PER_UNIT * gamma[which]) <= seat.error
    return {kind: held[kind] / total[kind] for kind in total}


@pytest.mark.long
@pytest.mark.parametrize(("runs", "blocks_each"), [(120, 80), (250, 40)], ids=["many", "few"])
def test_three_players_with_seat_effects(runs, blocks_each):
    for kind, share in coverage_of_rankings(runs, blocks_each).items():
        assert LOW <= share <= HIGH, kind


@pytest.mark.long
@pytest.mark.parametrize("blocks_each", [6, 60])
def test_differences_of_mean_returns(blocks_each):
    """Games of three players whose returns are skewed, as in poker, and share the luck of their block."""
    rng = np.random.default_rng(11)
    theta, seats = np.array([0.8, 0.2, -0.3, -0.7]), np.array([0.5, 0.0, -0.5])
    held, total = Counter(), Counter()
    for _ in range(300):
        counts = Counter()
        for selection in itertools.combinations(range(4), 3):
            for _ in range(blocks_each):
                luck = rng.exponential(2.0, size=4)
                games = []
                for turn in range(3):
                    order = selection[turn:] + selection[:turn]
                    returns = theta[list(order)] + seats + luck[list(order)] + rng.exponential(2.0, size=3)
                    games.append(GameOutcome(order, tuple(returns.tolist())))
                counts[make_block(games)] += 1
        found = rate(4, counts, score="returns")
        for one, other in itertools.combinations(range(4), 2):
            total["differences"] += 1
            gap = found.values[one] - found.values[other] - (theta[one] - theta[other])
            held["differences"] += abs(gap) <= found.differences[one][other]
        for seat, effect in zip(found.seats, seats, strict=True):
            total["seats"] += 1
            held["seats"] += abs(seat.value - effect) <= seat.error
    for kind, times in total.items():
        assert LOW <= held[kind] / times <= HIGH, kind
