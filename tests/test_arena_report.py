"""What is told of records made by hand: standings, comparisons, tables that fit."""

import io

import pytest
from rich.console import Console

import mcts
from bots.arena.match import NOBODY, Failure, Record
from bots.arena.plan import plan_for
from bots.arena.report import print_report, summarise, to_json, unique_labels
from bots.arena.schedule import Tournament
from bots.arena.tally import Tally

THREE = ("mcts(simulations=1000,selection=ucb1)", "greedy", "random")


def report_of(of, returns, names=None):
    """The report of games, the returns of each given per bot, not per seat; None for a game that counts for nobody."""
    tally, failed = Tally(of), []
    plan = plan_for(of, mcts.load_game(of.game))
    for number, given in enumerate(returns):
        seats = plan.scheduled(number).seats
        failures = (Failure(NOBODY, "death", "gone", 0),) if given is None else ()
        of_seats = None if given is None else tuple(given[bot] for bot in seats)
        tally.add(Record(number, number // of.block_size, seats, of_seats, 5, "", failures))
        failed += [(number, seats, failure) for failure in failures]
    return summarise(of, mcts.load_game(of.game), tally, failed, names or of.bots)


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
    assert first.total == (3, 1, 2)
    assert [seat.wins + seat.draws + seat.losses for seat in first.seats] == [2, 2, 2]
    assert first.mean_return == pytest.approx(399 / 6)
    # block means are 199 / 3 and 200 / 3
    assert first.mean_return_error == pytest.approx(1.959964 * (1 / 3 / 2**0.5) / 2**0.5, rel=1e-5)


def test_a_game_that_counts_for_nobody_takes_its_block_out_of_the_elo():
    of = Tournament("mnk", 2, ("random", "greedy"), 3)
    report = report_of(of, [(0, 100), None, (0, 100), (100, 0), (50, 50), (0, 100)])
    data = to_json(report)
    assert (data["games"], data["blocks"]) == (6, 2)
    assert [bot["games"] for bot in data["bots"]] == [5, 5]
    assert data["failures"][0]["bot"] == "nobody"
    assert data["failures"][0]["kind"] == "death"


def test_labels_are_unique():
    assert unique_labels(["a", "b", "a", "a"]) == ["a", "b", "a#2", "a#3"]


@pytest.mark.parametrize("width", [80, 120])
def test_tables_fit(width):
    of = Tournament("three_player_ttt", 3, THREE, 400)
    report = report_of(of, [(100, 33, 0), (66, 66, 0), (33, 100, 66)] * 400)
    lines = printed(report, width).splitlines()
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert ("mcts(simulations=1000,selection=ucb1)" in text) == (width == 120)
    assert all(part in text for part in ("(simulations=1000,", "selection=ucb1)", "1,200", "zplayer"))


def test_one_sided_results_are_marked_and_explained():
    of = Tournament("mnk", 2, ("random", "greedy"), 5)
    report = report_of(of, [(0, 100)] * 10)
    text = " ".join(printed(report, 100).split())
    assert "> +" in text
    assert "< -" in text
    assert "One-sided results: greedy > random" in text
    assert "one drawn block more" in text
    assert [bot["elo_bound"] for bot in to_json(report)["bots"]] == [">", "<"]


def test_one_bot_alone_has_no_elo():
    of = Tournament("mnk", 2, ("random",), 2)
    report = report_of(of, [(50,)] * 4)
    assert report.standings[0].elo is None
    assert report.standings[0].games == 8
    assert any("alone" in note for note in report.notes)
