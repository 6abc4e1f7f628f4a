"""The schedule: pairings, equal shares of seats, and seeds that depend on the game's number alone."""

import json
import pickle
import random
import re
import sys
from collections import Counter
from itertools import combinations, permutations

import pytest
from registries import forget_registered

import bots
from bots.arena.ratings.sprt import Sprt
from bots.arena.tournament import pairings as pairing_systems
from bots.arena.tournament.failure_policy import parse_policies
from bots.arena.tournament.limits import BotLimit
from bots.arena.tournament.openings import Openings
from bots.arena.tournament.pairings.base import Pairing
from bots.arena.tournament.plan import Plan
from bots.arena.tournament.schedule import Tournament, rounds_for


def tournament(num_players, num_bots, rounds=4, seed=0, **others):
    return Tournament("any", num_players, tuple("abcdefgh"[:num_bots]), rounds, seed, **others)


def all_games(of):
    plan = Plan(of, None)
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
    ("num_players", "num_bots", "selections"), [(2, 1, {(0, 0)}), (3, 1, {(0, 0, 0)}), (3, 2, {(0, 0, 1), (0, 1, 1)})]
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
        Plan(tournament(2, 3), None).scheduled(number)


@pytest.mark.parametrize(("num_players", "num_bots", "challengers"), [(2, 5, 1), (2, 5, 2), (3, 5, 1), (3, 5, 2)])
def test_in_a_gauntlet_challengers_meet_all_others(num_players, num_bots, challengers):
    of = tournament(num_players, num_bots, system="gauntlet", challengers=challengers)
    games = all_games(of)
    met = Counter(tuple(sorted(game.seats)) for game in games)
    others = list(combinations(range(challengers, num_bots), num_players - 1))
    assert set(met) == {(first, *rest) for first in range(challengers) for rest in others}
    assert set(met.values()) == {of.rounds * num_players}
    for bot in range(num_bots):
        seats = Counter(game.seats.index(bot) for game in games if bot in game.seats)
        assert len(set(seats.values())) == 1


def test_all_orders_of_three_seats():
    of = tournament(3, 4, rounds=2, seat_orders="all")
    games = all_games(of)
    assert of.block_size == 6
    for begin in range(0, len(games), 6):
        block = games[begin : begin + 6]
        assert {game.block for game in block} == {begin // 6}
        assert {game.seats for game in block} == set(permutations(block[0].seats))
    assert len(games) == 2 * 4 * 6


class Neighbours(Pairing):
    """Each bot meets the next one; a pairing system of another package."""

    NAME = "neighbours"

    def num_selections(self, entrants):
        return entrants.num_bots - 1

    def selections(self, entrants):
        return tuple((bot, bot + 1) for bot in range(entrants.num_bots - 1))


def test_a_pairing_system_of_another_package(monkeypatch):
    with pytest.raises(bots.TournamentError, match="unknown pairing system 'neighbours'"):
        tournament(2, 4, system="neighbours")
    forget_registered(monkeypatch, "pairings")
    pairing_systems.register_pairing(Neighbours())
    with pytest.raises(bots.TournamentError, match="'neighbours' is already registered"):
        pairing_systems.register_pairing(Neighbours())
    of = tournament(2, 4, rounds=3, system="neighbours")
    met = Counter(tuple(sorted(game.seats)) for game in all_games(of))
    assert met == {(0, 1): 6, (1, 2): 6, (2, 3): 6}
    assert Tournament.from_dict(json.loads(json.dumps(of.to_dict()))) == of
    assert of.digest != tournament(2, 4, rounds=3).digest


def swiss(num_bots, rounds, blocks=2, seed=1):
    return tournament(2, num_bots, rounds=rounds, seed=seed, system="swiss", blocks=blocks)


def played_swiss(of, result):
    """All games, and their pairings by round, where `result(first, second)` is what the first seat gets."""
    plan, number, rounds = Plan(of, None), 0, []
    games = []
    while number < of.num_games:
        of_round = [plan.scheduled(n) for n in range(number, plan.ready)]
        with pytest.raises(IndexError):
            plan.scheduled(plan.ready)
        number = plan.ready
        for game in random.Random(number).sample(of_round, len(of_round)):
            first = result(*game.seats)
            plan.count(game.seats, None if first is None else (first, 1.0 - first))
        games += of_round
        rounds.append(Counter(tuple(sorted(game.seats)) for game in of_round))
    return games, rounds


def by_strength(first, second):
    """The bot of the smaller index is better."""
    return float(first < second)


@pytest.mark.parametrize("num_bots", [3, 4, 5, 8])
def test_swiss_rounds_pair_everybody_once_and_nobody_again_while_that_can_be(num_bots):
    of = swiss(num_bots, num_bots - 1 + num_bots % 2)
    games, rounds = played_swiss(of, by_strength)
    assert [game.number for game in games] == list(range(of.num_games))
    assert of.num_games == of.rounds * (num_bots // 2) * of.blocks * 2
    met = Counter()
    for pairings in rounds:
        assert set(pairings.values()) == {2 * of.blocks}
        seated = [bot for pair in pairings for bot in pair]
        assert len(set(seated)) == len(seated) == num_bots - num_bots % 2
        met.update(pairings.keys())
    assert max(list(met.values())[: num_bots // 2 * 3]) == 1
    assert met.total() - len(met) <= 2  # the last rounds may find no partner left
    rested = Counter(bot for pairings in rounds for bot in range(num_bots) if all(bot not in pair for pair in pairings))
    assert max(rested.values(), default=0) <= 1 + num_bots % 2
    blocks = {}
    for game in games:
        blocks.setdefault(game.block, []).append(game.seats)
    assert all(len(of_block) == 2 and of_block[0] == of_block[1][::-1] for of_block in blocks.values())


def test_swiss_rounds_let_equals_meet():
    games, rounds = played_swiss(swiss(8, 3), by_strength)
    points = Counter()
    for pairings in rounds:
        assert all(points[first] == points[second] for first, second in pairings)
        for first, _ in pairings:
            points[first] += 1
    assert points[0] == 3
    assert len(games) == 3 * 4 * 4


def test_swiss_pairings_are_a_function_of_seed_and_results():
    def of_seed(seed, result=by_strength):
        return played_swiss(swiss(7, 5, seed=seed), result)

    assert of_seed(1) == of_seed(1)
    assert of_seed(1)[1] != of_seed(2)[1]
    assert of_seed(1)[1] != of_seed(1, lambda first, second: float(first % 3 < second % 3))[1]
    assert of_seed(1, lambda first, second: None)[1] == of_seed(1, lambda first, second: 0.5)[1]


def test_swiss_repeats_pairings_when_all_have_met():
    _, rounds = played_swiss(swiss(4, 9), by_strength)
    met = Counter(pair for pairings in rounds for pair in pairings)
    assert set(met.values()) == {3}


def test_swiss_without_networkx_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(bots.TournamentError, match=r"networkx: pip install 'playout\[graph\]'"):
        Plan(swiss(4, 2), None)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"system": "knockout"}, "'knockout'; valid: gauntlet, round_robin, swiss, test"),
        ({"seat_orders": "some"}, "'some'; valid: cyclic, all"),
        ({"rounds": 0}, "rounds=0"),
        ({"challengers": float("nan")}, "challengers=nan"),
        ({"blocks": True}, "blocks=True"),
        ({"rounds": 10**9}, "too many"),
        ({"bots": tuple(map(str, range(2000)))}, "1,999,000 pairings of 2,000 bots are too many"),
        ({"bots": ()}, "needs a bot"),
        ({"system": "gauntlet", "challengers": 3}, "challengers=3.*1 to 2"),
        ({"system": "gauntlet", "bots": ("a",)}, "gauntlet of 2 players"),
        ({"system": "swiss", "num_players": 3}, "swiss tournament is for games of two players.*valid: round_robin"),
        ({"system": "swiss", "bots": ("a", "b")}, "three bots or more, not 2"),
        ({"system": "test"}, "between two bots, not 3"),
        ({"system": "test", "num_players": 3}, "two players"),
        ({"sprt": Sprt(0, 5)}, "for the pairing system test"),
        ({"limits": (BotLimit(5), BotLimit(6))}, "2 limits for 3 bots"),
    ],
)
def test_contradictory_settings_are_refused(options, words):
    given = {"game": "any", "num_players": 2, "bots": ("a", "b", "c"), "rounds": 3, **options}
    with pytest.raises(bots.TournamentError, match=words):
        Tournament(**given)


SPECS = [
    Tournament("mnk", 2, ("a", "b"), 3),
    Tournament(
        "mnk", 2, ("a", "b"), 3, 2**70, (BotLimit(5, 0.5), BotLimit(clock_seconds=3.0, increment_seconds=0.1)), 2.5,
        parse_policies("crash=replay:3,stall=abort"), "test", openings=Openings(3), sprt=Sprt(-1.5, 2.0),
    ),
    Tournament("three_player_ttt", 3, ("a", "b", "a"), 3, seat_orders="all", openings=Openings(0, ("x y", "{}"))),
    Tournament("mnk", 2, tuple("abcd"), 3, system="swiss", blocks=4),
    Tournament("mnk", 2, tuple("abcd"), 3, system="gauntlet", challengers=2),
]  # fmt: skip


@pytest.mark.parametrize("of", SPECS)
def test_a_tournament_goes_through_json_and_pickle(of):
    again = Tournament.from_dict(json.loads(json.dumps(of.to_dict())))
    assert again == of
    assert again.digest == of.digest
    assert re.fullmatch("[0-9a-f]{16}", of.digest)
    assert of.num_games == pickle.loads(pickle.dumps(of)).num_games
    assert pickle.loads(pickle.dumps(of)) == of


def test_digests_differ_where_results_may():
    assert len({of.digest for of in SPECS}) == len(SPECS)
    one_for_all = Tournament("mnk", 2, ("a", "b"), 3, limits=(BotLimit(5),))
    one_for_each = Tournament("mnk", 2, ("a", "b"), 3, limits=(BotLimit(5), BotLimit(5)))
    assert one_for_all == one_for_each
    assert one_for_all.digest == one_for_each.digest


@pytest.mark.parametrize("spoil", [{"bots": None}, {"rounds": "3"}, {"limits": [{"x": 1}]}, {"more": 1}])
def test_invalid_descriptions_are_refused(spoil):
    with pytest.raises(bots.TournamentError):
        Tournament.from_dict({**SPECS[0].to_dict(), **spoil})
