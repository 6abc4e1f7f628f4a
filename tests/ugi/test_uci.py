"""The Universal Chess Interface: what an engine is sent, which of its answers count, and a bot as an engine."""

import io
import re
import sys

import pytest
from engine_games import begun, line_bots, nothing_is_left, process_of, records_against_random
from waiting import HANG_SECONDS

import bots
import mcts
from bots import errors
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.tournament.limits import NO_BOT_LIMIT
from bots.clocks import ClockFace, TurnLimit
from bots.engines.server.uci import UciServer
from bots.steps import apply_step

__all__ = ["nothing_is_left"]  # a fixture
GAME = mcts.load_game("chess")
PROMOTION = "4k3/P7/8/8/8/8/8/4K3_w_-_-_0_1"


@pytest.fixture
def engine(nothing_is_left):
    """Makes bots with an engine that answers with given lines, after the first word of a command."""
    with line_bots("uci") as make:
        yield lambda more="", **answers: make(answers, more)


def told(bot, word):
    return [line[2:] for line in process_of(bot).log.splitlines() if line.startswith(f"> {word}")]


def test_an_engine_is_sent_moves_clocks_and_limits(engine):
    bot = engine(go=[["bestmove g1f3"]])
    view = begun(bot, GAME, "e2e4", "e7e5")
    clocks = (ClockFace(60.0, 0.5, moves_to_go=38), ClockFace(50.25, 0.5, moves_to_go=40))
    assert view.action_to_string(bot.choose(view, TurnLimit(clocks=clocks))) == "g1f3"
    bot.choose(view, TurnLimit(simulations=7, seconds=0.25))
    assert told(bot, "position") == ["position startpos moves e2e4 e7e5"] * 2
    assert told(bot, "go") == [
        "go wtime 60000 winc 500 btime 50250 binc 500 movestogo 38", "go nodes 7 movetime 250",
    ]  # fmt: skip


def test_an_engine_without_the_option_of_chess960_is_not_sent_it(engine):
    bot = engine(go=[["bestmove e2e4"]])
    bot.choose(begun(bot, GAME))
    assert told(bot, "setoption") == []
    bot = engine(uci=[["option name UCI_Chess960 type check default false", "uciok"]], go=[["bestmove e2e4"]])
    bot.choose(begun(bot, GAME))
    assert told(bot, "setoption") == ["setoption name UCI_Chess960 value false"]


def test_a_position_without_its_moves_is_sent_as_fen(engine):
    bot = engine(go=[["bestmove a7a8Q"]], more=",depth=3")
    state = GAME.state_from_text(PROMOTION)
    action = bot.choose(state.view(0))
    for depth in (2, 4):
        bot.choose(state.view(0), TurnLimit(depth=depth))
    assert state.action_to_string(0, action) == "a7a8q"
    assert told(bot, "position") == ["position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1"] * 3
    assert told(bot, "go") == ["go depth 3", "go depth 2", "go depth 3"]


def test_a_game_from_another_position_is_sent_with_its_moves(engine):
    bot = engine(go=[["bestmove e1e2"], ["bestmove e2e1"]])
    state, fen = GAME.state_from_text("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), "position fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    bot.new_game(GAME, 0, 1)
    for steps in (("e1e2", "e8e7"), ("e2e1", "e7e8")):
        assert state.action_to_string(0, bot.choose(state.view(0))) == steps[0]
        for step in steps:
            bot.inform(step)
            apply_step(state, step)
    assert told(bot, "position") == [fen, f"{fen} moves e1e2 e8e7"]


@pytest.mark.parametrize(
    "answer", ["(none)", "0000", "e4", "E2E4", "e2e4qq", "e2-e4", "e2e4\xa0", "e7e8k", "\x1b[31m", "z" * 70_000]
)
def test_an_answer_that_is_no_move_is_an_illegal_move(engine, answer):
    bot = engine(go=[[f"bestmove {answer}"]])
    with pytest.raises(errors.BotFailureError) as failure:
        bot.choose(begun(bot, GAME), mcts.Limit(seconds=0.1))
    assert failure.value.kind == errors.ILLEGAL
    assert len(str(failure.value)) < 400


def test_a_game_is_lost_by_an_illegal_move_and_goes_on_without_one(engine):
    bot = engine(go=[["bestmove e2e4"], ["bestmove e1e3"]])
    seated = [bot, bots.load_bot("random")]
    scheduled = ScheduledGame(0, 0, (0, 1), 3)
    record = play_game(GAME, seated.__getitem__, scheduled, [NO_BOT_LIMIT] * 2, HANG_SECONDS, lambda seat: None)
    assert [(failure.kind, failure.ply) for failure in record.failures] == [(errors.ILLEGAL, 2)]
    assert record.returns == (0.0, 100.0)


def test_noise_is_ignored_and_the_last_exact_score_counts(engine):
    lines = [
        "", "info string score cp 900", "info depth 3 score cp 10", "info depth 4 multipv 2 score cp 900",
        "info depth 5 score cp 400 nodes 7 pv e2e4", "info depth 6 score cp 20 lowerbound", "bestmove e2e4\r",
    ]  # fmt: skip
    names = ["option name Skill Level type spin default 20 min 0 max 20", "option name Book type string default"]
    bot = engine(uci=[["", "info string hello", *names, "uciok"]], go=[lines], more=",option.Skill_Level=3")
    view = begun(bot, GAME)
    assert view.action_to_string(bot.choose(view)) == "e2e4"
    assert bot.expected_return(0) == pytest.approx(100 * 10 / 11)
    assert told(bot, "setoption") == ["setoption name Skill Level value 3"]


def test_an_engine_ponders_the_reply_that_it_expects(engine):
    answers = [["bestmove e2e4 ponder e7e5"], [], [], ["bestmove a2a3"]]
    bot = engine(go=answers, ponderhit=[["bestmove g1f3 ponder b8c6"]], stop=[["bestmove a2a4"]], more=",ponder=true")
    state = GAME.new_initial_state()
    bot.new_game(GAME, 0, 5)
    clocks = TurnLimit(clocks=(ClockFace(60.0, 1.0), ClockFace(60.0, 1.0)))
    played = []
    for reply in ("e7e5", "d7d6", None):  # as expected, and another one
        played.append(state.action_to_string(0, bot.choose(state.view(0), clocks)))
        for move in (played[-1], reply) if reply else ():
            state.apply_action(state.string_to_action(state.current_player(), move))
            bot.inform(move)
    assert played == ["e2e4", "g1f3", "a2a3"]
    assert [line.split(" wtime")[0] for line in told(bot, "go")] == ["go", "go ponder", "go ponder", "go"]
    assert told(bot, "position")[1:3] == [
        "position startpos moves e2e4 e7e5", "position startpos moves e2e4 e7e5 g1f3 b8c6",
    ]  # fmt: skip
    assert (len(told(bot, "ponderhit")), len(told(bot, "stop"))) == (1, 1)
    bot.close()


def test_the_engine_of_a_bot_plays_chess_alone():
    with pytest.raises(mcts.UnsupportedGameError, match=r"its engine plays chess; use ugi"):
        bots.load_bot("uci(command=x)").check_game(mcts.load_game("mnk"))


# A bot as an engine


def said(*lines, bot="mcts(simulations=20)", game=GAME):
    """What our engine says to lines. The end of the input ends it after its answers."""
    heard = []
    UciServer(game, bots.load_bot(bot), heard.append, 1).serve_stream(io.StringIO("\n".join([*lines, "isready", ""])))
    return heard


def test_the_handshake_has_the_names_that_chess_programs_know():
    lines = said("uci")
    assert lines[0] == "id name Playout mcts(simulations=20)"
    assert "uciok" in lines
    names = {re.match(r"option name (.*?) type", line)[1] for line in lines if line.startswith("option")}
    assert {"Hash", "Threads", "UCI_Chess960", "Ponder", "Move Overhead", "exploration"} <= names
    assert not {"game", "memory_mb", "threads"} & names
    assert not [
        line for line in said("setoption name Hash value 33", "setoption name ponder value true") if "err" in line
    ]


@pytest.mark.parametrize(
    ("lines", "moves"),
    [
        (["position startpos moves e2e4 e7e5", "go nodes 30"], 29),
        (["position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "go wtime 1000 btime 1000 movestogo 3"], 9),
        (["position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q e8e7", "go movetime 20"], 26),
        (["position startpos", "go depth 5 searchmoves e2e4 d2d4"], 20),
        (["position fen 4k3/8/8/8/8/8/8/4K2R w K -", "go nodes 3"], 15),
    ],
)
def test_each_go_has_one_legal_move(lines, moves):
    heard = said(*lines)
    best = [line for line in heard if line.startswith("bestmove")]
    assert re.fullmatch(r"bestmove [a-h][1-8][a-h][1-8][nbrq]?", *best)
    infos = [line for line in heard if line.startswith("info depth")]
    assert infos
    for line in infos:
        assert re.fullmatch(r"info depth \d+ nodes \d+ nps \d+ time \d+ score cp -?\d+ pv( [a-h1-8nbrq]{4,5})+", line)
    assert not [line for line in heard if "error" in line]
    position = lines[0].removeprefix("position ")
    state = GAME.new_initial_state()
    if position.startswith("fen"):
        state = GAME.state_from_text("_".join(position.split(" moves ")[0].split()[1:]))
    for move in position.partition(" moves ")[2].split():
        state.apply_action(state.string_to_action(state.current_player(), move))
    player = state.current_player()
    assert best[0].split()[1] in {state.action_to_string(player, action) for action in state.legal_actions(player)}
    assert len(state.legal_actions(player)) == moves


def test_bad_lines_are_errors_and_a_go_still_has_an_answer():
    heard = said("dance", "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "go nodes 5", "setoption name game value mnk")
    assert heard.count("bestmove 0000") == 1
    errors_heard = [line for line in heard if line.startswith("info string error")]
    assert "unknown command 'dance'; valid: uci, isready" in errors_heard[0]
    assert any("unknown option 'game'" in line for line in errors_heard)
    assert heard[-1] == "readyok"
    assert "time 'x' is not a whole number" in said("go wtime x")[0]


def test_chess960_is_an_option():
    fen = "2r3kr/pbqp1ppp/1pn1p3/8/8/1PN1P3/PBQP1PPP/2R3KR w HChc - 0 1"
    heard = said("setoption name UCI_Chess960 value true", f"position fen {fen} moves g1h1", "go nodes 20")
    assert not [line for line in heard if "error" in line]
    heard = said(f"position fen {fen} moves g1h1", "go nodes 20")
    assert [line for line in heard if "error" in line]


@pytest.mark.long
@pytest.mark.parametrize("command", ["stockfish", "gnuchess --uci"])
def test_public_engines_play(command):
    records = records_against_random("chess", "uci", command, "clock=40/9+0.1")
    assert [record.failures for record in records] == [()] * 2
    assert {record.returns[record.seats.index(0)] for record in records} == {100.0}


@pytest.mark.long
def test_a_public_host_plays_with_our_engine():
    chess = pytest.importorskip("chess")
    engine = pytest.importorskip("chess.engine")
    command = [sys.executable, "-P", "-m", "bots.cli", "uci", "chess", "mcts(simulations=50)"]
    with engine.SimpleEngine.popen_uci(command) as ours:
        board = chess.Board()
        for _ in range(8):
            limit = engine.Limit(white_clock=9, black_clock=9, white_inc=0.1, black_inc=0.1, remaining_moves=20)
            board.push(ours.play(board, limit, ponder=True).move)
        found = ours.analyse(board, engine.Limit(nodes=60))
        assert found["pv"][0] in board.legal_moves
        board = chess.Board("2r3kr/pbqp1ppp/1pn1p3/8/8/1PN1P3/PBQP1PPP/2R3KR w HChc - 0 1", chess960=True)
        for _ in range(4):
            board.push(ours.play(board, engine.Limit(nodes=30)).move)
