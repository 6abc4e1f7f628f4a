"""Adjudication: resignation, agreed draws and a maximal length, with bots that report true and false values."""

import json
import sys

import opinionated_bots
import pytest
from sampling import sweep

import bots
import mcts
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.report.json_data import report_to_dict
from bots.arena.results.queries import tournament_report
from bots.arena.runner import run_tournament
from bots.arena.tournament.adjudication import Adjudication, read_adjudication
from bots.arena.tournament.limits import NO_BOT_LIMIT
from bots.arena.tournament.schedule import Tournament
from bots.engines.uci import UciClient, centipawns_of, points_of
from bots.engines.ugi import UgiClient

LOW, EVEN, HIGH = (f"opinionated_bots.Says(value={value})" for value in (1.0, 50.0, 99.0))


def records(first, second, rules, game="mnk(m=5,n=5,k=5)", **options):
    of = Tournament(game, 2, (first, second), 1, 3, adjudication=rules, **options)
    mcts.load_game(game)
    return run_tournament(of, executor="threads").records


def test_a_bot_that_expects_to_lose_resigns_after_so_many_of_its_decisions():
    for record in records(LOW, HIGH, Adjudication(resign_value=5, resign_moves=3)):
        loser = record.seats.index(0)
        assert record.ending == "resigned"
        assert record.returns[loser] == 0
        assert record.returns[1 - loser] == 100
        assert record.plies == (5 if loser == 0 else 6)
        assert record.failures == ()


def test_a_value_above_the_limit_does_not_resign():
    for record in records(LOW, HIGH, Adjudication(resign_value=0.5, resign_moves=1)):
        assert record.ending == ""


def test_a_draw_takes_both_bots():
    rules = Adjudication(draw_margin=2, draw_moves=4)
    for record in records(EVEN, "opinionated_bots.Says(value=51.0)", rules):
        assert (record.ending, record.returns, record.plies) == ("draw agreed", (50.0, 50.0), 8)
    assert {record.ending for record in records(EVEN, HIGH, rules)} == {""}
    for margin, ending in ((1, "draw agreed"), (0.5, "")):
        found = records(EVEN, "opinionated_bots.Says(value=51.0)", Adjudication(draw_margin=margin, draw_moves=4))
        assert {record.ending for record in found} == {ending}


def test_a_decision_without_a_value_interrupts_the_row():
    forgetful = "opinionated_bots.Forgetful(value=0.0)"
    assert {r.ending for r in records(forgetful, HIGH, Adjudication(resign_value=5, resign_moves=2))} == {""}
    assert {r.ending for r in records(forgetful, HIGH, Adjudication(resign_value=5, resign_moves=1))} == {"resigned"}
    forgetful = "opinionated_bots.Forgetful(value=50.0)"
    assert {r.ending for r in records(forgetful, EVEN, Adjudication(draw_margin=5, draw_moves=2))} == {""}
    assert {r.ending for r in records(forgetful, EVEN, Adjudication(draw_margin=5, draw_moves=1))} == {"draw agreed"}


def test_bots_without_values_neither_resign_nor_agree():
    rules = Adjudication(99 / 2, 1, 10, 1)
    assert {record.ending for record in records("random", "greedy", rules)} == {""}


def test_a_lying_bot_gains_nothing():
    rules = Adjudication(resign_value=5, resign_moves=1, draw_margin=5, draw_moves=1)
    # One that always says a draw gets none from an opponent that expects to win.
    assert {record.ending for record in records(EVEN, HIGH, rules)} == {""}
    # One that says it wins makes nobody resign.
    assert {record.ending for record in records(HIGH, HIGH, rules)} == {""}


@sweep("saying", [s for s in opinionated_bots.SAYINGS if s not in ("below", "float32")], 2)
def test_invalid_values_count_as_none(saying):
    bot = f"opinionated_bots.Strange(saying={saying})"
    found = records(bot, HIGH, Adjudication(49, 1, 50 - 1e-9, 1))
    assert {(record.ending, record.failures) for record in found} == {("", ())}


@pytest.mark.parametrize("saying", ["below", "float32"])
def test_values_out_of_range_or_of_another_type_are_read(saying):
    found = records(f"opinionated_bots.Strange(saying={saying})", HIGH, Adjudication(0, 1))
    assert {record.ending for record in found} == {"resigned"}


def test_a_bot_that_fails_when_asked_forfeits():
    found = records("opinionated_bots.Breaks", HIGH, Adjudication(5, 1))
    assert {(record.failures[0].kind, record.ending) for record in found} == {("crash", "")}
    # It is not asked where no rule needs its value.
    assert not any(r.failures for r in records("opinionated_bots.Breaks", HIGH, Adjudication(max_plies=3)))


def test_a_maximal_length_is_a_draw_where_the_sum_is_constant():
    for record in records("random", "random", Adjudication(max_plies=4)):
        assert (record.ending, record.returns, record.plies) == ("max plies", (50.0, 50.0), 4)


def test_a_game_that_ends_with_the_last_ply_is_not_adjudicated():
    found = records("random", "random", Adjudication(max_plies=9), game="mnk")
    assert {record.ending for record in found} == {""}


def test_a_maximal_length_counts_for_nobody_where_the_sum_varies():
    of = Tournament("three_player_ttt", 3, ("random",) * 3, 1, adjudication=Adjudication(max_plies=4))
    outcome = run_tournament(of, executor="threads")
    assert {(record.ending, record.returns) for record in outcome.records} == {("max plies", None)}
    notes = outcome.report().notes
    assert "3 games count for nobody: the game reached the maximal length, or it is unknown which bot failed." in notes
    assert "3 of 3 games were adjudicated: 3 ended after 4 plies." in " ".join(notes)


def test_a_failure_counts_and_not_the_maximal_length_of_the_same_ply():
    class Objects(bots.Bot):
        def choose(self, view, limit=None):
            return view.legal_actions()[0]

        def inform(self, step):
            raise RuntimeError("no")

    seated, limits = [Objects(), bots.load_bot("random")], [NO_BOT_LIMIT] * 2
    game, scheduled = mcts.load_game("mnk"), ScheduledGame(0, 0, (0, 1), 1)
    record = play_game(game, seated.__getitem__, scheduled, limits, 60.0, lambda seat: None, Adjudication(max_plies=1))
    assert (record.plies, record.ending, record.returns) == (1, "", (0.0, 100.0))


def test_two_who_resign_in_one_step_play_on():
    found = records(LOW, LOW, Adjudication(resign_value=5, resign_moves=1), game="bidding_ttt(coins=3)")
    assert {record.ending for record in found} == {""}


def test_searches_report_values():
    rules = Adjudication(resign_value=5, resign_moves=1, draw_margin=1, draw_moves=1)
    found = records("mcts(simulations=300)", "exact", rules, game="mnk")
    assert {record.ending for record in found} == {"draw agreed"}
    assert max(record.plies for record in found) < 9
    lost = records("mcts(simulations=2000)", "random", rules, game="mnk")
    assert {record.ending for record in lost} == {""}  # random says nothing


@pytest.mark.parametrize(
    ("game", "rules", "words"),
    [
        ("three_player_ttt", Adjudication(5, 1), "cannot resign or agree.*three_player_ttt.*maximum number"),
        ("mnk", Adjudication(50, 1), "resign value 50 .*valid: from 0, a loss, to below 50, a draw"),
        ("mnk", Adjudication(-1, 1), "resign value -1"),
        ("mnk", Adjudication(draw_margin=50, draw_moves=1), "draw margin 50 .*valid: from 0 to below 50"),
    ],
)
def test_rules_that_do_not_fit_the_game_are_refused(game, rules, words):
    loaded = mcts.load_game(game)
    of = Tournament(game, loaded.num_players, ("random",) * loaded.num_players, 1, adjudication=rules)
    with pytest.raises(bots.TournamentError, match=words):
        run_tournament(of)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("5", None, None), "resign '5' is not VALUE,MOVES"),
        (("x,3", None, None), "resign 'x,3' is not VALUE,MOVES"),
        (("nan,3", None, None), "resign value nan"),
        (("5,0", None, None), "resign moves=0 .*1 to 10000"),
        ((None, "-1,3", None), "draw margin -1.0 is below 0"),
        ((None, "1,3,4", None), "draw '1,3,4'"),
        ((None, None, 0), "max_plies=0 .*1 to 1000000"),
        ((None, None, True), "max_plies=True"),
    ],
)
def test_rules_that_cannot_be_read_are_refused(given, words):
    with pytest.raises(bots.TournamentError, match=words):
        read_adjudication(*given)


def test_the_digest_has_the_rules_only_when_they_are_on():
    of = Tournament("mnk", 2, ("random", "greedy"), 1)
    assert "adjudication" not in of.to_dict()
    rules = read_adjudication("5,3", "1,4", 80)
    other = Tournament("mnk", 2, ("random", "greedy"), 1, adjudication=rules)
    assert other.digest != of.digest
    assert Tournament.from_dict(json.loads(json.dumps(other.to_dict()))) == other


def test_records_and_reports_say_which_games_were_adjudicated():
    of = Tournament("mnk(m=5,n=5,k=5)", 2, (LOW, HIGH), 3, adjudication=Adjudication(5, 2, max_plies=30))
    outcome = run_tournament(of, executor="threads")
    stored = outcome.store.tournaments()[0]
    report = tournament_report(outcome.store, stored)
    assert report.endings == {"resigned": 6}
    assert any("6 of 6 games were adjudicated: 6 resigned." in note for note in report.notes)
    data = report_to_dict(report)
    assert data["endings"] == {"resigned": 6}
    assert data["adjudication"]["resign_moves"] == 2
    assert [game.record.ending for game in outcome.store.games(outcome.key)] == ["resigned"] * 6


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("info score cp 0 nodes 7", 0),
        ("info depth 3 score cp -42", -42),
        ("info score cp 900", 100),
        ("info score cp -1e400", None),
        ("info score cp nan", None),
        ("info score cp", None),
        ("info score", None),
        ("info score mate -3", -100),
        ("info score mate 2", 100),
        ("info score wdl 3", None),
        ("info score cp 5 lowerbound", None),
        ("info nodes 7", None),
    ],
)
def test_the_score_of_an_engine_is_read(line, score):
    assert UgiClient.score_of(None, line.split()) == score


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("info depth 5 score cp 0 pv e2e4", 0),
        ("info score cp 400", 100 * 9 / 11),
        ("info score cp -400", -100 * 9 / 11),
        ("info multipv 1 score mate 3", 100),
        ("info score mate -3", -100),
        ("info score mate 0", -100),
        ("info multipv 2 score cp 400", None),
        ("info score cp 90 upperbound", None),
        ("info string score cp 90", None),
        ("info depth 3 string score cp 90", None),
    ],
)
def test_the_score_of_a_chess_engine_is_an_expected_return(line, score):
    assert UciClient.score_of(None, line.split()) == (None if score is None else pytest.approx(score))


def test_a_score_is_written_as_it_is_read():
    assert [centipawns_of(points_of(score)) for score in (-900, -1, 0, 35, 2000)] == [-900, -1, 0, 35, 2000]
    assert centipawns_of(100.0) == -centipawns_of(-100.0) == 3200


ENGINE = """
import sys
played = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("id name loser", "ugiok", sep="\\n", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        played = words[3:]
    elif words[0] == "go":
        cells = [f"mark({row},{column})" for row in range(1, 6) for column in range(1, 6)]
        free = [cell for cell in cells if cell not in played]
        print("info score cp 3", "info nodes 9 score cp -97", f"bestmove {free[0]}", sep="\\n", flush=True)
    elif words[0] == "quit":
        break
"""


@pytest.mark.skipif(sys.platform != "linux", reason="engines need Linux")
def test_an_engine_resigns_by_the_last_score_before_its_move(tmp_path):
    (tmp_path / "engine.py").write_text(ENGINE)
    engine = f'ugi(command="{sys.executable} {tmp_path}/engine.py")'
    for value, ending in ((2, "resigned"), (1, "")):
        found = records(engine, HIGH, Adjudication(value, 2))
        assert {(record.ending, record.failures) for record in found} == {(ending, ())}
        assert all(record.returns[record.seats.index(0)] == 0 for record in found if ending)


def test_the_command_has_options_for_the_rules(playout, tmp_path):
    command = ["arena", "mnk:m=5,n=5,k=5", LOW, HIGH, "--games", "2", "--resign", "5,2", "--draw", "1,3"]
    command += ["--executor", "threads"]
    shown = playout(*command, "--max-plies", "7").out
    assert "2 of 2 games were adjudicated: 2 resigned." in shown
    assert playout("records", "arena.db").out.count("resigned") == 2
    assert "\nresigned: x 0, o 100\n" in playout("replay", "arena.db", "1").out
    playout("report")
    assert "resign=5,2 draw=1,3 max-plies=7" in (tmp_path / "report.html").read_text()
    refused = playout("arena", "three_player_ttt", "random", "--resign", "5,2")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "constant sum" in refused.err
