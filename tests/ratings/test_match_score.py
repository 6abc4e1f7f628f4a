"""Scores of matches from whole blocks, against scipy and the statistics module."""

import math
from collections import Counter
from statistics import fmean

import pytest
from scipy import stats

from bench.exploit.__main__ import interval
from bots.arena.ratings.blocks import GameOutcome, Scoring, make_block, mean_return, return_difference
from bots.arena.results.match_score import match_score

WINS, RETURNS = Scoring("wins", 100.0), Scoring("returns", 100.0)


def pair(first, second):
    """A block in which bot 0 has some return in each seat, of a game whose returns add up to 100."""
    return make_block([GameOutcome((0, 1), (first, 100.0 - first)), GameOutcome((1, 0), (100.0 - second, second))])


BLOCKS = Counter({pair(100.0, 50.0): 3, pair(0.0, 100.0): 2, pair(50.0, 60.0): 1, pair(0.0, 0.0): 2})


@pytest.mark.parametrize(
    ("points", "values"),
    [
        (WINS.of, [0.75] * 3 + [0.5] * 2 + [0.75] + [0.0] * 2),
        (mean_return, [75.0] * 3 + [50.0] * 2 + [55.0] + [0.0] * 2),
        (return_difference, [50.0] * 3 + [0.0] * 2 + [10.0] + [-100.0] * 2),
        (RETURNS.of, [0.75] * 3 + [0.5] * 2 + [0.55] + [0.0] * 2),
    ],
)
def test_the_interval_is_that_of_student(points, values):
    found = match_score(BLOCKS, points)
    assert (found.mean, found.blocks) == (pytest.approx(fmean(values)), 8)
    expected = stats.t.interval(0.95, 7, loc=fmean(values), scale=stats.sem(values))
    assert interval(found, -1000, 1000) == pytest.approx(expected)
    assert interval(found, found.mean - 0.01, found.mean + 0.02) == pytest.approx(
        (found.mean - 0.01, found.mean + 0.02)
    )


def test_a_seat_of_three_players_counts_for_its_bot():
    game = GameOutcome((0, 1, 0), (10.0, 70.0, 20.0))
    found = match_score(Counter({make_block([game]): 2}), return_difference)
    assert found.mean == pytest.approx(15.0 - 70.0)
    assert match_score(Counter({make_block([game]): 2}), WINS.of).mean == 0.0
    assert RETURNS.of(make_block([game])) == 0.225
    assert RETURNS.counts(Counter({make_block([game]): 2}), 1, 0) == {0.775: 2}
    assert RETURNS.counts(Counter({make_block([game]): 2}), 1, 2) == {}


@pytest.mark.parametrize(("count", "second"), [(1, 80.0), (2, 80.0), (50, 80.0), (3, 80.3)])
def test_equal_blocks_have_the_interval_of_an_event_that_happened_every_time(count, second):
    """A mean of three equal numbers may differ from them in the last digit."""
    found = match_score(Counter({pair(100.0, second): count}), mean_return)
    assert (found.standard_error, found.error) == (0.0, math.inf if count == 1 else 0.0)
    mean = 50.0 + second / 2
    share = stats.binomtest(count, count).proportion_ci(0.95, method="exact").low
    assert interval(found, 0.0, 100.0) == pytest.approx((mean * share, 100.0 - (100.0 - mean) * share))


def test_there_is_no_score_without_blocks():
    assert match_score(Counter(), WINS.of) is None
