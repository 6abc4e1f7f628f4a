"""Ratings against published numbers, and what is said where results are one-sided or too few."""

import itertools
import math
import random

import numpy as np
import pytest

from bots.arena.ratings import CONFIDENCE_95, ELO_PER_UNIT, Comparison, rate


def blocks_of_games(*blocks):
    """Comparisons of two bots: each block is a tuple of the first bot's scores."""
    return [Comparison(0, 1, score, number) for number, block in enumerate(blocks) for score in block]


def pairs(*wins):
    """Comparisons from (winner, loser, times), every game its own block."""
    flat = [(winner, loser) for winner, loser, times in wins for _ in range(times)]
    return [Comparison(winner, loser, 1.0, block) for block, (winner, loser) in enumerate(flat)]


def test_worths_of_four_players():
    a, b, c, d = range(4)
    found = rate(4, pairs((a, b, 2), (b, a, 3), (a, d, 1), (d, a, 4), (b, c, 5), (c, b, 3), (c, d, 1), (d, c, 3)))
    worths = [math.exp(elo / ELO_PER_UNIT) for elo in found.elo]
    assert worths == pytest.approx([0.640, 1.043, 0.660, 2.270], abs=1e-3)
    assert found.groups == ((a, b, c, d),)
    assert found.connected


def test_differences_of_three_pairings():
    wins = [(0, 1, 15), (1, 0, 5), (1, 2, 15), (2, 1, 5), (0, 2, 18), (2, 0, 2)]
    found = rate(3, pairs(*wins))
    assert found.elo[0] - found.elo[1] == pytest.approx(190.85, abs=0.01)
    assert found.elo[0] - found.elo[2] == pytest.approx(381.70, abs=0.01)


def test_error_from_blocks_and_from_single_games():
    scores = [(0.0, 0.0), (0.0, 0.5), (0.5, 0.5), (1.0, 0.5), (1.0, 1.0)]
    blocks = [score for score, times in zip(scores, [13, 37, 50, 25, 3], strict=True) for _ in range(times)]
    found = rate(2, blocks_of_games(*blocks))
    assert found.difference_error(0, 1) / CONFIDENCE_95 == pytest.approx(14.977, abs=1e-3)
    # the information matrix alone, as if every game were independent and decided
    theta = np.array(found.elo) / ELO_PER_UNIT
    expected = 1 / (1 + math.exp(theta[1] - theta[0]))
    naive = ELO_PER_UNIT / math.sqrt(2 * len(blocks) * expected * (1 - expected))
    assert naive == pytest.approx(21.886, abs=1e-3)


@pytest.mark.parametrize(
    ("blocks", "elo", "error"),
    [
        ([(1.0,)] * 136 + [(0.0,)] * 96 + [(0.5,)] * 111, 40.70, 30.43),
        (
            [(0.0, 0.0)] * 34 + [(0.0, 0.5)] * 54 + [(0.5, 0.5)] * 63 + [(0.5, 1.0)] * 64 + [(1.0, 1.0)] * 75,
            55.58,
            27.65,
        ),
        (
            [(0.0, 0.0)] * 332 + [(0.0, 0.5)] * 433 + [(0.5, 0.5)] * 498 + [(0.5, 1.0)] * 333 + [(1.0, 1.0)] * 334,
            -8.64,
            10.33,
        ),
    ],
)
def test_elo_of_a_match(blocks, elo, error):
    found = rate(2, blocks_of_games(*blocks))
    assert found.elo[0] - found.elo[1] == pytest.approx(elo, abs=0.005)
    # published bars are mapped from the ends of the mean's interval, ours from its slope: they agree to a percent
    assert found.difference_error(0, 1) == pytest.approx(error, rel=0.01)
    assert sum(found.elo) == pytest.approx(0.0, abs=1e-9)


def test_order_of_comparisons_and_sides_do_not_matter():
    rng = random.Random(4)
    games = [
        Comparison(i, j, rng.choice([0.0, 0.5, 1.0]), block)
        for block, (i, j) in enumerate(list(itertools.combinations(range(4), 2)) * 9)
        for _ in range(2)
    ]
    swapped = [Comparison(c.second, c.first, 1 - c.score, c.block) for c in games]
    rng.shuffle(swapped)
    one, other = rate(4, games), rate(4, swapped)
    assert one.elo == pytest.approx(other.elo, abs=1e-7)
    assert one.covariance == pytest.approx(other.covariance, rel=1e-6)


def test_all_drawn():
    found = rate(2, blocks_of_games((0.5, 0.5), (0.5, 0.5)))
    assert found.elo == pytest.approx((0.0, 0.0))
    assert found.error(0) == pytest.approx(0.0)


def test_a_bot_that_lost_every_game_is_rated_with_a_drawn_block_more():
    found = rate(2, blocks_of_games(*[(1.0, 1.0)] * 20))
    assert found.groups == ((0,), (1,))
    assert found.connected
    # 41 points of 42
    assert found.elo[0] - found.elo[1] == pytest.approx(400 * math.log10(41), abs=1e-3)
    # the lower end is near the exact bound: a block won with probability 0.025 ** (1 / 20) wins 20 in a row in 2.5 %
    exact = 0.025 ** (1 / 20)
    lower = found.elo[0] - found.elo[1] - found.difference_error(0, 1)
    assert lower == pytest.approx(400 * math.log10(exact / (1 - exact)), abs=40)


def test_one_sided_chain_is_ordered_and_finite():
    wins = [Comparison(i, j, 1.0, block) for block, (i, j) in enumerate([(2, 0), (0, 1), (2, 1)] * 5) for _ in range(2)]
    found = rate(3, wins)
    assert found.groups == ((2,), (0,), (1,))
    assert found.elo[2] > found.elo[0] > found.elo[1]
    assert all(math.isfinite(elo) for elo in found.elo)
    assert all(0 < found.error(bot) < 1000 for bot in range(3))


def test_the_prior_changes_little_within_groups():
    inside = [Comparison(0, 1, score, block) for block in range(10) for score in (1.0, 0.5)]
    below = [Comparison(top, 2, 1.0, 100 + 10 * top + n) for top in (0, 1) for n in range(10) for _ in range(2)]
    found = rate(3, inside + below)
    assert found.groups == ((0, 1), (2,))
    alone = rate(2, inside)
    assert found.elo[0] - found.elo[1] == pytest.approx(alone.elo[0] - alone.elo[1], abs=25)


def test_bots_that_never_met_are_not_rated():
    games = [Comparison(0, 1, 0.5, 0), Comparison(2, 3, 0.5, 1)]
    found = rate(4, games)
    assert not found.connected
    assert found.elo == (None,) * 4
    assert found.error(0) is None
    assert found.difference_error(0, 1) is None


def test_too_few_blocks_have_no_error():
    found = rate(2, blocks_of_games((1.0, 0.0)))
    assert found.elo == pytest.approx((0.0, 0.0))
    assert found.error(0) is None


def test_nothing_at_all():
    assert rate(2, []).elo == (None, None)
    assert rate(1, []).elo == (None,)


def test_intervals_cover_the_truth():
    """95 % intervals of bots with correlated games in a block hold the truth in about 95 % of tournaments."""
    rng = np.random.default_rng(3)
    truth = np.array([120.0, 0.0, -120.0]) / ELO_PER_UNIT
    held = total = 0
    for _ in range(150):
        games = []
        for block, (i, j) in enumerate(list(itertools.combinations(range(3), 2)) * 40):
            luck = rng.logistic()  # shared by both games of a block
            for other in (luck, luck if rng.random() < 0.5 else rng.logistic()):
                games.append(Comparison(i, j, float(other < truth[i] - truth[j]), block))
        found = rate(3, games)
        for bot in range(3):
            total += 1
            held += abs(found.elo[bot] - truth[bot] * ELO_PER_UNIT) <= found.error(bot)
    assert 0.92 <= held / total <= 0.98
