"""The tally: games counted in any order, and tests that end by the prefix of finished blocks."""

import random

import pytest

from bots.arena.ratings.blocks import pentanomial
from bots.arena.ratings.sprt import Sprt
from bots.arena.records import GameRecord
from bots.arena.results.tally import Tally
from bots.arena.runner import LOOKAHEAD, run_tournament
from bots.arena.tournament.plan import Plan
from bots.arena.tournament.schedule import Tournament
from bots.game.failures import NO_SEAT, Failure


def records_of(of, seed=1):
    """Games with results by chance; one counts for nobody, and in another one the first player's bot crashed."""
    draws, plan = random.Random(seed), Plan(of, None)
    found = []
    for number in range(of.num_games):
        scheduled = plan.scheduled(number)
        void = number == 7
        first = draws.choice((0.0, 50.0, 100.0))
        returns = None if void else (first, 100.0 - first)
        failures = (Failure(NO_SEAT, "death", "", 0),) if void else (Failure(0, "crash", "", 0),) * (number == 9)
        found.append(GameRecord.of(scheduled, returns=returns, plies=3, failures=failures))
    return found


def counts_of(tally):
    return (tally.games, tally.blocks, tally.failures, tally.played, tally.prefix, tally.stopped)


def tallied(of, records, rule=None):
    tally = Tally(of, rule)
    for record in records:
        tally.add(record)
    return tally


@pytest.mark.parametrize("system", ["round_robin", "test"])
def test_the_order_does_not_matter(system):
    of = Tournament("any", 2, ("a", "b"), 50, system=system)
    records = records_of(of)
    in_order = tallied(of, records)
    assert in_order.played == 100
    assert in_order.blocks.total() == 49
    assert in_order.games.total() == 99
    assert records[9].seats == (1, 0)
    assert in_order.failures == {(-1, "death"): 1, (1, "crash"): 1}
    for seed in range(5):
        assert counts_of(tallied(of, random.Random(seed).sample(records, 100))) == counts_of(in_order)


def test_only_the_contiguous_prefix_of_blocks_counts_in_a_test():
    of = Tournament("any", 2, ("a", "b"), 50, system="test")
    asked = []
    tally = Tally(of, lambda blocks: asked.append(blocks.total()))
    records = records_of(of)
    for record in records[2:60] + records[:1]:
        tally.add(record)
    assert (tally.played, tally.end, asked) == (0, 0, [])
    tally.add(records[1])
    assert (tally.played, tally.end, tally.prefix) == (60, 60, 30)
    assert asked == [1, 2, 3, *range(3, 30)]  # the fourth block counts for nobody


def test_a_long_test_is_asked_less_often():
    of = Tournament("any", 2, ("a", "b"), 2100, system="test")
    asked = []
    tallied(of, records_of(of), lambda blocks: asked.append(blocks.total() + 1))  # one block counts for nobody
    assert [number for number in asked if number > 5] == [*range(6, 1000), *range(1000, 2000, 2), *range(2001, 2101, 3)]


def test_a_rule_stops_at_the_same_block_whatever_the_order():
    of = Tournament("any", 2, ("a", "b"), 200, system="test")
    records = records_of(of)

    def rule(blocks):
        return "enough" if pentanomial(blocks, 0, 1)[4] >= 6 else None

    found = [tallied(of, random.Random(seed).sample(records, 400), rule) for seed in range(6)]
    assert found[0].stopped == "enough"
    assert pentanomial(found[0].blocks, 0, 1)[4] == 6
    assert found[0].played == 2 * found[0].prefix < 400
    assert {tally.known for tally in found} == {400}
    assert all(counts_of(tally) == counts_of(found[0]) for tally in found)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_test_between_unequal_bots_ends_early(workers):
    of = Tournament("mnk", 2, ("greedy", "random"), 5000, 2, system="test", sprt=Sprt(0, 100))
    outcome = run_tournament(of, workers)
    assert outcome.tally.stopped.startswith("H1 is accepted (100 normalized Elo), log likelihood ratio ")
    assert outcome.tally.played == TEST_ENDS
    assert [record.number for record in outcome.records] == list(range(TEST_ENDS))
    again = run_tournament(of, 1, executor="threads", store=outcome.store)
    assert counts_of(again.tally) == counts_of(outcome.tally)


TEST_ENDS = 22


def test_a_test_looks_ahead_only_so_far():
    of = Tournament("mnk", 2, ("random", "random"), 100, 2, system="test")
    furthest = []
    outcome = run_tournament(
        of, 2, lambda records, tally: furthest.extend(record.number - tally.end for record in records), lookahead=10
    )
    assert outcome.tally.played == 200
    assert max(furthest) < 10 < LOOKAHEAD
