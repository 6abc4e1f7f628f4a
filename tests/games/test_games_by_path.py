"""Games named by the path of their class: in every option, in every process, and with clear errors."""

import io
import json
import pickle
import sqlite3
import sys
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import environment, run_python

import bots
import mcts
from bots.arena.runner import run_tournament
from bots.arena.store.store import Store
from bots.arena.tournament.schedule import Tournament
from bots.engines.server.ugi import UgiServer
from mcts.errors import GameLoadError, UnknownGameError

PATH = "games_by_path.CountDown"


def test_a_game_is_loaded_by_the_path_of_its_class():
    game = mcts.load_game(f"{PATH}(heap=7)")
    assert game.spec == str(game) == f"{PATH}(heap=7,mood=calm,loud=false)"
    assert game == mcts.load_game(f"{PATH}:heap=7") == mcts.load_game(PATH, heap=7)
    assert hash(game) == hash(mcts.load_game(game.spec))
    assert game != mcts.load_game(PATH)
    assert game.new_initial_state().to_dict() == {"left": 7, "to_move": 0}
    assert mcts.load_game(f"{PATH}(heap=1)").num_actions == 1
    assert mcts.game_info(PATH).summary.startswith("Two players take one or two")
    assert mcts.MCTS.plain(game, seed=1).run(game.new_initial_state(), simulations=500).action == 0


def test_a_custom_constructor_is_called_once_with_the_parameters():
    game = mcts.load_game("games_by_path.OwnArguments(heap=4)")
    assert type(game).made == 1
    assert mcts.load_game(game.new_initial_state().game.spec.partition("(")[0], heap="4") == game
    assert pickle.loads(pickle.dumps(game)) == game


def test_pickles_keep_the_path():
    state = mcts.load_game(f"{PATH}(heap=7)").new_initial_state()
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.game.spec == state.game.spec


def test_a_built_in_game_can_be_named_by_its_path():
    game = mcts.load_game("cext.games.mnk.Mnk(m=4)")
    assert game == mcts.load_game("mnk(m=4)") == pickle.loads(pickle.dumps(game))
    assert game.spec == "cext.games.mnk.Mnk(m=4,n=3,k=3)"


@pytest.mark.parametrize(
    ("spec", "kind", "words"),
    [
        ("games_by_path.Nobody", UnknownGameError, ["'games_by_path' has no class 'Nobody'", "mcts.PythonGame"]),
        ("games_by_path.NotAGame", UnknownGameError, ["'NotAGame' derived from mcts.PythonGame"]),
        ("nowhere.All", UnknownGameError, ["unknown game 'nowhere.All': cannot import 'nowhere'", "PYTHONPATH"]),
        ("games_by_path.Failing", GameLoadError, ["cannot be loaded: ZeroDivisionError: no heap"]),
        ("games_by_path.OwnArguments(size=3)", mcts.ParameterError, ["it takes (*, heap)"]),
        ("games_by_path.OwnArguments", mcts.ParameterError, ["'heap'", "it takes (*, heap)"]),
        (f"{PATH}(heap=0)", mcts.ParameterError, ["heap=0 is out of range; valid: 1 to 50"]),
        (f"{PATH}(size=3)", mcts.ParameterError, ["no parameter 'size'; valid: heap, label, mood, loud"]),
        ("games_by_path.CountDown.", mcts.errors.SpecError, ["name(key=value"]),
        ("games_by_path..CountDown", mcts.errors.SpecError, ["name(key=value"]),
        ("nim_of_nobody", UnknownGameError, ["the path of a class, package.module.Class"]),
    ],
)  # fmt: skip
def test_errors_of_a_path_name_the_cause(spec, kind, words):
    with pytest.raises(kind) as caught:
        mcts.load_game(spec)
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("1 / 0", "cannot be loaded: cannot import 'broken' (ZeroDivisionError: division by zero (broken.py:1))"),
        ("import sys; sys.exit(3)", "cannot be loaded: cannot import 'broken' (SystemExit: 3 (broken.py:1))"),
        ("def", "cannot be loaded: cannot import 'broken' (SyntaxError: "),
        ("import nothing_of_this_name", "cannot be loaded: cannot import 'broken' (No module named 'nothing_of_this"),
    ],
)
def test_a_module_that_cannot_be_imported_is_a_load_error(tmp_path, monkeypatch, code, reason):
    (tmp_path / "broken.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    with pytest.raises(GameLoadError) as caught:
        mcts.load_game("broken.Game")
    assert f"the game 'broken.Game' {reason}" in str(caught.value)
    with pytest.raises(bots.UnknownBotError, match=r"unknown bot 'broken.Bot': cannot import 'broken'"):
        bots.load_bot("broken.Bot")


TEXTS = st.text(max_size=12) | st.text("ab(=),: 1'\"\\\n\t.é\U0001f600", max_size=12)


@given(TEXTS.filter(str.strip), st.sampled_from(["calm", "odd, (one)"]))
def test_a_spec_with_any_text_reads_back(label, mood):
    game = mcts.load_game(PATH, label=label, mood=mood)
    again = mcts.load_game(game.spec)
    assert again.spec == game.spec
    assert again.parameters == game.parameters == {"heap": 5, "label": label, "mood": mood, "loud": False}


def test_a_tournament_in_processes_and_threads_has_the_same_results():
    tournament = Tournament(f"{PATH}(heap=6)", 2, ("random", "mcts(simulations=30)"), 12, 1)
    processes, threads = (run_tournament(tournament, 2, executor=name).records for name in ("processes", "threads"))
    assert processes == threads
    assert len(processes) == tournament.num_games
    assert not any(record.failures for record in processes)


@pytest.mark.long
def test_a_game_by_path_is_played_on_a_cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(1, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster:
        tournament = Tournament(f"{PATH}(heap=6)", 2, ("random", "greedy"), 4, 1)
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        assert run_tournament(tournament, 1, executor=address).records == run_tournament(tournament, 1).records


SPAWNED = """
import multiprocessing
from bots.arena.runner import run_tournament
from bots.arena.tournament.schedule import Tournament

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    records = run_tournament(Tournament("games_by_path.CountDown(heap=6)", 2, ("random", "greedy"), 4, 1), 2).records
    print([len(record.failures) for record in records])
"""


@pytest.mark.long
def test_a_game_by_path_is_played_in_spawned_workers(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(SPAWNED)
    code = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')"
    assert run_python(code, str(program), PYTHONPATH=environment()["PYTHONPATH"]).strip() == "[0, 0, 0, 0, 0, 0, 0, 0]"


def test_commands_accept_a_path(playout):
    assert json.loads(playout("search", PATH, "--simulations", "300", "--json").out)["game"].startswith(PATH)
    shown = playout("search", f"{PATH}(heap=2)", "--state", '{"left":2,"to_move":1}', "--simulations", "99").out
    assert "second to decide" in shown
    assert "Two players take" in playout("play", PATH, "--bot", "random", stdin="quit\n").out
    done = playout("arena", f"{PATH}:heap=4", "random", "greedy", "--games", "4", "--workers", "1")
    assert done.status == 0
    assert PATH in playout("ratings", "arena.db").out
    done = playout("search", "nowhere.Game")
    assert (done.status, len(done.err.splitlines())) == (2, 1)


def test_returns_that_equal_seat_numbers_are_stored_as_what_they_are(tmp_path):
    path = tmp_path / "games.db"
    with Store(str(path)) as store:
        run_tournament(Tournament(f"{PATH}(heap=4)", 2, ("random", "greedy"), 3, 1), store=store)
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT seats, returns FROM games").fetchall()
    assert len(rows) == 6
    assert {seats for seats, _ in rows} == {"[0, 1]", "[1, 0]"}
    assert {returns for _, returns in rows} <= {"[0.0, 1.0]", "[1.0, 0.0]"}


def test_ugi_accepts_a_path():
    said = io.StringIO()
    server = UgiServer(mcts.load_game("mnk"), bots.load_bot("random"), lambda line: said.write(line + "\n"), 1)
    server.serve(
        iter([f"setoption name game value {PATH}(heap=1)\n", "uginewgame\n", "query acting\n", "go nodes 1\n"])
    )
    assert "response 1" in said.getvalue()
    assert "bestmove take(1)" in said.getvalue()
