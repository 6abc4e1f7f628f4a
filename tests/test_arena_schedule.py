"""The schedule: who meets whom, seats shared out exactly, numbers and seeds that depend on nothing else."""

from collections import Counter
from itertools import combinations

import pytest

from bots.arena.plan import plan_for
from bots.arena.schedule import Tournament, rounds_for


def tournament(num_players, num_bots, rounds=4, seed=0, **others):
    return Tournament("any", num_players, tuple("abcdef"[:num_bots]), rounds, seed, **others)


def all_games(of):
    plan = plan_for(of, None)
    return [plan.scheduled(number) for number in range(of.num_games)]


@pytest.mark.parametrize(("num_players", "num_bots"), [(2, 2), (2, 5), (3, 3), (3, 5), (4, 5)])
def test_every_selection_meets_equally_often_and_seats_are_shared_exactly(num_players, num_bots):
    of = tournament(num_players, num_bots)
    games = all_games(of)
    met = Counter(tuple(sorted(game.seats)) for game in games)
    assert set(met) == set(combinations(range(num_bots), num_players))
    assert set(met.values()) == {of.rounds * num_players}
    seats = Counter((bot, seat) for game in games for seat, bot in enumerate(game.seats))
    assert len(set(seats.values())) == 1
    assert len(seats) == num_bots * num_players


@pytest.mark.parametrize(
    ("num_players", "num_bots", "selections"),
    [
        (2, 1, {(0, 0)}),
        (3, 1, {(0, 0, 0)}),
        (3, 2, {(0, 0, 1), (0, 1, 1)}),
    ],
)
def test_bots_meet_themselves_only_where_there_are_too_few(num_players, num_bots, selections):
    assert set(tournament(num_players, num_bots).selections) == selections


def test_a_block_holds_every_rotation_of_one_selection():
    of = tournament(3, 4)
    games = all_games(of)
    for begin in range(0, len(games), 3):
        block = games[begin : begin + 3]
        assert len({game.block for game in block}) == 1
        order = block[0].seats
        assert [game.seats for game in block] == [order, order[1:] + order[:1], order[2:] + order[:2]]
    assert [game.number for game in games] == list(range(len(games)))


def test_three_players_sit_in_both_orders_round_the_table():
    of = tournament(3, 3, rounds=2)
    assert {game.seats for game in all_games(of)} == {
        (0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0), (1, 0, 2), (0, 2, 1),
    }  # fmt: skip


def test_stopping_early_leaves_selections_equal():
    of = tournament(2, 4, rounds=5)
    first = Counter(tuple(sorted(game.seats)) for game in all_games(of)[: 2 * of.block_size * len(of.selections)])
    assert set(first.values()) == {4}


def test_seeds_and_ids_are_functions_of_root_seed_and_number():
    games = all_games(tournament(2, 3, seed=7))
    assert games == all_games(tournament(2, 3, seed=7))
    longer = all_games(tournament(2, 3, rounds=9, seed=7))
    assert longer[: len(games)] == games
    other = all_games(tournament(2, 3, seed=8))
    assert len({game.seed for game in games + other}) == len(games) + len(other)


def test_games_are_rounded_up_to_whole_blocks():
    assert [rounds_for(games, 3) for games in (1, 3, 4, 300)] == [1, 1, 2, 100]


@pytest.mark.parametrize("number", [-1, 24])
def test_numbers_outside_the_schedule_are_refused(number):
    with pytest.raises(IndexError, match=f"{number}.*0 to 23"):
        plan_for(tournament(2, 3), None).scheduled(number)
