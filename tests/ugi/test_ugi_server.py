"""`playout ugi`: a bot as an engine, driven by plain UGI and by the additions for other games."""

import io
import json
import random
import re
import subprocess
import sys

import pytest
from support import environment, random_joint, random_path
from ugi_conversation import quiet
from waiting import HANG_SECONDS

import bots
import mcts
from bots import Bot
from bots.clocks import ClockFace
from bots.engines.server import ugi as server
from bots.engines.server.positions import QUERIES, read_position
from bots.engines.server.requests import RequestError, read_go
from bots.engines.server.ugi import UgiServer
from bots.steps import step_text
from cext.notation import told_by_text
from mcts.registry import native_games

__all__ = ["quiet"]  # a fixture
pytestmark = pytest.mark.usefixtures("quiet")


def test_the_handshake_has_name_and_options(start_server):
    engine = start_server("mnk", "mcts(simulations=50)")
    engine.say("ugi", "isready")
    lines = []
    while (line := engine.hear()) != "readyok":
        lines.append(line)
    assert lines[0] == "id name Playout mcts(simulations=50)"
    assert lines[-1] == "ugiok"
    assert "option name game type string default mnk(m=3,n=3,k=3)" in lines
    assert "option name simulations type spin default 50 min 1 max 2147483647" in lines
    assert "option name solver type string default <empty>" in lines
    assert "option name keep_tree type check default false" in lines
    assert "option name joint_selection type combo default regret_matching var exp3 var regret_matching" in lines


def play_as_cutegames(first, second):
    """A game between two engines as a runner plays it that knows nothing of the rules."""
    moves = []
    for engine in (first, second):
        engine.say("uginewgame")
    while True:
        position = "position startpos" + (" moves " + " ".join(moves) if moves else "")
        first.say(position)
        mover = first if first.ask("query p1turn") == "response true" else second
        assert mover.ask("isready") == "readyok"
        mover.say(position)
        if mover.ask("query gameover") == "response true":
            results = {engine.ask(position, "query result") for engine in (first, second)}
            return moves, results
        moves.append(mover.move("go nodes 60")[0])


@pytest.mark.parametrize("game", ["mnk", "points_ttt"])
def test_a_game_in_turns_is_played_without_any_addition(start_server, game):
    moves, results = play_as_cutegames(start_server(game, "mcts"), start_server(game, "random"))
    state = mcts.load_game(game).new_initial_state()
    for move in moves:
        state.apply_action(state.string_to_action(state.current_player(), move))
    assert state.is_terminal()
    x, o = state.returns()
    assert results == {f"response {'p1win' if x > o else 'p2win' if o > x else 'draw'}"}


@pytest.mark.parametrize("game", ["mnk(m=4,n=4,k=4)", "points_ttt", "dark_mnk"])
def test_the_line_of_a_bot_that_errs_begins_with_the_best_move(start_server, game):
    engine = start_server(game, "level(1)")
    for _ in range(12):
        move, before = engine.move("go nodes 50")
        words = before[-1].split()
        assert words[words.index("pv") + 1] == move


@pytest.mark.parametrize("game", native_games())
def test_every_game_can_be_played_with_the_additions(start_server, game):
    loaded = mcts.load_game(game)
    engines = [start_server(game, "random", seed=player) for player in range(loaded.num_players)]
    state = loaded.new_initial_state()
    steps = []
    while not state.is_terminal():
        acting = state.acting_players()
        joint = random_joint(state, random.Random(len(steps)))
        startpos = " moves ".join(("startpos", " ".join(steps))) if steps else "startpos"
        if state.is_chance():
            engines[0].say(f"position {startpos}")
            assert engines[0].ask("query acting") == "response chance"
            weights = [f"{state.action_to_string(mcts.CHANCE, one)} {weight}" for one, weight in state.chance_weights()]
            assert engines[0].ask("query outcomes") == "response " + " ".join(weights)
            assert engines[0].ask("query gameover") == "response false"
            assert engines[0].move("go")[0] == "none"
        for player in acting:
            view = state.view(player)
            is_told_view = loaded.has_hidden_information or (player == 1 and not steps)
            engine = engines[player]
            engine.say(f"position {f'view {json.dumps(view.to_dict())}' if is_told_view else startpos}")
            assert engine.ask("query players") == f"response {loaded.num_players}"
            assert engine.ask("query acting") == "response " + " ".join(str(one + 1) for one in acting)
            assert engine.ask("query gameover") == "response false"
            assert engine.ask("query outcomes") == "response none"
            assert engine.ask("query returns") == "response none"
            assert engine.ask(f"query view {player + 1}") == f"response {view.to_text()}"
            move, _ = engine.move(f"go seat {player + 1}")
            joint[player] = view.string_to_action(move)
        steps.append(step_text(state, acting, joint))
        state.apply_actions(joint)
    if not loaded.has_hidden_information:
        engines[0].say("position startpos moves " + " ".join(steps))
        assert engines[0].ask("query returns") == "response " + " ".join(f"{value:g}" for value in state.returns())
    else:
        engines[0].say(f"position view {json.dumps(state.view(0).to_dict())}")
    assert engines[0].ask("query gameover") == "response true"
    assert engines[0].ask("query acting") == "response none"


def test_commands_are_answered_during_a_search_and_stop_ends_it(start_server):
    engine = start_server("mnk(m=8,n=8,k=5)", "mcts")
    engine.say("position startpos", "go nodes 2000000000")
    assert engine.ask("isready") == "readyok"
    assert engine.ask("query acting") == "response 1"
    assert "go while thinking" in engine.ask("go nodes 5")
    assert engine.is_silent()
    move, before = engine.move("stop")
    assert move.startswith("mark(")
    assert before[-1].startswith("info nodes ")


@pytest.mark.parametrize(
    ("game", "bot"), [("mnk", "mcts(threads=2)"), ("bidding_3d_ttt", "double_oracle(opening=false)"), ("mnk", "greedy")]
)
def test_stop_works_at_any_moment(start_server, game, bot):
    engine = start_server(game, bot)
    engine.say("position startpos")
    for number in range(8):
        move, _ = engine.move("go seat 1 nodes 2000000000", "isready", "stop")
        assert move != "none", number


def test_an_infinite_go_is_answered_after_stop_and_not_before(start_server):
    engine = start_server("mnk", "mcts(simulations=10)")
    assert engine.ask("go infinite").startswith("info nodes 10 ")
    assert engine.is_silent(0.2)
    assert engine.move("stop")[0].startswith("mark(")


def test_info_has_simulations_score_and_line(start_server):
    engine = start_server("mnk", "mcts(solver=false)")
    # x has two in a row, and it is its turn
    steps = "mark(1,1) mark(2,1) mark(1,2) mark(2,2)"
    move, (info,) = engine.move(f"position startpos moves {steps}", "go simulations 2000")
    words = info.split()
    assert words[:5] == ["info", "nodes", "2000", "simulations", "2000"]
    assert int(words[words.index("cp") + 1]) > 90
    assert words[words.index("pv") + 1 :] == [move] == ["mark(1,3)"]
    engine = start_server("mnk", "mcts")  # sees the win in the first state it looks at
    move, (info,) = engine.move(f"position startpos moves {steps}", "go simulations 2000")
    words = info.split()
    assert int(words[words.index("cp") + 1]) > 90
    assert words[words.index("pv") + 1 :] == [move] == ["mark(1,3)"]
    engine = start_server("bidding_ttt", "mcts")
    _, (info,) = engine.move("go seat 2 nodes 500")
    assert info.split("pv ")[1].split()[0].count("|") == 1


@pytest.mark.parametrize(("game", "bot"), [("mnk(m=8,n=8,k=5)", "mcts"), ("dark_mnk", "ismcts")])
def test_info_is_sent_during_a_search(start_server, monkeypatch, game, bot):
    monkeypatch.undo()  # not quiet
    engine = start_server(game, bot)
    engine.say("go nodes 2000000000")
    lines = [engine.hear().split() for _ in range(2)]
    engine.say("stop")
    while not (line := engine.hear()).startswith("bestmove "):
        lines.append(line.split())
    counts = [int(words[words.index("nodes") + 1]) for words in lines]
    assert counts == sorted(set(counts))
    for words in lines:
        time_taken, speed = (int(words[words.index(word) + 1]) for word in ("time", "nps"))
        assert words[0] == "info"
        assert speed == pytest.approx(1000 * int(words[2]) / time_taken, rel=0.02)
        assert -100 <= int(words[words.index("cp") + 1]) <= 100
        assert len(words) > words.index("pv") + 1
    if bot == "mcts":  # a pure choice: the best move is the first of the last line
        assert lines[-1][lines[-1].index("pv") + 1] == line.split()[1]


@pytest.mark.parametrize("final", ["visits", "value", "lcb"])
@pytest.mark.parametrize("game", ["mnk", "points_ttt", "mnk(m=5,n=5,k=4)"])
def test_the_line_begins_with_the_best_move(start_server, game, final):
    engine = start_server(game, f"mcts(final={final},solver=false)")
    for simulations in (10, 20, 40, 80, 160, 320):
        move, before = engine.move(f"go nodes {simulations}")
        words = before[-1].split()
        assert words[words.index("pv") + 1] == move


@pytest.mark.parametrize("game", native_games())
def test_every_position_of_every_game_can_be_given_as_a_text(start_server, monkeypatch, game):
    positions = []

    def noted(*given):
        positions.append(read_position(*given))
        return positions[-1]

    monkeypatch.setattr(server, "read_position", noted)
    engine = start_server(game, "random")
    for state in random_path(mcts.load_game(game), 5, 40):
        acting = [str(player + 1) for player in state.acting_players()]
        told = " ".join(acting) or ("chance" if state.is_chance() else "none")
        for text in (state.to_text(), json.dumps(state.to_dict()), json.dumps(state.to_dict(), separators=(",", ":"))):
            engine.say(f"position fen {text}")
            assert engine.ask("query acting") == f"response {told}"
            assert told_by_text(positions[-1].state) == told_by_text(state)
        if state.is_terminal():
            break
        joint = random_joint(state, random.Random(1))
        engine.say(f"position fen {state.to_text()} moves {step_text(state, state.acting_players(), joint)}")
        after = state.clone()
        after.apply_actions(joint)
        assert engine.ask("query players").startswith("response ")
        assert told_by_text(positions[-1].state) == told_by_text(after)
        if game != "bidding_3d_ttt":
            continue
        view = state.view(state.acting_players()[0])
        engine.say(f"position view {view.to_text()}")
        assert engine.ask("query gameover") == "response false"
        engine.move(f"go seat {view.player + 1}")


def test_forced_moves_have_no_info(start_server):
    steps = "mark(1,1) mark(1,2) mark(1,3) mark(2,2) mark(2,1) mark(2,3) mark(3,2) mark(3,1)"
    assert start_server("mnk", "mcts").move(f"position startpos moves {steps}", "go nodes 5") == ("mark(3,3)", [])


def test_options_change_game_bot_and_seed(start_server):
    engine = start_server("mnk", "mcts")
    engine.say("setoption name game value points_ttt", "setoption name simulations value 7", "uginewgame")
    move, before = engine.move("go")
    assert before[0].startswith("info nodes 7 ")
    assert engine.server.game.spec == "points_ttt"
    first = {engine.move("setoption name seed value 5", "uginewgame", "go nodes 7")[0] for _ in range(5)}
    assert len(first) == 1
    others = {engine.move("setoption name seed value random", "uginewgame", "go nodes 7")[0] for _ in range(25)}
    assert len(others) > 1
    assert move in {"pass"} | {f"mark({row},{column})" for row in (1, 2, 3) for column in (1, 2, 3)}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dance", "unknown command 'dance'; valid: ugi, isready,"),
        ("_do_ugi", "unknown command"),
        ("setoption name game value chequers", "unknown game 'chequers'"),
        ("setoption name game value bidding_3d_ttt", "cannot play"),
        ("setoption name depth value 3", "unknown option 'depth'; valid: game, seed, simulations"),
        ("setoption name simulations value many", "'many'"),
        ("setoption name seed value dice", "'dice'"),
        (f"setoption name seed value {2**64}", str(2**64)),
        ("setoption", "setoption '' names no option"),
        ("position sfen 8/8", "unknown position 'sfen'; valid: startpos, fen"),
        ("position", "unknown position ''; valid: startpos, fen"),
        ("position fen", "mnk"),
        ("position fen 8/8", "mnk"),
        ("position fen .../.../..._x mark(1,1)", "'mark(1,1)' follows the text"),
        ("position fen {", "not valid JSON"),
        ("position fen " + "[" * 100_000, "mnk"),
        ("position fen " + '{"a":' * 100_000, "not valid JSON"),
        ("position startpos mark(1,1)", "follows startpos"),
        ("position startpos moves mark(1,1) mark(1,1)", "illegal"),
        ("position view nonsense", "nonsense"),
        ("position startpos moves \udcff\x00\x1b[31m", "\\udcff\\x00\\x1b[31m"),
        ("position startpos moves " + "9" * 5000, "999"),
        ("setoption name seed value " + "9" * 5000, "not a whole number"),
        ("ponderhit", "without go ponder"),
        ("position view {}", "board"),
    ],
)
def test_invalid_commands_are_reported_and_later_ones_work(start_server, line, words):
    engine = start_server("mnk", "mcts")
    answer = engine.ask(line)
    assert answer.startswith("info string error ")
    assert words in answer
    assert answer.isprintable()
    assert len(answer) < 1100
    assert engine.ask("isready") == "readyok"


@pytest.mark.parametrize(
    ("position", "go", "words"),
    [
        ("position startpos moves mark(7,7)", "go nodes 5", "no position to go from"),
        ("position startpos", "go nodes none", "nodes 'none'"),
        ("position startpos", "go nodes", "nodes ''"),
        ("position startpos", "go seat 3", "seat 3 is out of range; valid: 1 to 2"),
        ("position startpos", "go seat 2", "player 2 does not decide here"),
        ("position startpos", "go p3time 100", "player 3"),
        (
            "position startpos moves mark(1,1) mark(2,1) mark(1,2) mark(2,2) mark(1,3)", "go", "the game is over",
        ),
    ],
)  # fmt: skip
def test_a_go_is_always_answered(start_server, position, go, words):
    engine = start_server("mnk", "mcts")
    engine.say(position)
    move, before = engine.move(go)
    assert move == "none"
    assert any(words in line for line in before)


def test_the_player_must_be_named_where_several_decide(start_server):
    move, before = start_server("bidding_ttt", "mcts").move("go nodes 5")
    assert move == "none"
    assert "valid: go seat P" in before[0]


def test_after_a_refused_position_queries_are_errors_until_a_good_one_comes(start_server):
    engine = start_server("mnk", "mcts")
    engine.say("position startpos moves mark(1,1)")
    assert engine.ask("query p1turn") == "response false"
    for bad in ("position startpos moves mark(7,7)", "position fen x", "position view {}", "position nowhere"):
        error = engine.ask(bad).removeprefix("info string error ")
        for query in QUERIES:
            assert engine.ask(f"query {query}") == (
                f"info string error no position to ask about: the last position was refused: {error}"
            )
            assert engine.hear() == "response error"
        move, before = engine.move("go nodes 5")
        assert move == "none"
        assert "no position to go from: the last position was refused" in before[0]
    engine.say("position startpos moves mark(1,1)")
    assert engine.ask("query p1turn") == "response false"
    engine.ask("position nowhere")
    engine.say("uginewgame")
    assert engine.ask("query p1turn") == "response true"
    assert engine.ask("query view 3").startswith(
        "info string error '3' is not a player; valid: query view P, P from 1 to 2"
    )
    assert engine.hear() == "response error"
    assert engine.ask("query weather").startswith("info string error unknown query 'weather'; valid: p1turn")
    assert engine.hear() == "response error"


def test_a_crash_of_the_bot_is_answered(start_server):
    class Broken(Bot):
        def choose(self, view, limit=None):
            raise RuntimeError("no idea")

    move, (error,) = start_server("mnk", Broken()).move("go")
    assert move == "none"
    assert re.fullmatch(r"info string error RuntimeError: no idea \(test_ugi_server\.py:\d+\)", error)


def test_arguments_of_go_are_read():
    line = "seat 2 movetime 250 simulations 9 p1time 3000 p2time 1500 p1inc 100 depth 5"
    request = read_go(line.split(), 2)
    assert (request.seat, request.infinite, request.unknown) == (1, False, ("depth", "5"))
    assert (request.limit.seconds, request.limit.simulations) == (0.25, 9)
    assert request.limit.clocks == (ClockFace(3.0, 0.1), ClockFace(1.5, 0.0))
    assert read_go(["p2time", "-5"], 2).limit.clocks == (None, ClockFace(0.0))
    assert read_go(["infinite"], 2).infinite
    assert read_go(["movetime", "0"], 2).limit.seconds > 0
    assert read_go([], 2).limit.clocks == ()
    for bad in ("movetime", "nodes 0", "seat x", "p9time 4"):
        with pytest.raises(RequestError):
            read_go(bad.split(), 2)


PATIENT = f"import bots.cli; from bots.engines.server import ugi; ugi.LAST_SECONDS = {HANG_SECONDS}; bots.cli.main()"
"""The command, whose bots have time to end at `quit`."""


def run_engine(arguments, text):
    return subprocess.run(
        [sys.executable, "-P", "-c", PATIENT, "ugi", *arguments],
        input=text,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=2 * HANG_SECONDS,
    )


def test_output_of_a_bot_is_not_an_answer_of_the_engine():
    done = run_engine(["mnk", "hostile_bots.Printer"], "position startpos\ngo\n")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["bestmove"]
    for way in ("print", "bytes", "write"):
        assert f"by {way}" in done.stderr
    assert "\x1b" not in done.stderr


def test_the_command_refuses_what_it_cannot_play(playout):
    assert "cannot play" in playout("ugi", "bidding_3d_ttt", "mcts").err
    assert "'chequers'" in playout("ugi", "chequers", "mcts").err


def test_a_line_that_is_too_long_is_refused_and_leaves_no_position():
    said = []
    server = UgiServer(mcts.load_game("mnk"), bots.load_bot("random"), said.append, 1)
    long_line = "position startpos moves " + "mark(1,1) " * 300_000
    assert server.serve_stream(io.StringIO(f"query acting\n{long_line}\nquery acting\nuginewgame\nquery acting"))
    assert said[0] == said[-1] == "response 1"
    assert said[1] == "info string error the line has more than 1,048,576 characters"
    assert said[2:4] == [
        "info string error no position to ask about: the line has more than 1,048,576 characters",
        "response error",
    ]
    assert len(said) == 5


def test_the_command_answers_junk_in_plain_text_until_the_end_of_its_input():
    junk = random.Random(1).randbytes(50_000) + b"\nquit\0\n\xff\nisready\nposition fen \xed\xa0\x80\nisready\n"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bots.cli", "ugi", "mnk", "random"],
        input=b"ugi\nisready\n" + junk,
        env=environment(),
        capture_output=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    begin, _, rest = done.stdout.decode().partition("ugiok\nreadyok\n")
    assert begin.startswith("id name ")
    lines = rest.splitlines()
    assert lines.count("readyok") == 2
    assert all(line == "readyok" or line.startswith("info string error ") for line in lines)
    assert all(letter.isprintable() or letter == "\xa0" for line in lines for letter in line)
