"""Extended tournaments: more games or more bots give the tournament that one run would have played."""

import sqlite3
from dataclasses import replace

import pytest
from stored_games import FAILURES, rows

from bots.arena.report.json_data import report_to_dict
from bots.arena.results.queries import find_game, find_tournament, tournament_report
from bots.arena.runner import run_tournament
from bots.arena.store.store import Store
from bots.arena.tournament.extension import Renumbering, contains, why_not_extended
from bots.arena.tournament.limits import BotLimit
from bots.arena.tournament.openings import Openings
from bots.arena.tournament.schedule import Tournament

THREADS = ("--executor", "threads")
BOTS = ("random", "greedy", "troublesome_bots.Crasher(after=2)", "random", "greedy")


def games_and_failures(path):
    return rows(path), rows(path, FAILURES)


def play(path, tournament, **options):
    with Store(str(path)) as store:
        return run_tournament(tournament, 2, executor="threads", store=store, **options)


MODES = {
    "round robin": Tournament("mnk", 2, BOTS[:2], 4, 7, openings=Openings(1)),
    "limits": Tournament("mnk", 2, BOTS[:3], 4, 7, (BotLimit(simulations=5), BotLimit(), BotLimit(seconds=1.0))),
    "gauntlet": Tournament("points_ttt", 2, BOTS[:3], 3, 7, system="gauntlet", challengers=2),
    "three players": Tournament("three_player_ttt", 3, ("random", "greedy", "random"), 3, 7),
    "three players, all orders": Tournament("three_player_ttt", 3, ("random",) * 3, 2, 7, seat_orders="all"),
    "three-player gauntlet": Tournament("three_player_ttt", 3, ("random", "greedy", "random"), 2, 7, system="gauntlet"),
}


def with_bots(of, bots):
    limits = (*of.limits, *[BotLimit(simulations=9)] * (len(bots) - len(of.bots))) if of.limits else ()
    return replace(of, bots=bots, limits=limits)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("mode", "order"),
    [
        *((mode, "games, bots") for mode in MODES),
        *((mode, "bots, games") for mode in ("round robin", "three-player gauntlet")),
        ("limits", "both at once"),
    ],
)
def test_two_extensions_are_one_tournament_game_for_game(tmp_path, mode, order):
    begun = MODES[mode]
    more_games = replace(begun, rounds=begun.rounds + 2)
    more_bots = with_bots(begun, (*begun.bots, "greedy"))
    both = with_bots(replace(begun, rounds=begun.rounds + 2), (*begun.bots, "greedy"))
    steps = {"games, bots": [more_games], "bots, games": [more_bots], "both at once": []}[order]
    for step in [begun, *steps]:
        play(tmp_path / "grown.db", step)
    games_before = len(games_and_failures(tmp_path / "grown.db")[0])
    outcome = play(tmp_path / "grown.db", both)
    assert outcome.num_stored_before == games_before
    assert outcome.tally.known == both.num_games
    whole = play(tmp_path / "whole.db", both)
    assert games_and_failures(tmp_path / "grown.db") == games_and_failures(tmp_path / "whole.db")
    with Store(str(tmp_path / "grown.db"), read_only=True) as grown, Store(str(tmp_path / "whole.db"), True) as other:
        reports = [report_to_dict(tournament_report(store, find_tournament(store))) for store in (grown, other)]
        assert [stored.tournament for stored in grown.tournaments()] == [both]
    assert reports[0] == reports[1]
    assert whole.tally.blocks == outcome.tally.blocks


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "begun",
    [
        Tournament("mnk", 2, ("random", "greedy"), 5, 7, system="test"),
        pytest.param(Tournament("mnk", 2, ("random",) * 5, 2, 7, system="swiss", blocks=2), id="swiss"),
    ],
)
def test_tests_and_swiss_tournaments_get_more_rounds(tmp_path, begun):
    pytest.importorskip("networkx")
    longer = replace(begun, rounds=begun.rounds + 3)
    play(tmp_path / "grown.db", begun)
    assert play(tmp_path / "grown.db", longer).num_stored_before == begun.num_games
    play(tmp_path / "whole.db", longer)
    assert games_and_failures(tmp_path / "grown.db") == games_and_failures(tmp_path / "whole.db")


def test_the_shorter_tournament_stays_known_with_its_games_and_results(tmp_path):
    begun = MODES["round robin"]
    longer = with_bots(replace(begun, rounds=6), BOTS[:4])
    play(tmp_path / "alone.db", begun)
    with Store(str(tmp_path / "alone.db"), read_only=True) as store:
        alone = report_to_dict(tournament_report(store, find_tournament(store)))
    path = tmp_path / "grown.db"
    play(path, begun)
    play(path, longer)
    again = play(path, begun)
    assert again.nothing_played
    with Store(str(path), read_only=True) as store, Store(str(tmp_path / "alone.db"), read_only=True) as other:
        for number in range(begun.num_games):
            found, game = find_game(store, f"{begun.digest}-{number + 1}")
            assert (found.tournament, game) == (begun, find_game(other, str(number + 1))[1])
        assert report_to_dict(tournament_report(store, find_tournament(store, begun.digest))) == alone
        (part,) = store.parts()
        assert (part.tournament, part.games) == (begun, begun.num_games)
        assert [s.tournament for s in store.tournaments()] == [longer]
    between = with_bots(replace(begun, rounds=5), BOTS[:3])
    assert play(path, between).nothing_played
    play(tmp_path / "between.db", between)
    with Store(str(path), read_only=True) as store, Store(str(tmp_path / "between.db"), read_only=True) as other:
        games = [list(s.games(find_tournament(s, between.digest).key)) for s in (store, other)]
    assert games[0] == games[1]


def test_an_interrupted_part_of_a_longer_tournament_is_played_to_its_end(tmp_path):
    begun = MODES["round robin"]
    longer = with_bots(replace(begun, rounds=6), BOTS[:4])
    path = tmp_path / "grown.db"
    play(path, begun)
    play(path, longer)
    whole = games_and_failures(path)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("DELETE FROM failures")
        connection.execute("DELETE FROM games WHERE number % 5 < 3")
    connection.close()
    part = play(path, begun)
    assert 0 < part.num_stored_before < begun.num_games
    assert part.tally.known == begun.num_games
    play(path, longer)
    assert games_and_failures(path)[0] == whole[0]


def test_games_keep_their_numbers_in_order_in_a_longer_tournament():
    for begun in MODES.values():
        longer = with_bots(replace(begun, rounds=begun.rounds + 2), (*begun.bots, "greedy", "random"))
        assert contains(longer, begun)
        assert not contains(begun, longer)
        numbers = Renumbering(begun, longer)
        moved = [numbers.to_whole(number) for number in range(begun.num_games)]
        assert moved == sorted(set(moved))
        assert [numbers.to_part(number) for number in moved] == list(range(begun.num_games))
        assert {numbers.to_part(n) for n in range(-1, longer.num_games + 1)} == {None, *range(begun.num_games)}
        for number in range(begun.num_games):
            assert begun.game_seed(number) == longer.game_seed(moved[number])
        assert len({longer.game_seed(number) for number in range(longer.num_games)}) == longer.num_games


@pytest.mark.parametrize(
    ("stored", "wanted", "reason"),
    [
        (Tournament("mnk", 2, BOTS[:4], 2, system="swiss"), {"bots": BOTS}, "cannot get further bots"),
        (Tournament("mnk", 2, BOTS[:4], 2, system="swiss"), {"blocks": 2}, "more games in a round"),
        (Tournament("mnk", 2, ("random", "greedy"), 2), {"bots": ("exact", "random", "greedy")}, "after those"),
        (Tournament("three_player_ttt", 3, BOTS[:2], 2), {"bots": (*BOTS[:2], "mcts")}, "fewer bots"),
        (Tournament("mnk", 2, BOTS[:2], 2), {"seed": 1}, None),
        (Tournament("mnk", 2, BOTS[:2], 2), {"rounds": 9}, None),
        (Tournament("mnk", 2, BOTS[:2], 2), {"bots": ("exact", "mcts")}, None),
    ],
)  # fmt: skip
def test_impossible_extensions_are_refused_with_the_reason(stored, wanted, reason):
    found = why_not_extended(stored, replace(stored, **wanted))
    assert found is None if reason is None else reason in found


def test_more_bots_with_fewer_games_are_refused(tmp_path, playout):
    playout("arena", "mnk", "random", "greedy", *THREADS, "--games", "6", "--db", "a.db")
    result = playout("arena", "mnk", "random", "greedy", "greedy", *THREADS, "--games", "4", "--db", "a.db")
    assert (result.status, result.out) == (2, "")
    assert "has 6 games of every pairing of random, greedy" in result.err
    assert "as many --games, or more" in result.err
    result = playout("arena", "mnk", "greedy", "random", "greedy", *THREADS, "--games", "4", "--db", "a.db")
    assert result.status == 0
    assert "cannot be extended, so a new one begins" in result.err


def test_a_terminal_and_a_pipe_say_that_nothing_was_played(playout, monkeypatch):
    command = ["arena", "mnk", "random", "greedy", *THREADS, "--games", "4"]
    assert "No games were played" not in playout(*command).err
    assert "No games were played: all 4 games were already stored in arena.db" in playout(*command).err
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    shown = playout(*command).err
    assert "No games were played: all 4 games" in shown
    assert "No games were played" not in playout(*command[:-1], "6").err


def test_digests_and_seeds_stay_where_results_do():
    pair = Tournament("mnk(m=3,n=3,k=3)", 2, ("random", "greedy"), 3, 1)
    assert pair.digest == "0b533c5eb0e874b8"
    assert [pair.game_seed(number) for number in (0, 5)] == [6791897765849424158, 14285143330637538260]
    swiss = Tournament("mnk(m=3,n=3,k=3)", 2, ("random", "greedy", "random"), 3, 1, system="swiss")
    assert swiss.digest == "d0a1d240d702d91e"
    several = Tournament("mnk(m=3,n=3,k=3)", 2, ("random", "greedy", "random"), 3, 1)
    assert several.digest == "c3f7003713a9a935"
