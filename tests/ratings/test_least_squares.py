"""Ratings by returns, against least squares with a dummy variable for each game, and sums over blocks written out."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from bots.arena.ratings.blocks import GameOutcome, Scoring, make_block
from bots.arena.ratings.elo import NELO_PER_DEVIATION, estimate_normalized
from bots.arena.ratings.model_registry import load_rating_model
from bots.arena.ratings.ratings import rate


def blocks_of(players, bots, number, seed):
    """Blocks of a game in which bots and seats have an advantage, and the games of a block share a disturbance."""
    draw = np.random.default_rng(seed)
    strength, seats = draw.normal(size=bots), draw.normal(size=players)
    counts = Counter()
    for _ in range(number):
        chosen = tuple(int(bot) for bot in draw.choice(bots, players, replace=False))
        shared = draw.normal(size=bots)
        games = []
        for turn in range(players):
            order = chosen[turn:] + chosen[:turn]
            values = [strength[bot] + shared[bot] + seats[seat] + draw.normal() for seat, bot in enumerate(order)]
            games.append(GameOutcome(order, tuple(round(float(value), 3) for value in values)))
        counts[make_block(games)] += 1
    return counts


@pytest.mark.parametrize(("players", "bots", "number"), [(2, 4, 50), (3, 4, 50), (3, 3, 40), (2, 2, 110)])
def test_ratings_and_errors_are_those_of_dummy_variables_and_of_whole_blocks(players, bots, number):
    counts = blocks_of(players, bots, number, seed=players + bots)
    blocks = [block for block, times in counts.items() for _ in range(times)]
    rows, values, block_of = [], [], []
    size = (bots - 1) + (players - 1) + len(blocks) * players
    game_index = 0
    for index, block in enumerate(blocks):
        for game in block:
            for seat, (bot, value) in enumerate(zip(*game, strict=True)):
                row = np.zeros(size)
                if bot:
                    row[bot - 1] = 1
                if seat:
                    row[bots - 1 + seat - 1] = 1
                row[bots + players - 2 + game_index] = 1
                rows.append(row)
                values.append(value)
                block_of.append(index)
            game_index += 1
    matrix, values = np.array(rows), np.array(values)
    solution, *_ = np.linalg.lstsq(matrix, values, rcond=None)
    residuals = values - matrix @ solution
    inverse = np.linalg.inv(matrix.T @ matrix)
    meat = np.zeros((size, size))
    for index in range(len(blocks)):
        mine = np.array(block_of) == index
        gradient = matrix[mine].T @ residuals[mine]
        meat += np.outer(gradient, gradient)
    covariance = inverse @ meat @ inverse

    found = rate(bots, counts, score="returns")
    strengths = np.concatenate([[0.0], solution[: bots - 1]])
    assert found.values == pytest.approx(strengths - strengths.mean())
    effects = np.concatenate([[0.0], solution[bots - 1 : bots + players - 2]])
    assert [seat.value for seat in found.seats] == pytest.approx(effects - effects.mean())
    contrast = np.zeros(size)
    contrast[0] = 1.0  # of the second bot and the first
    freedom = min(
        number - (bots + players - 2),
        *(sum(any(bot in game.seats for game in b) for b in blocks) - 1 for bot in (0, 1)),
    )
    width = stats.norm.ppf(0.975)
    if freedom < 100:
        width = stats.t.ppf(0.975, freedom) * math.sqrt((freedom + 1) / freedom)
    assert found.differences[0][1] == pytest.approx(width * math.sqrt(contrast @ covariance @ contrast))
    assert (found.model, found.score, found.unit) == ("Least squares", "returns", "points")


def pair(first, second):
    """A block of a game whose returns add up to 0, with the returns of bot 0 in both seats."""
    return make_block([GameOutcome((0, 1), (first, -first)), GameOutcome((1, 0), (-second, second))])


def test_the_bot_that_wins_fewer_hands_and_more_chips_is_above():
    counts = Counter({pair(-1.0, -1.0): 60, pair(4.0, 3.0): 40, pair(2.0, -1.0): 20})
    assert rate(2, counts).values[0] < 0
    found = rate(2, counts, score="returns")
    mean = (60 * -2 + 40 * 7 + 20) / 240
    assert found.values[0] - found.values[1] == pytest.approx(2 * mean)
    assert found.lists == ((0, 1),)
    assert found.graph.groups == ((0, 1),)
    assert found.los[0][1] > 0.9


def test_an_anchor_is_in_points():
    counts = Counter({pair(1.0, 3.0): 30, pair(-1.0, 0.5): 30})
    free, fixed = rate(2, counts, score="returns"), rate(2, counts, {1: 5.0}, score="returns")
    assert fixed.values[1] == 5.0
    assert fixed.values[0] - 5.0 == pytest.approx(free.values[0] - free.values[1])
    assert (fixed.lower[1], fixed.upper[1]) == (5.0, 5.0)


def test_results_that_never_lose_need_no_bias_reduction():
    found = rate(2, Counter({pair(1.0, 2.0): 30, pair(2.0, 4.0): 30}), score="returns")
    assert found.values[0] - found.values[1] == pytest.approx(2 * 2.25)
    assert found.lower[0] > 0
    assert not any("lost all" in note for note in found.notes("ab"))


@pytest.mark.parametrize("times", [1, 3, 50])
def test_equal_blocks_say_nothing_of_an_error(times):
    found = rate(2, Counter({pair(2.0, 1.0): times}), score="returns")
    assert found.values == pytest.approx((1.5, -1.5))
    assert found.errors == found.lower == found.upper == (None, None)
    assert found.los[0][1] is None
    assert [seat.error for seat in found.seats] == [None, None]
    assert "No error bars for a, b: their blocks show no spread." in found.notes("ab")


def test_bots_that_never_met_are_in_lists_of_their_own():
    one = Counter({pair(1.0, 0.0): 5, pair(0.0, 0.5): 5})
    other = Counter(
        make_block([GameOutcome(tuple(2 + bot for bot in game.seats), game.returns) for game in block])
        for block in one.elements()
    )
    found = rate(5, one + other, score="returns")
    assert found.lists == ((0, 1), (2, 3))
    assert found.values[4] is None
    assert found.differences[0][2] is None
    assert found.covariance[0][2] == 0.0


def test_a_model_of_returns_can_be_named_for_games_that_count_wins():
    counts = Counter({pair(1.0, 3.0): 30, pair(-1.0, 0.5): 30})
    assert rate(2, counts, model=load_rating_model("least_squares")) == rate(2, counts, score="returns")


def test_the_normalized_elo_of_scores():
    scoring = Scoring("returns", 26.0)
    counts = Counter({pair(-1.0, -1.0): 60, pair(4.0, 3.0): 40, pair(2.0, -1.0): 20})
    scores = scoring.counts(counts)
    values = np.repeat(list(scores), list(scores.values()))
    found = estimate_normalized(scores, 2)
    expected = (values.mean() - 0.5) / math.sqrt(2 * values.var()) * 800 / math.log(10)
    assert (found.elo, found.nelo, found.count) == (pytest.approx(expected), pytest.approx(expected), 120)
    assert found.upper - found.lower == pytest.approx(2 * found.error)
    assert found.error == pytest.approx(1.959964 * NELO_PER_DEVIATION / math.sqrt(240))
    # The scale of the returns does not matter.
    assert estimate_normalized(Scoring("returns", 260.0).counts(counts), 2).elo == pytest.approx(expected, abs=1e-6)
    assert estimate_normalized(Counter({0.6: 5}), 2) is None
    assert estimate_normalized(Counter({0.6: 1}), 2) is None
    assert estimate_normalized(Counter(), 2) is None
