"""Timing of the UGI server: each go has one bestmove, and each isready and query one line, whenever they come."""

import io
import random
import re
import subprocess
import sys
import threading
from collections import Counter
from queue import Queue

import pytest
from support import environment
from ugi_conversation import quiet
from waiting import HANG_SECONDS, let_pass

import bots
import mcts
from bots import Bot
from bots.engines.server.ugi import UgiServer

__all__ = ["quiet"]  # a fixture
pytestmark = pytest.mark.usefixtures("quiet")
BOARD = "mnk(m=8,n=8,k=5)"
COMMANDS = (
    "go nodes 20", "go movetime 2", "go nodes 2000000000", "go infinite", "go ponder", "stop", "stop", "ponderhit",
    "isready", "query p1turn", "query acting", "uginewgame", "setoption name seed value 4", "position startpos",
    "position startpos moves mark(1,1)", "position fen ..../..../..../...._x",
)  # fmt: skip


def test_a_go_that_comes_while_bestmove_is_still_being_written_is_answered():
    """The next go is read before the thread that writes bestmove has got any further."""
    lines, answers = Queue(), []
    goes, rounds = 1, 300
    read = threading.Event()

    def feed():
        while (line := lines.get()) is not None:
            yield line
            read.set()  # the line before has been dealt with

    def write(line):
        nonlocal goes
        answers.append(line)
        if line.startswith("bestmove") and goes < rounds:
            goes += 1
            read.clear()
            lines.put("go nodes 3\n")
            assert read.wait(HANG_SECONDS)
        elif line.startswith("bestmove"):
            lines.put("quit\n")

    server = UgiServer(mcts.load_game("points_ttt"), bots.load_bot("mcts"), write, 1)
    lines.put("go nodes 3\n")
    assert server.serve(feed())
    assert [line for line in answers if "error" in line] == []
    assert len([line for line in answers if line.startswith("bestmove ")]) == rounds


class Slow(Bot):
    """Takes its time: a choose that hardly looks at stop, and a preparation."""

    def new_game(self, game, player, seed):
        super().new_game(game, player, seed)
        let_pass(0.002)

    def choose(self, view, limit=None):
        let_pass(self.random.random() * 0.004)
        return self.random.choice(view.legal_actions())


@pytest.mark.parametrize("bot", ["mcts", "greedy", Slow, "mcts(threads=2)"])
def test_thousands_of_commands_at_random_moments_are_all_answered(start_server, bot):
    draw = random.Random(str(bot))
    engine = start_server("mnk(m=4,n=4,k=3)", bot() if isinstance(bot, type) else bot, seed=3)
    expected, heard = Counter(), Counter()
    errors = []
    thinking = stopped = False

    def hear():
        """Read what is there; True when a bestmove has come."""
        line = engine.hear()
        word = line.split()[0]
        heard[word] += 1
        if line.startswith("info string error"):
            errors.append(line)
        return word == "bestmove"

    for _ in range(600):
        command = draw.choice(COMMANDS)
        if command.startswith("go") and thinking and not stopped:
            command = "stop"
        if command == "ponderhit" and not thinking:
            command = "isready"
        if command.startswith("go"):
            expected["bestmove"] += 1
            thinking, stopped = True, False
        elif command == "stop":
            stopped = True
        elif command == "isready":
            expected["readyok"] += 1
        elif command.startswith("query"):
            expected["response"] += 1
        engine.say(command)
        pause = draw.random()
        if pause < 0.2:
            let_pass(draw.random() * 0.004)
        if pause < 0.5 and thinking and stopped:
            while heard["bestmove"] < expected["bestmove"]:
                hear()
            thinking = False
        while not engine.is_empty():
            hear()
        if heard["bestmove"] == expected["bestmove"]:
            thinking = False
    engine.say("stop")
    engine.say("isready")  # its answer follows the errors of all commands before
    expected["readyok"] += 1
    while any(heard[word] < expected[word] for word in expected):
        hear()
    assert engine.is_silent()
    assert {word: heard[word] for word in expected} == expected
    assert expected["bestmove"] > 60
    assert [line for line in errors if "ponderhit without go ponder" not in line] == []


def test_a_go_after_stop_need_not_wait_for_the_answer(start_server):
    engine = start_server(BOARD, "mcts")
    for _ in range(20):
        engine.say("go nodes 2000000000", "stop", "go nodes 5", "isready")
        answers = [engine.hear() for _ in range(5)]
        assert [line.split()[0] for line in answers if line != "readyok"] == ["info", "bestmove", "info", "bestmove"]


def test_stop_ends_the_decision_before_it_and_not_the_one_after_it(start_server):
    engine = start_server(BOARD, "mcts")
    for _ in range(15):
        engine.say("go nodes 2000000000", "stop", "go nodes 3000")
        infos = [line for line in (engine.hear() for _ in range(4)) if line.startswith("info")]
        assert infos[-1].startswith("info nodes 3000 ")


def test_stop_without_a_go_is_ignored(start_server):
    engine = start_server("mnk", "mcts(solver=false)")
    engine.say("stop", "stop")
    assert engine.move("go nodes 700")[1][-1].startswith("info nodes 700 ")
    engine.say("stop")
    assert engine.ask("isready") == "readyok"


def test_a_position_and_a_new_game_while_thinking_are_for_the_next_go(start_server):
    engine = start_server("mnk", "mcts(solver=false)")
    steps = "mark(1,1) mark(2,1) mark(1,2) mark(2,2)"  # x wins by mark(1,3)
    engine.say(f"position startpos moves {steps}", "go nodes 2000000000")
    engine.say("position startpos moves mark(2,2)")
    assert engine.ask("query p1turn") == "response false"
    engine.say("uginewgame", "setoption name simulations value 50")
    assert engine.ask("query p1turn") == "response true"
    assert engine.move("stop")[0] == "mark(1,3)"
    _, before = engine.move("go")
    assert before[-1].startswith("info nodes 50 ")


def test_pondering_is_answered_after_ponderhit_or_stop_and_not_before(start_server):
    engine = start_server("mnk", "mcts")
    assert engine.ask("go ponder nodes 10").startswith("info nodes 10 ")
    assert engine.is_silent(0.1)
    assert "go while thinking" in engine.ask("go nodes 5")
    assert engine.move("ponderhit")[0].startswith("mark(")
    engine.say("go ponder")
    let_pass(0.02)
    assert engine.move("stop")[0].startswith("mark(")
    assert engine.move("go ponder", "ponderhit")[0].startswith("mark(")
    assert "without go ponder" in engine.ask("ponderhit")
    engine.say("go infinite")
    while (line := engine.ask("ponderhit")).startswith("info nodes"):
        pass
    assert "without go ponder" in line
    engine.say("stop")


def test_an_infinite_go_thinks_until_it_is_stopped(start_server, monkeypatch):
    monkeypatch.undo()  # not quiet
    engine = start_server(BOARD, "mcts(solver=false)")
    engine.say("go infinite")
    while int(engine.hear().split()[2]) <= 10_000:  # the default of the bot is 1,000
        pass
    assert engine.move("stop")[0].startswith("mark(")


def test_isready_waits_for_the_preparation_and_not_for_a_decision(start_server):
    class Careful(Bot):
        prepared = ()
        released = threading.Event()

        def new_game(self, game, player, seed):
            let_pass(0.1)
            self.prepared = (*self.prepared, (game.spec, player))

        def choose(self, view, limit=None):
            assert self.released.wait(HANG_SECONDS)
            return view.legal_actions()[0]

    engine = start_server("mnk", Careful())
    assert engine.ask("isready") == "readyok"
    assert engine.server.bot.prepared == (("mnk(m=3,n=3,k=3)", 0),)
    engine.say("go")
    assert engine.ask("isready") == "readyok"
    Careful.released.set()
    assert engine.hear().startswith("bestmove ")
    assert engine.server.bot.prepared == (("mnk(m=3,n=3,k=3)", 0),)
    engine.move("position startpos moves mark(1,1)", "go")
    assert [player for _, player in engine.server.bot.prepared] == [0, 1]


def test_answers_come_in_the_order_of_the_commands(start_server):
    engine = start_server("mnk", Slow())
    for _ in range(100):
        engine.say("uginewgame", "isready", "query p1turn", "position startpos moves mark(1,1)", "query p1turn")
        engine.say("dance", "query gameover", "go", "query acting", "isready")
        answers = [engine.hear() for _ in range(8)]
        place = next(number for number, line in enumerate(answers) if line.startswith("bestmove "))
        assert place >= 5
        del answers[place]
        assert [line.split(";")[0] for line in answers] == [
            "readyok",
            "response true",
            "response false",
            "info string error unknown command 'dance'",
            "response false",
            "response 2",
            "readyok",
        ]


def test_quit_ends_the_server_during_a_search(monkeypatch):
    monkeypatch.setattr("bots.engines.server.ugi.LAST_SECONDS", HANG_SECONDS)
    said = []
    server = UgiServer(mcts.load_game(BOARD), bots.load_bot("mcts"), said.append, 1)
    assert server.serve_stream(io.StringIO("isready\nstop\ngo infinite\nquit\nisready\n"))
    assert said[0] == "readyok"
    assert said[-1].startswith("bestmove mark(")


def test_the_end_of_the_input_ends_the_command_during_a_search():
    code = f"import bots.cli; from bots.engines.server import ugi; ugi.LAST_SECONDS = {HANG_SECONDS}; bots.cli.main()"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, "ugi", BOARD, "mcts"],
        input="go nodes 2000000000\n",
        env=environment(),
        capture_output=True,
        text=True,
        timeout=2 * HANG_SECONDS,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^bestmove mark\(\d,\d\)$", done.stdout, re.MULTILINE)


class Deaf(Bot):
    """Never ends, and does not hear `stop`."""

    def choose(self, view, limit=None):
        threading.Event().wait()


def test_a_bot_that_does_not_stop_cannot_keep_the_engine_alive():
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bots.cli", "ugi", "mnk", "test_ugi_timing.Deaf"],
        input="go\nstop\nisready\nquit\n",
        env=environment(),
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "readyok\n"
