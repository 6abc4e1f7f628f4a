"""Ratings: against published numbers and another library, and with results that are one-sided or too few."""

import itertools
import math
import random
from collections import Counter

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from simulated_results import pair_blocks, random_tournament, two

from bots.arena.ratings.blocks import GameOutcome, make_block
from bots.arena.ratings.elo import ELO_PER_UNIT
from bots.arena.ratings.fitting import RatedGames
from bots.arena.ratings.models.plackett_luce import PlackettLuce
from bots.arena.ratings.rankings import rankings_of
from bots.arena.ratings.ratings import rate
from mcts.errors import ParameterError
from mcts.primitives.confidence import CONFIDENCE_95


def decided(*wins):
    """Blocks of one game each, from (winner, loser, times)."""
    return Counter({(two(winner, loser, 1.0),): times for winner, loser, times in wins})


def gap_deviation(found, first=0, second=1):
    """Standard error of a difference."""
    c = found.covariance
    return math.sqrt(c[first][first] + c[second][second] - 2 * c[first][second])


def test_worths_of_four_players():
    a, b, c, d = range(4)
    results = decided((a, b, 2), (b, a, 3), (a, d, 1), (d, a, 4), (b, c, 5), (c, b, 3), (c, d, 1), (d, c, 3))
    found = rate(4, results, seat_effect=False)
    worths = [math.exp(elo / ELO_PER_UNIT) for elo in found.values]
    assert worths == pytest.approx([0.640, 1.043, 0.660, 2.270], abs=1e-3)
    assert found.graph.groups == ((a, b, c, d),)
    assert found.rated == (a, b, c, d)


def test_differences_of_three_pairings():
    results = decided((0, 1, 15), (1, 0, 5), (1, 2, 15), (2, 1, 5), (0, 2, 18), (2, 0, 2))
    found = rate(3, results, seat_effect=False)
    assert found.values[0] - found.values[1] == pytest.approx(190.85, abs=0.01)
    assert found.values[0] - found.values[2] == pytest.approx(381.70, abs=0.01)


def test_error_from_blocks_and_from_single_games():
    scores = [(0.0, 0.0), (0.0, 0.5), (0.5, 0.5), (1.0, 0.5), (1.0, 1.0)]
    counts = pair_blocks(0, 1, dict(zip(scores, [13, 37, 50, 25, 3], strict=True)))
    found = rate(2, counts, seat_effect=False)
    assert gap_deviation(found) == pytest.approx(14.977, abs=1e-3)
    assert found.differences[0][1] == pytest.approx(1.959964 * gap_deviation(found))
    # as if every game were independent
    expected = 1 / (1 + math.exp((found.values[1] - found.values[0]) / ELO_PER_UNIT))
    naive = ELO_PER_UNIT / math.sqrt(2 * counts.total() * expected * (1 - expected))
    assert naive == pytest.approx(21.886, abs=1e-3)


@pytest.mark.parametrize(
    ("others", "blocks", "seat_effect", "freedom"),
    [(0, 5, False, 4), (0, 6, True, 4), (0, 40, True, 38), (40, 5, False, 4), (40, 5, True, 4), (40, 8, True, 7)],
)
def test_few_blocks_have_the_interval_of_their_degrees_of_freedom(others, blocks, seat_effect, freedom):
    """The error of the same results a thousand times is that of the normal distribution."""

    def found(times):
        counts = pair_blocks(0, 1, {(1.0, 0.5): times * (blocks - 2), (0.0, 0.5): times * 2})
        counts += pair_blocks(1, 2, {(1.0, 0.5): times * others, (0.0, 0.0): times * others})
        return rate(3 if others else 2, counts, seat_effect=seat_effect)

    few, factor = found(1), stats.t.ppf(0.975, freedom)
    error = few.differences[0][1]
    width = factor * math.sqrt((freedom + 1) / freedom)
    assert error / found(1000).differences[0][1] == pytest.approx(math.sqrt(1000) * width / CONFIDENCE_95)
    assert few.los[0][1] == pytest.approx(stats.t.cdf((few.values[0] - few.values[1]) * factor / error, freedom))


def rankings_by_item(*rankings):
    """Blocks of one game each, from ranks of items in their own seats; 0 for an absent item."""
    found = Counter()
    for ranks in rankings:
        seats = tuple(item for item, rank in enumerate(ranks) if rank)
        found[(GameOutcome(seats, tuple(-float(ranks[item]) for item in seats)),)] += 1
    return found


def test_ties_of_three_items():
    counts = rankings_by_item([1, 2, 0], [3, 1, 2], [2, 1, 1], [1, 2, 3], [2, 1, 1], [1, 0, 2])
    found = PlackettLuce().fit(RatedGames(rankings_of(counts, range(3)), 3, 3, [(0, 1, 2)], {}, seat_effect=False))
    assert found.beta[:3] - found.beta[0] == pytest.approx([0, 0.2868, -0.4637], abs=1e-4)
    assert found.ties[2] == pytest.approx(-1.0701, abs=1e-4)
    c = found.naive_covariance
    errors = [math.sqrt(c[0, 0] + c[item, item] - 2 * c[0, item]) for item in (1, 2)]
    tie = found.layout.seats.stop
    assert [*errors, math.sqrt(c[tie, tie])] == pytest.approx([1.0129, 1.0280, 0.9043], abs=1e-4)


@pytest.mark.parametrize(
    ("scores", "elo", "error"), [([34, 54, 63, 64, 75], 55.58, 27.65), ([332, 433, 498, 333, 334], -8.64, 10.33)]
)
def test_elo_of_a_match(scores, elo, error):
    kinds = [(0.0, 0.0), (0.0, 0.5), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0)]
    found = rate(2, pair_blocks(0, 1, dict(zip(kinds, scores, strict=True))), seat_effect=False)
    assert found.values[0] - found.values[1] == pytest.approx(elo, abs=0.005)
    # published bars are mapped from the ends of the mean's interval, ours from its slope: they agree to a percent
    assert found.differences[0][1] == pytest.approx(error, rel=0.01)
    assert sum(found.values) == pytest.approx(0.0, abs=1e-9)


def test_another_library_agrees_on_pairs():
    counts = random_tournament(3)
    wins = [
        (game.seats[0], game.seats[1]) if game.returns[0] > game.returns[1] else (game.seats[1], game.seats[0])
        for block, times in counts.items()
        for game in block
        for _ in range(times)
    ]
    theirs = choix.ilsr_pairwise(5, wins)
    ours = np.array(rate(5, counts, seat_effect=False).values) / ELO_PER_UNIT
    assert ours == pytest.approx(theirs - theirs.mean(), abs=1e-5)


def test_another_library_agrees_on_rankings():
    rng = random.Random(6)
    counts, orders = Counter(), []
    for trio in list(itertools.combinations(range(4), 3)) * 400:
        order = sorted(trio, key=lambda bot: rng.random() + 0.1 * bot)
        orders.append(order)
        counts[(GameOutcome(trio, tuple(-float(order.index(bot)) for bot in trio)),)] += 1
    theirs = choix.ilsr_rankings(4, orders)
    ours = np.array(rate(4, counts, seat_effect=False).values) / ELO_PER_UNIT
    assert ours == pytest.approx(theirs - theirs.mean(), abs=0.005)  # the pseudo-games against the ghost are ours alone


def test_the_seat_effect_is_what_the_seat_adds():
    """Seat effect and difference are those of a logistic regression with the points of the first player."""
    truth, seat = 0.6, 0.9
    wins = {}
    for as_first in (True, False):
        logit = truth / 2 * 2 + (seat if as_first else -seat)
        wins[as_first] = 1 / (1 + math.exp(-logit))
    counts = Counter()
    for one, other in itertools.product((0.0, 1.0), repeat=2):
        share = (wins[True] if one else 1 - wins[True]) * (wins[False] if other else 1 - wins[False])
        counts.update(pair_blocks(0, 1, {(one, other): round(1e6 * share)}))
    found = rate(2, counts)
    assert (found.values[0] - found.values[1]) / ELO_PER_UNIT == pytest.approx(truth, abs=1e-4)
    assert (found.seats[0].value - found.seats[1].value) / ELO_PER_UNIT == pytest.approx(seat, abs=1e-4)
    assert found.seats[0].value == pytest.approx(-found.seats[1].value)
    assert 0 < found.seats[0].error < 1
    assert rate(2, counts, seat_effect=False).values[0] < found.values[0]  # means hide some


def test_a_seat_that_always_wins_has_no_estimable_effect():
    found = rate(2, pair_blocks(0, 1, {(1.0, 0.0): 30}))
    assert found.seats is None
    assert found.values == pytest.approx((0.0, 0.0))
    assert "do not determine a seat effect" in " ".join(found.notes(["a", "b"]))


def test_anchors_hold_and_errors_are_relative_to_them():
    counts = random_tournament(4)
    free = rate(5, counts)
    one = rate(5, counts, anchors={2: 2500.0})
    assert one.values[2] == 2500
    assert one.errors[2] == 0
    assert [elo - 2500 for elo in one.values] == pytest.approx([elo - free.values[2] for elo in free.values], abs=1e-6)
    assert one.errors[0] == pytest.approx(free.differences[0][2], rel=1e-6)
    assert one.los[0][1] == pytest.approx(free.los[0][1], abs=1e-6)
    several = rate(5, counts, anchors={0: 100.0, 1: -50.0})
    assert several.values[:2] == pytest.approx((100, -50))
    assert all(error > 0 for error in several.errors[2:])
    for bad in ({5: 0.0}, {-1: 0.0}, {0: math.nan}, {0: math.inf}):
        with pytest.raises(ParameterError, match="anchor"):
            rate(5, counts, anchors=bad)


@pytest.mark.parametrize("elo", [2e6, -1e19, 1e308])
def test_anchors_too_far_apart_to_compute_with_are_refused(elo):
    with pytest.raises(ParameterError, match="out of range; valid: -1,000,000 to 1,000,000"):
        rate(5, random_tournament(4), anchors={0: 0.0, 2: elo})


def test_anchors_connect_what_never_met():
    counts = pair_blocks(0, 1, {(1.0, 0.5): 10, (0.0, 0.5): 6}) + pair_blocks(2, 3, {(1.0, 0.5): 9, (0.0, 1.0): 3})
    assert rate(4, counts).lists == ((0, 1), (2, 3))
    found = rate(4, counts, anchors={0: 0.0, 3: 500.0})
    assert found.values[2] > 500 > 0 > found.values[1]
    assert found.lists == ((2, 3, 0, 1),)


def test_a_bot_that_lost_to_all_anchors_has_an_upper_end_alone():
    counts = sum((pair_blocks(top, 2, {(1.0, 1.0): 40}) for top in (0, 1)), Counter())
    found = rate(3, counts, anchors={0: 100.0, 1: 50.0})
    assert found.values[:2] == (100, 50)
    assert found.errors == (0, 0, None)
    assert found.lists == ((0, 1, 2),)
    assert found.lower == (100, 50, None)
    assert found.values[2] < found.upper[2] < -400
    assert found.los[2] == (pytest.approx(0, abs=1e-9), pytest.approx(0, abs=1e-9), None)


def test_order_of_sides_does_not_matter():
    counts = random_tournament(7, bots=4)
    mirrored = Counter(
        {
            make_block(GameOutcome(game.seats[::-1], game.returns[::-1]) for game in block): n
            for block, n in counts.items()
        }
    )
    one, other = rate(4, counts), rate(4, mirrored)
    assert one.values == pytest.approx(other.values, abs=1e-7)
    assert np.array(one.covariance) == pytest.approx(np.array(other.covariance), rel=1e-6)
    assert one.seats[0].value == pytest.approx(other.seats[1].value, abs=1e-7)


def test_equal_results_have_an_error_that_counts_blocks():
    found = rate(2, pair_blocks(0, 1, {(0.5, 0.5): 20}))
    assert found.values == pytest.approx((0.0, 0.0))
    # blocks do not spread: 20 observations of probability 1/2, half of the difference on either side of the mean
    assert found.errors == pytest.approx((1.959964 * ELO_PER_UNIT / math.sqrt(20 / 4) / 2,) * 2)
    assert found.los[0][1] == pytest.approx(0.5)


def test_a_one_sided_chain_is_sorted_and_finite():
    counts = sum((pair_blocks(i, j, {(1.0, 1.0): 9}) for i, j in [(2, 0), (0, 1), (2, 1)]), Counter())
    found = rate(3, counts)
    assert found.graph.groups == ((2,), (0,), (1,))
    assert found.lists == ((2, 0, 1),)
    assert found.values[0] == pytest.approx(0, abs=1e-6)
    assert found.values[2] == pytest.approx(-found.values[1])
    assert (found.lower[1], found.upper[2]) == (None, None)
    assert found.values[2] > found.lower[2] > 0 > found.upper[1] > found.values[1]
    assert found.lower[0] == pytest.approx(-found.upper[0])  # nothing bounds the one in the middle: the penalty does
    assert 200 < found.upper[0] < 1000
    chain = "{c} > {a} > {b}: all games against bots further left were lost, so these ratings are only bounds."
    assert chain in found.notes("abc")


def test_a_bot_that_lost_everything_changes_nothing_among_the_others():
    inside = random_tournament(9, bots=3)
    below = sum((pair_blocks(top, 3, {(1.0, 1.0): 10}) for top in range(3)), Counter())
    found = rate(4, inside + below)
    alone = rate(3, inside)
    assert found.rated == (0, 1, 2, 3)
    assert found.values[:3] == pytest.approx(alone.values, abs=1e-9)
    assert found.errors[:3] == pytest.approx(alone.errors, rel=1e-9)
    assert np.array(found.los)[:3, :3].ravel().tolist() == pytest.approx(np.array(alone.los).ravel().tolist())
    assert (found.lower[3], found.errors[3]) == (None, None)
    assert found.values[3] < found.upper[3] < min(found.lower[:3])
    assert found.leads[0, 3].lower > 100
    assert "d lost all its games to a, b, c: its rating is only a bound." in found.notes("abcd")


def test_three_players_one_of_whom_is_always_last():
    rng = random.Random(5)
    counts = Counter()
    for _ in range(60):
        block = []
        for turn in range(3):
            seats = tuple(np.roll([0, 1, 2], turn).tolist())
            best = rng.sample([50.0, 100.0], 2)
            block.append(GameOutcome(seats, tuple(0.0 if bot == 2 else best[bot] for bot in seats)))
        counts[make_block(block)] += 1
    found = rate(3, counts)
    assert found.rated == (0, 1, 2)
    assert found.errors[0] > 0
    # zero is the mean of those between whom results go both ways
    assert found.values[0] + found.values[1] == pytest.approx(0)
    assert (found.lower[2], found.errors[2]) == (None, None)
    assert found.values[2] < found.upper[2] < -200


def test_bots_that_never_met_are_rated_in_lists_of_their_own():
    pairs = [pair_blocks(0, 1, {(1.0, 0.5): 30, (0.0, 0.5): 20}), pair_blocks(2, 3, {(0.5, 0.5): 40, (1.0, 0.5): 9})]
    found = rate(5, pairs[0] + pairs[1], seat_effect=False)
    assert found.graph.components == ((0, 1), (2, 3), (4,))
    assert found.lists == ((0, 1), (2, 3))
    for bots in found.lists:
        alone = rate(5, pairs[bots[0] // 2], seat_effect=False)
        assert [found.values[bot] for bot in bots] == pytest.approx([alone.values[bot] for bot in bots])
        assert [found.errors[bot] for bot in bots] == pytest.approx([alone.errors[bot] for bot in bots], rel=0.02)
    assert (found.values[4], found.errors[4], found.lower[4]) == (None, None, None)
    assert (found.los[0][2], found.differences[0][2], found.covariance[0][2]) == (None, None, pytest.approx(0))
    assert "{a, b} with {c, d} with {e}" in " ".join(found.notes("abcde"))


def test_three_players_that_never_met_are_rated_in_lists_of_their_own():
    rng = random.Random(3)
    counts = Counter()
    for trio in [(0, 1, 2), (3, 4, 5)] * 60:
        returns = [rng.choice([0.0, 50.0, 100.0]) + 30 * (bot % 3) for bot in trio]
        turns = [np.roll([0, 1, 2], turn).tolist() for turn in range(3)]
        counts[make_block(GameOutcome(tuple(trio[k] for k in t), tuple(returns[k] for k in t)) for t in turns)] += 1
    found = rate(6, counts)
    assert sorted(map(sorted, found.lists)) == [[0, 1, 2], [3, 4, 5]]
    for bots in found.lists:
        assert sum(found.values[bot] for bot in bots) == pytest.approx(0, abs=1e-6)
        assert [bot % 3 for bot in bots] == [2, 1, 0]


def test_few_blocks_have_wide_finite_error_bars():
    found = rate(2, pair_blocks(0, 1, {(1.0, 0.0): 1}))
    assert found.values == pytest.approx((0.0, 0.0))
    # one block counts as one game of probability 1/2; half of the difference on either side of the mean
    assert found.errors == pytest.approx((1.959964 * ELO_PER_UNIT * 2 / 2,) * 2)
    assert "Few blocks for a, b" in " ".join(found.notes("ab"))
    few, many = (rate(2, pair_blocks(0, 1, {(1.0, 0.5): n, (0.0, 0.5): n}), seat_effect=False) for n in (2, 200))
    assert few.errors[0] > 1.5 * 10 * many.errors[0]
    assert few.errors[0] < 300  # of three degrees of freedom


def test_no_results_give_no_ratings():
    for bots in (1, 2, 3):
        found = rate(bots, Counter())
        assert found.values == (None,) * bots
        assert found.rated == ()
    assert "single bot" in rate(1, Counter()).notes(["a"])[0]
    assert "no block is whole" in rate(2, Counter()).notes(["a", "b"])[0]


def test_three_players_always_tied():
    """If all games are ties of all three, the strength of ties stays finite, and no bot is better."""
    counts = Counter(
        {make_block(GameOutcome(tuple(np.roll([0, 1, 2], k).tolist()), (33.0,) * 3) for k in range(3)): 50}
    )
    found = rate(3, counts)
    assert found.values == pytest.approx((0, 0, 0), abs=1e-6)
    assert 2 < found.ties[3] < 20
    for bot in range(3):  # always tied says nothing of who is better
        assert (found.lower[bot], found.upper[bot]) == pytest.approx((found.lower[0], found.upper[0]), abs=0.1)
        assert found.lower[bot] < -100 < 100 < found.upper[bot]


def test_two_bots_fill_three_seats():
    rng = random.Random(8)
    counts = Counter()
    for lineup in ([0, 0, 1], [0, 1, 1]) * 200:
        games = []
        for turn in range(3):
            seats = tuple(np.roll(lineup, turn).tolist())
            games.append(GameOutcome(seats, tuple(rng.random() + 0.2 * (bot == 0) for bot in seats)))
        counts[make_block(games)] += 1
    found = rate(2, counts)
    assert found.values[0] - found.values[1] > found.differences[0][1] > 0
    assert found.values[0] + found.values[1] == pytest.approx(0)


def test_a_million_games_are_counts():
    counts = pair_blocks(0, 1, {(a, b): 55_555 for a in (0.0, 0.5, 1.0) for b in (0.0, 0.5, 1.0)})
    found = rate(2, counts)
    assert found.blocks == 499_995
    assert 0 < found.errors[0] < 0.5


@st.composite
def small_tournaments(draw):
    """A few blocks of a few bots with few different returns, which cover all shapes of graphs and ties."""
    seats = draw(st.sampled_from([2, 2, 3]))
    bots = draw(st.integers(2, 4))
    lineup = st.lists(st.integers(0, bots - 1), min_size=seats, max_size=seats)
    returns = st.lists(st.sampled_from([0.0, 50.0, 100.0]), min_size=seats, max_size=seats).map(tuple)
    counts = Counter()
    for _ in range(draw(st.integers(0, 6))):
        order = draw(lineup)
        turns = [tuple(order[k:] + order[:k]) for k in range(seats)]
        counts[make_block(GameOutcome(seated, draw(returns)) for seated in turns)] += draw(st.sampled_from([1, 2, 500]))
    anchors = draw(st.dictionaries(st.integers(0, bots - 1), st.floats(-1000, 1000), max_size=2))
    return bots, counts, anchors


@given(small_tournaments())
@settings(max_examples=30, deadline=None)
def test_any_results_give_numbers_or_reasons(tournament):
    bots, counts, anchors = tournament
    found = rate(bots, counts, anchors)
    for bot in range(bots):
        rated = bot in found.rated or bot in anchors
        assert (found.values[bot] is not None) == rated
        ends = (found.lower[bot], found.upper[bot])
        for number in (found.values[bot], found.errors[bot], *ends, *found.los[bot], *found.differences[bot]):
            assert number is None or math.isfinite(number)
        if rated:
            assert any(end is not None for end in ends)
            assert found.lower[bot] is None or found.lower[bot] <= found.values[bot]
            assert found.upper[bot] is None or found.upper[bot] >= found.values[bot]
        assert found.errors[bot] is None or found.errors[bot] > 0 or bot in anchors
        for other in range(bots):
            if found.los[bot][other] is not None:
                assert found.los[bot][other] == pytest.approx(1 - found.los[other][bot], abs=1e-9)
    whole = len(found.graph.components) == len(found.graph.groups) == 1
    assert (not found.graph.notes("abcd")) == whole
    if found.blocks and not whole:
        assert any("{" in note or "lost all" in note for note in found.notes("abcd"))
    for some in found.lists:
        assert [found.values[bot] for bot in some] == sorted((found.values[bot] for bot in some), reverse=True)
