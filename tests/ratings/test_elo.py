"""Elo difference of two bots and the blocks that it is counted from: against published numbers."""

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.arena.ratings.blocks import (
    GameOutcome,
    WinDrawLoss,
    make_block,
    pairings,
    pentanomial,
    win_draw_loss,
)
from bots.arena.ratings.elo import elo_of_score, estimate_elo, score_of_elo
from bots.arena.ratings.mean_returns import mean_returns
from bots.arena.report.number_format import mean_text
from bots.arena.store.repeats import Repeats
from mcts.errors import ParameterError


def game_counts(counts):
    """Return the number of times that each distinct game was played."""
    found = Counter()
    for block, times in counts.items():
        for game in block:
            found[game] += times
    return found


@pytest.mark.parametrize(
    ("counts", "elo", "error", "nelo", "nelo_error", "los"),
    [
        ([96, 111, 136], 40.70, 30.43, 49.77, 36.77, 0.9960),
        ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28, None),
        ([332, 433, 498, 333, 334], -8.64, 10.33, None, None, 0.0505),
    ],
)
def test_published_matches(counts, elo, error, nelo, nelo_error, los):
    found = estimate_elo(counts)
    assert found.elo == pytest.approx(elo, abs=0.005)
    assert found.error == pytest.approx(error, abs=0.005)
    assert found.lower < found.elo < found.upper
    if nelo is not None:
        assert found.nelo == pytest.approx(nelo, abs=0.005)
        assert found.nelo_error == pytest.approx(nelo_error, abs=0.005)
    if los is not None:
        assert found.los == pytest.approx(los, abs=0.00005)


def test_all_won_has_a_finite_estimate_and_a_lower_end_alone():
    found = estimate_elo([0, 0, 0, 0, 6])
    assert (found.upper, found.error, found.nelo) == (None,) * 3
    assert found.elo == pytest.approx(400 * math.log10(12.5 / 0.5))  # Firth: half a win and half a loss are added

    def penalised(chance):  # six blocks count as six observations
        return 6.5 * math.log(chance) + 0.5 * math.log(1 - chance)

    lower = score_of_elo(found.lower)
    assert 2 * (penalised(6.5 / 7) - penalised(lower)) == pytest.approx(3.8414588, rel=1e-6)
    assert found.los == pytest.approx(0.9932, abs=1e-4)
    lost = estimate_elo([6, 0, 0, 0, 0])
    assert (lost.elo, lost.upper, lost.lower) == (pytest.approx(-found.elo), pytest.approx(-found.lower), None)


def test_more_wins_are_never_worth_less():
    """Estimate and lower end grow with the score; the interval is narrower with more blocks."""
    found = [estimate_elo(counts) for counts in ([0, 1, 0, 0, 5], [0, 0, 1, 0, 5], [0, 0, 0, 1, 5], [0, 0, 0, 0, 6])]
    for less, more in itertools.pairwise(found):
        assert less.elo < more.elo < 600
        assert less.lower < more.lower
        assert less.los < more.los
    ends = [estimate_elo([0, 0, 0, 0, blocks]).lower for blocks in (1, 2, 6, 12, 100, 10**6)]
    assert ends == sorted(ends)
    assert ends[0] < 0 < ends[2]


def test_equal_results_are_not_certain():
    few, many = estimate_elo([0, 0, 5, 0, 0]), estimate_elo([0, 0, 5000, 0, 0])
    assert few.elo == many.elo == 0
    assert few.error > 150 > 1 > many.error > 0
    assert few.los is None


def test_few_blocks_have_wide_intervals():
    # Student's quantile of 4 degrees of freedom, and the standard deviation of 5
    found = estimate_elo([0, 1, 3, 1, 0])
    half = 2.7764451 * math.sqrt(2 * 0.25**2 / 4) / math.sqrt(5)
    assert found.upper == pytest.approx(elo_of_score(0.5 + half), rel=1e-6)
    # Student's interval of two blocks is as wide as all scores: the penalised likelihood has a finite one
    two = estimate_elo([1, 0, 0, 0, 1])
    assert 300 < two.error < 600
    assert two.upper == pytest.approx(-two.lower)
    assert estimate_elo([0, 0, 0]) is None


def test_counts_of_another_kind_are_refused():
    for counts in ([1, 2, 3, 4], [1, -2, 3]):
        with pytest.raises(ParameterError, match="counts"):
            estimate_elo(counts)


@given(st.floats(-1500, 1500))
def test_scores_and_elo_are_inverse(elo):
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any))
def test_the_other_side_sees_the_opposite(counts):
    one, other = estimate_elo(counts), estimate_elo(counts[::-1])
    assert one.score == pytest.approx(1 - other.score)
    for mine, theirs in (
        (one.elo, other.elo),
        (one.lower, other.upper),
        (one.upper, other.lower),
        (one.nelo, other.nelo),
    ):
        assert (mine is None) == (theirs is None)
        assert mine is None or mine == pytest.approx(-theirs, abs=1e-6)
    assert one.los is None or one.los == pytest.approx(1 - other.los, abs=1e-9)


def block_of(first, second, points_as_first, points_as_second):
    """A block with these scores of `first` as the first and as the second player."""
    return make_block(
        [
            GameOutcome((first, second), (100 * points_as_first, 100 - 100 * points_as_first)),
            GameOutcome((second, first), (100 - 100 * points_as_second, 100 * points_as_second)),
        ]
    )


def test_pairings_are_counted_from_blocks():
    counts = Counter(
        {block_of(0, 1, 1, 1): 3, block_of(0, 1, 1, 0): 5, block_of(1, 0, 0.5, 0): 7, block_of(2, 0, 0.5, 0.5): 11}
    )
    assert pentanomial(counts, 0, 1) == (0, 0, 5, 7, 3)
    assert pentanomial(counts, 1, 0) == (3, 7, 5, 0, 0)
    assert pentanomial(counts, 1, 2) == (0, 0, 0, 0, 0)
    assert win_draw_loss(counts, 0, 1) == WinDrawLoss(18, 7, 5)
    assert win_draw_loss(counts, 1, 0) == WinDrawLoss(5, 7, 18)
    assert win_draw_loss(counts, 1, 2).games == 0
    assert [(p.first, p.second, p.results.games) for p in pairings(counts)] == [(0, 1, 30), (0, 2, 22)]
    single = make_block([GameOutcome((0, 1), (1.0, 0.0))])
    assert [p.pentanomial for p in pairings(Counter({single: 3}))] == [None]


def test_blocks_of_games_in_any_order_are_equal():
    games = [GameOutcome((0, 1), (1.0, 0.0)), GameOutcome((1, 0), (0.5, 0.5))]
    assert make_block(games) == make_block(reversed(games))


def test_three_players_meet_two_at_a_time_and_have_no_pentanomial():
    counts = Counter(
        {make_block([GameOutcome((0, 1, 1), (100.0, 33.0, 33.0)), GameOutcome((1, 0, 1), (66.0, 0.0, 0.0))]): 2}
    )
    assert win_draw_loss(counts, 0, 1) == WinDrawLoss(4, 2, 2)
    with pytest.raises(ValueError, match="two players"):
        pentanomial(counts, 0, 1)


def test_mean_returns_have_errors_from_whole_blocks():
    one = make_block([GameOutcome((0, 1), (10.0, 4.0)), GameOutcome((1, 0), (2.0, 6.0))])
    other = make_block([GameOutcome((0, 1), (0.0, 4.0)), GameOutcome((1, 0), (2.0, 4.0))])
    blocks = Counter({one: 60, other: 60})
    games = game_counts(blocks)
    games[GameOutcome((0, 1), (100.0, 0.0))] += 1  # of a block that is not whole
    first, second = mean_returns(2, 2, games, blocks)
    assert first.mean_return == pytest.approx((240 * 5 + 100) / 241)
    # block means of 8 and 2
    assert first.error == pytest.approx(1.959964 * 3 / math.sqrt(120), rel=1e-5)
    assert first.seats[0].mean_return == pytest.approx((60 * 10 + 100) / 121)
    assert first.results == WinDrawLoss(60 + 60 + 60 + 1, 0, 60)
    assert second.error is None  # it got the same in every block
    (alone,) = mean_returns(1, 2, Counter(), Counter())
    assert (alone.mean_return, alone.error, alone.seats[0].mean_return) == (None, None, None)


@pytest.mark.parametrize(
    ("returns", "shown"),
    [
        ([50.0, 100.0], "75.0"),  # with an error of 317.7, which says nothing
        ([100.0] * 59 + [0.0], "98.3 (at least 95.0)"),
        ([0.0] * 59 + [100.0], "1.7 (at most 5.0)"),
        ([40.0, 60.0] * 30, "50.0 ± 2.6"),
    ],
)
def test_intervals_of_mean_returns_stay_on_the_scale(returns, shown):
    blocks = Counter(make_block([GameOutcome((0, 1), (value, 100 - value))]) for value in returns)
    found, _ = mean_returns(2, 2, game_counts(blocks), blocks, (0.0, 100.0))
    assert mean_text(found.mean_return, found.error, found.lower, found.upper) == shown


def test_repeats_are_counted():
    found = Repeats(6, 4, 5)
    assert (found.games, found.repeated, found.most) == (6, 4, 5)
    assert "4 of 6 games repeat" in found.warning()
    assert Repeats(101, 1, 2).warning() is None
    assert Repeats(0, 0, 0).warning() is None
