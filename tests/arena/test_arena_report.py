"""The report on records written by hand: standings, comparisons, and tables that fit the terminal."""

import functools
import io
import json
import math
import random
import re
from itertools import takewhile

import pytest
from rich.console import Console

import mcts
from bots.arena.ratings.anchors import parse_anchors
from bots.arena.records import GameRecord
from bots.arena.report.cross_table import print_cross_tables
from bots.arena.report.json_data import report_to_dict
from bots.arena.report.number_format import likelihood
from bots.arena.report.short_names import folded, short_names
from bots.arena.report.standings_table import standings_tables
from bots.arena.report.text import print_report
from bots.arena.results.report import assemble_report
from bots.arena.results.tally import Tally
from bots.arena.store.store import TEMPORARY, Store
from bots.arena.tournament.names import unique_labels
from bots.arena.tournament.plan import Plan
from bots.arena.tournament.schedule import Tournament
from bots.game.failures import NO_SEAT, Failure

THREADS = ("--executor", "threads")
THREE = ("mcts(simulations=1000,selection=ucb1)", "greedy", "random")


def record_of(of, number, returns, failures=(), moves=""):
    scheduled = Plan(of, mcts.load_game(of.game)).scheduled(number)
    return GameRecord.of(scheduled, returns=returns, plies=5, moves=moves, failures=failures)


def report_of(of, returns, names=None, **options):
    """The report of games, the returns of each given per bot, not per seat; None for a game that counts for nobody."""
    records = []
    plan = Plan(of, mcts.load_game(of.game))
    for number, given in enumerate(returns):
        seats = plan.scheduled(number).seats
        failures = (Failure(NO_SEAT, "death", "gone", 0),) if given is None else ()
        records.append(record_of(of, number, None if given is None else tuple(given[bot] for bot in seats), failures))
    return report_of_records(of, records, names, **options)


def report_of_records(of, records, names=None, **options):
    failures = [(record.number, record.seats, failure) for record in records for failure in record.failures]
    tally = Tally(of)
    for record in records:
        tally.add(record)
    return assemble_report(of, mcts.load_game(of.game), tally, failures, names or of.bots, **options)


def printed(report, width):
    stream = io.StringIO()
    print_report(report, Console(file=stream, width=width, highlight=False))
    return stream.getvalue()


def test_standings_count_by_seat_and_put_the_best_first():
    of = Tournament("three_player_ttt", 3, THREE, 2)
    report = report_of(of, [(100, 33, 0), (66, 66, 0), (33, 100, 66), (100, 0, 33), (100, 0, 33), (0, 33, 100)])
    first = report.standings[0]
    assert first.bot == THREE[0]
    assert first.games == 6
    assert first.results == (3, 1, 2)
    assert [seat.results.games for seat in first.seats] == [2, 2, 2]
    assert first.mean_return == pytest.approx(399 / 6)
    # block means are 199 / 3 and 200 / 3: Student's interval of one degree of freedom
    assert first.mean_return_error == pytest.approx(12.7062047 * (1 / 3 / 2**0.5) / 2**0.5, rel=1e-5)


def test_a_game_that_counts_for_nobody_takes_its_block_out_of_the_elo():
    of = Tournament("mnk", 2, ("random", "greedy"), 3)
    report = report_of(of, [(0, 100), None, (0, 100), (100, 0), (50, 50), (0, 100)])
    data = report_to_dict(report)
    assert (data["games"], data["blocks"]) == (6, 2)
    assert [bot["games"] for bot in data["bots"]] == [5, 5]
    assert data["failures"][0]["bot"] == "nobody"
    assert data["failures"][0]["kind"] == "death"
    assert [standing.failures for standing in report.standings] == [{}, {}]
    crash = record_of(of, 3, (0.0, 100.0), (Failure(0, "crash", "", 0),))  # of greedy, which moves first
    failed = {standing.bot: standing.failures for standing in report_of_records(of, [crash]).standings}
    assert failed == {"random": {}, "greedy": {"crash": 1}}


@pytest.mark.parametrize(("returns", "bots"), [((0, 100), ["greedy", "random"]), ((100, 0), ["random", "greedy"])])
def test_bots_that_are_not_rated_are_sorted_by_their_mean_returns(returns, bots):
    report = report_of(Tournament("mnk", 2, ("random", "greedy"), 2), [returns])
    assert [(standing.bot, standing.rating) for standing in report.standings] == [(bot, None) for bot in bots]


def test_anchors_are_read_by_label_or_spec():
    labels = ["mcts(simulations=20)", "random", "random#2"]
    found = parse_anchors(["mcts:simulations=20=1500", "random#2=-3.5"], labels)
    assert found == {0: 1500.0, 2: -3.5}


def test_labels_are_unique():
    assert unique_labels(["a", "b", "a", "a"]) == ["a", "b", "a#2", "a#3"]


@pytest.mark.parametrize("width", [80, 120])
def test_tables_fit_the_width(width):
    of = Tournament("three_player_ttt", 3, THREE, 400)
    report = report_of(of, [(100, 33, 0), (66, 66, 0), (33, 100, 66)] * 400)
    lines = printed(report, width).splitlines()
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert ("mcts(simulations=1000,selection=ucb1)" in text) == (width == 120)
    assert all(part in text for part in ("(simulations=1000,", "selection=ucb1)", "1,200", "zplayer"))


def test_one_sided_results_have_an_estimate_and_a_bound():
    of = Tournament("mnk", 2, ("random", "greedy"), 6)
    report = report_of(of, [(0, 100)] * 12)
    text = " ".join(printed(report, 100).split())
    # 12 wins and half a win and half a loss: 559 Elo apart; six blocks support 75
    assert "greedy +280 (at least +37)" in text
    assert "random -280 (at most -37)" in text
    assert "random lost all its games to greedy: its rating is only a bound." in text
    bots = report_to_dict(report)["bots"]
    assert [bot["elo"] for bot in bots] == pytest.approx([200 * math.log10(25), -200 * math.log10(25)], abs=1e-3)
    assert [(bot["elo_error"], bot["elo_upper" if place == 0 else "elo_lower"]) for place, bot in enumerate(bots)] == [
        (None, None)
    ] * 2
    assert bots[0]["elo_lower"] == pytest.approx(-bots[1]["elo_upper"])
    (pairing,) = report_to_dict(report)["pairings"]
    assert pairing["elo"]["elo"] == pytest.approx(-400 * math.log10(25), abs=1e-3)
    assert pairing["elo"]["upper"] == pytest.approx(-2 * bots[0]["elo_lower"], abs=0.1)


def test_few_one_sided_results_are_uncertain_and_in_order():
    report = report_of(Tournament("mnk", 2, ("random", "greedy"), 1), [(0, 100)] * 2)
    assert [standing.bot for standing in report.standings] == ["greedy", "random"]
    assert (
        report.standings[0].rating > 0 > report.standings[0].rating_lower
    )  # one block of one happens among equals, too


@functools.cache
def report_with_long_names(game):
    bots = tuple(f"mcts(simulations={10**size},selection={how})" for size in (3, 4) for how in ("ucb1", "puct"))
    of = Tournament(game, mcts.load_game(game).num_players, bots, 300)
    rng = random.Random(1)
    return report_of(of, [tuple(rng.choice([0, 33, 100]) for _ in bots) for _ in range(of.num_games)])


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("game", ["mnk", "three_player_ttt"])
def test_narrow_terminals_keep_the_column_of_names(game, width):
    report = report_with_long_names(game)
    stream = io.StringIO()
    console = Console(file=stream, width=width, highlight=False)
    print_report(report, console)
    print_cross_tables(report, console)
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    tables = [at for at, line in enumerate(lines) if "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * 3 in line]
    assert len(tables) >= 3
    whole = re.compile(r"mcts|(mcts)?\(simulations=1000?0,|selection=(ucb1|puct)\)")
    for at in tables:
        rows = list(takewhile(str.strip, lines[at + 1 :]))
        names = [next(word for word in line.split() if not word.isdigit()) for line in rows]
        if len(rows) > 4:  # names take several lines
            assert all(map(whole.fullmatch, names))
        else:
            assert len(set(names)) == 4
            assert all(len(name) >= 8 and ("mcts" in name or "selection=" in name) for name in names)
    # every bot against every other, in as many tables as it takes
    cells = [cell for line in lines for cell in line.split() if re.fullmatch(r"\d+/\d+/\d+", cell)]
    assert len(cells) >= 12


@pytest.mark.parametrize("game", ["mnk", "three_player_ttt"])
def test_the_columns_do_not_depend_on_the_width(game):
    """Every rating, mean return, likelihood and count of the widest table is in the narrow ones, which are more."""
    report = report_with_long_names(game)

    def words(width):
        tables = standings_tables(report, Console(file=io.StringIO(), width=width))
        cells = [cell for table in tables for column in table.columns[1:] for cell in (column.header, *column.cells)]
        return len(tables), [str(cell).split() for cell in cells]

    number, wide = words(200)
    assert number == 1
    assert len(wide) == 5 * (4 + report.game.num_players)
    numbers = []
    for width in (30, 50, 70, 80):
        number, narrow = words(width)
        assert narrow == wide
        numbers.append(number)
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > 2


def test_short_names_stay_different():
    names = [*(f"mcts(simulations={count})" for count in (1000, 1001, 2000)), "random", "mcts(simulations=1000)"]
    for width in (6, 8, 10, 14, 30):
        found = short_names(names, width)
        assert max(map(len, found)) <= width
        assert len(set(found)) == 4
        assert found[0] == found[4]
        assert found[3] == "random"
    assert short_names(names, 30) == names
    alike = [f"a{'x' * number}b" for number in range(20, 40)]
    assert len(set(short_names(alike, 8))) == 20


def test_bots_that_never_met_stand_in_lists_of_their_own():
    of = Tournament("mnk", 2, ("a.B", "c.D", "e.F", "g.H", "i.J"), 20)
    plan = Plan(of, mcts.load_game(of.game))
    records = []
    for number in range(of.num_games):
        seats = plan.scheduled(number).seats
        if set(seats) in ({0, 1}, {2, 3}):
            records.append(record_of(of, number, (100.0, 0.0) if number % 3 else (0.0, 100.0)))
    report = report_of_records(of, records)
    data = report_to_dict(report)
    assert sorted(map(sorted, data["ratings"]["lists"])) == [["a.B", "c.D"], ["e.F", "g.H"]]
    assert sorted((bot["list"], bot["bot"]) for bot in data["bots"] if bot["list"] is not None) == [
        (0, "a.B"),
        (0, "c.D"),
        (1, "e.F"),
        (1, "g.H"),
    ]
    assert [bot["bot"] for bot in data["bots"] if bot["elo"] is None] == ["i.J"]
    json.dumps(data, allow_nan=False)
    text = printed(report, 80)
    assert text.index("List 1 of 2") < text.index("a.B") < text.index("List 2 of 2") < text.index("e.F")
    assert text.index("Not rated") < text.index("i.J")
    assert "Ratings of different lists cannot be compared" in " ".join(text.split())


def test_no_likelihood_is_one_hundred_percent():
    of = Tournament("mnk", 2, ("random", "greedy"), 600)
    report = report_of(of, [(0, 100), (0, 100), (50, 50)] * 400)
    assert report.ratings.los[1][0] == pytest.approx(1)
    text = printed(report, 100)
    assert "> 99.9 %" in text
    assert "100 %" not in text
    assert [likelihood(value) for value in (0.0, 0.5, 1.0)] == ["< 0.1 %", "50.0 %", "> 99.9 %"]


def test_the_json_has_the_certainty_in_the_order_of_the_standings():
    of = Tournament("mnk", 2, ("random", "greedy", "mcts"), 20)
    wins = [(0, 50, 100), (50, 50, 100), (0, 100, 50)]
    data = report_to_dict(report_of(of, [wins[number % 3] for number in range(of.num_games)], anchors={0: 1000.0}))
    assert [bot["bot"] for bot in data["bots"]] == ["mcts", "greedy", "random"]
    ratings = data["ratings"]
    assert ratings["model"] == "Bradley-Terry"
    assert ratings["anchors"] == {"random": 1000.0}
    assert (data["bots"][2]["elo"], data["bots"][2]["elo_error"]) == (1000.0, 0.0)
    assert ratings["los"][0][2] > 0.999 > 0.001 > ratings["los"][2][0]
    assert data["bots"][0]["los_next"] == ratings["los"][0][1]
    assert ratings["covariance"][2] == [0, 0, 0]
    assert {(p["first"], p["second"]) for p in data["pairings"]} == {
        ("random", "greedy"),
        ("random", "mcts"),
        ("greedy", "mcts"),
    }
    for pairing in data["pairings"]:
        assert sum(pairing["pentanomial"]) * 2 == pairing["wins"] + pairing["draws"] + pairing["losses"] == 40
    assert "Anchors: random = 1000" in " ".join(data["notes"])
    json.dumps(data, allow_nan=False)


def test_three_players_are_rated_with_seats():
    of = Tournament("three_player_ttt", 3, THREE, 100)
    rng = random.Random(1)
    returns = [tuple(rng.choice([0, 33, 66, 100]) + bonus for bonus in (20, 0, -20)) for _ in range(of.num_games)]
    report = report_of(of, returns)
    assert [standing.bot for standing in report.standings] == list(THREE)
    data = report_to_dict(report)
    assert data["ratings"]["model"] == "Plackett-Luce"
    assert [seat["player"] for seat in data["ratings"]["seats"]] == ["xplayer", "oplayer", "zplayer"]
    assert all(0 < seat["elo_error"] < 60 for seat in data["ratings"]["seats"])
    assert all(pairing["elo"] is None and pairing["pentanomial"] is None for pairing in data["pairings"])
    text = printed(report, 120)
    assert "Seat effects in Elo: xplayer" in text
    assert "better" in text


def test_repeated_games_are_counted_and_warned_of():
    of = Tournament("mnk", 2, ("random", "greedy"), 50)
    for varied, warned in ((True, False), (False, True)):
        returns = [(100.0, 0.0), (50.0, 50.0)]
        records = [
            record_of(of, number, returns[number % 2], moves=f"a {number if varied else number % 4}")
            for number in range(of.num_games)
        ]
        with Store(TEMPORARY) as store:
            key = store.open_tournament(of)
            for record in records:
                store.add(key, record)
            report = report_of_records(of, records, repeats=store.repeats(key, of.num_games))
        assert report_to_dict(report)["repeats"]["repeated"] == (0 if varied else 96)
        assert any("96 of 100 games repeat another one" in note for note in report.notes) == warned


def test_the_order_in_which_games_finish_changes_nothing():
    of = Tournament("three_player_ttt", 3, THREE, 40)
    rng = random.Random(2)
    records = [
        record_of(of, number, tuple(rng.choice([0.1, 33.3, 66.7]) for _ in range(3))) for number in range(of.num_games)
    ]
    first = report_of_records(of, records)
    for _ in range(3):
        rng.shuffle(records)
        again = report_of_records(of, records)
        assert (again.standings, again.ratings, again.pairings) == (first.standings, first.ratings, first.pairings)


def test_one_bot_alone_has_no_elo():
    of = Tournament("mnk", 2, ("random",), 2)
    report = report_of(of, [(50,)] * 4)
    assert report.standings[0].rating is None
    assert report.standings[0].games == 8
    assert any("single bot" in note for note in report.notes)


def test_a_spec_is_folded_at_its_parameters_alone():
    spec = "mcts(simulations=300,selection=ucb1,exploration=0.4)"
    assert folded(spec, 100) == spec
    assert folded(spec, 24) == "mcts(simulations=300,\n selection=ucb1,\n exploration=0.4)"
    assert folded(spec, 5).split("\n") == ["mcts", " (simulations=300,", " selection=ucb1,", " exploration=0.4)"]
    assert folded("mcts(simulations=9), greedy, random", 20) == "mcts(simulations=9),\n greedy, random"


def test_tournaments_are_listed_in_narrow_columns(playout):
    playout(
        "arena", "points_ttt", "mcts(simulations=10,exploration=0.5)", "mcts(simulations=20)", *THREADS, "--games", "2"
    )
    shown = playout("tournaments", "arena.db", columns=72).out
    assert max(map(len, shown.splitlines())) <= 72
    for part in ("points_ttt", "(simulations=10,", "exploration=0.5)", "(simulations=20)"):
        assert part in shown
