"""Compiled networks: the same games bit by bit, and a cache that trusts and keeps only what it may."""

import os
import random
import shutil
import subprocess
import sys
import threading

import pytest
from rulesheets import COMMON_NOOP, ENDLESS, FOLDER, WITHOUT_MOVE, load, written
from sampling import sweep
from test_rulesheet_mutations import mutated
from waiting import HANG_SECONDS

import mcts
from bench.native import compare_games
from cext.errors import ParameterError
from cext.game.playouts import play_chunks
from cext.gdl.game import NetworkGame
from cext.gdl.library import Library
from mcts.errors import RulesheetError
from mcts.gdl import c_code, libraries
from mcts.gdl.game import RulesheetGame

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or not any(map(shutil.which, libraries.COMPILERS)), reason="there is no C compiler"
)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, and games that are compiled when they are loaded."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PLAYOUT_COMPILE", "always")
    sanitizers = os.environ.get("PLAYOUT_SANITIZE")  # as setup.py takes it
    checks = [f"-fsanitize={sanitizers}"] if sanitizers else []
    monkeypatch.delenv("LD_PRELOAD", raising=False)  # of the sanitizers, which exceed the memory of a compiler
    monkeypatch.setattr(libraries, "FLAGS", [*libraries.FLAGS, "-O0", *checks])
    monkeypatch.setattr(RulesheetGame, "gains_from", lambda game, path: True)  # of slow code
    return libraries.folder()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("tic_tac_toe", c_code.EACH_MOVE),
        ("connect_four", c_code.EACH_MOVE),
        ("three_player_nim", c_code.EACH_MOVE),
        ("goofspiel", c_code.EACH_MOVE),
        ("dots_and_boxes", c_code.EACH_MOVE),
        ("hex", c_code.EACH_MOVE),
        ("hex", c_code.ANY_MOVE),
        ("breakthrough", c_code.ANY_MOVE),
        ("connect_five_9x6", c_code.ANY_MOVE),
        ("goofspiel", c_code.ANY_MOVE),
    ],
)
def test_compiled_games_are_the_same(name, steps, cache, monkeypatch):
    monkeypatch.setattr(c_code, "STEPS", (steps,))
    plain = NetworkGame((game := load(FOLDER / f"{name}.kif")).info, game.parameters, game.network, 1000)
    assert game.is_compiled
    assert not plain.is_compiled
    assert compare_games(game, 200, 2, 20)[0] == 200
    states = [each.new_initial_state() for each in (plain, game)]
    for by in ("playout", "lanes"):
        assert len({tuple(play_chunks(state, 3, 1000, 0, 1, False, by)) for state in states}) == 1
    searches = [mcts.MCTS.plain(state.game, seed=1, solver=True).run(state, simulations=300) for state in states]
    assert searches[0].arms == searches[1].arms
    for ply in range(3):
        for state in states:
            state.apply_actions([state.sample_action(player, ply) for player in range(game.num_players)])
        assert states[0].to_dict() == states[1].to_dict()
        players = range(game.num_players)
        assert [states[0].legal_actions(each) for each in players] == [
            states[1].legal_actions(each) for each in players
        ]


WALKED = """
(role white) (role black)
(other white black) (other black white)
(index 1) (index 2) (index 3) (index 4) (index 5)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (init (cell ?x ?y blank)) (index ?x) (index ?y))
(init (control white))
(<= (beside ?x ?y ?x ?to) (index ?x) (succ ?y ?to))
(<= (beside ?x ?y ?to ?y) (index ?y) (succ ?x ?to))
(<= (near ?x ?y ?u ?v) (beside ?x ?y ?u ?v))
(<= (near ?x ?y ?u ?v) (beside ?u ?v ?x ?y))
(<= (legal ?role (put ?x ?y)) (true (control ?role)) (true (cell ?x ?y blank)))
(<= (legal ?role noop) (role ?role) (not (true (control ?role))))
(<= (next (control ?other)) (true (control ?role)) (other ?role ?other))
(<= (put ?x ?y) (does ?role (put ?x ?y)))
(<= (next (cell ?x ?y ?role)) (does ?role (put ?x ?y)))
(<= (next (cell ?x ?y ?role)) (linked ?role ?x ?y))
(<= (next (cell ?x ?y ?role)) (true (cell ?x ?y ?role)) (true (control ?role)))
(<= (next (cell ?x ?y blank)) (true (cell ?x ?y blank)) (not (put ?x ?y)))
(<= (next (cell ?x ?y blank)) (true (cell ?x ?y ?role)) (not (linked ?role ?x ?y)) (true (control ?other))
    (other ?role ?other))
(<= (linked ?role ?x 1) (role ?role) (true (cell ?x 1 ?role)) (not (true (cell 5 4 ?role))))
(<= (linked ?role ?x ?y) (linked ?role ?u ?v) (near ?u ?v ?x ?y) (true (cell ?x ?y ?role)))
(<= terminal (linked ?role ?x 5))
(<= (goal ?role 100) (linked ?role ?x 5))
(<= (goal ?role 0) (other ?role ?other) (linked ?other ?x 5))
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("steps", [c_code.EACH_MOVE, c_code.ANY_MOVE])
def test_moves_that_depend_on_what_is_reached(steps, tmp_path, cache, monkeypatch):
    """What a walk marks in the state before a step decides which stones stay."""
    monkeypatch.setattr(c_code, "STEPS", (steps,))
    game = mcts.load_game(written(tmp_path, WALKED), max_steps=60)
    assert len(game.network.reaches) == 2
    assert game.is_compiled
    assert compare_games(game, 30, 2, 20)[0] == 30
    assert mcts.check_game(game, games=1).problems == ()


def test_searches_of_compiled_games_are_the_same(cache):
    """Where a state has few moves for its network, compiled steps compute what follows."""
    game = load(FOLDER / "connect_four.kif")
    found = []
    for each in (game, NetworkGame(game.info, game.parameters, game.network, 1000)):
        state = each.new_initial_state()
        for _ in range(12):  # two of seven columns are full
            state.apply_action(state.legal_actions(state.acting_players()[0])[0])
        assert len(state.legal_actions(state.acting_players()[0])) == 5
        result = mcts.MCTS.plain(each, solver=True, seed=1).run(state, 300)
        found.append((result.visits, result.action_values, result.nodes))
    assert game.is_compiled
    assert found[0] == found[1]


@pytest.mark.parametrize("text", [ENDLESS, COMMON_NOOP, WITHOUT_MOVE])
def test_odd_compiled_games_are_the_same(text, tmp_path, cache):
    game = mcts.load_game(written(tmp_path, text), max_steps=7)
    assert game.is_compiled
    assert compare_games(game, 50, 2, 20)[0] == 50
    assert mcts.check_game(game, games=2).problems == ()


@sweep("seed", range(12), 4)
def test_damaged_compiled_games_are_the_same(seed, tmp_path, cache):
    text = mutated((FOLDER / "tic_tac_toe.kif").read_text(), random.Random(seed))
    try:
        game = RulesheetGame(text, "sheet.kif", seconds=5, max_steps=30)
    except RulesheetError:
        return
    assert game.is_compiled
    assert compare_games(game, 50, 2, 20)[0] == 50


def test_the_cache_is_used_again_and_belongs_to_the_user(cache):
    load(FOLDER / "tic_tac_toe.kif")
    (library,) = cache.iterdir()
    assert cache.stat().st_mode & 0o777 == 0o700
    assert library.stat().st_mode & 0o777 == 0o600
    before = library.stat()
    assert load(FOLDER / "tic_tac_toe.kif").is_compiled
    assert library.stat().st_ino == before.st_ino
    cache.chmod(0o777)
    assert not load(FOLDER / "tic_tac_toe.kif").is_compiled


def test_a_file_that_is_no_library_is_replaced(cache):
    load(FOLDER / "tic_tac_toe.kif")
    (library,) = cache.iterdir()
    library.write_bytes(b"nothing")
    assert load(FOLDER / "tic_tac_toe.kif").is_compiled
    with pytest.raises(OSError, match="is not a library of a network"):
        Library(FOLDER)


def test_a_game_in_use_is_compiled_in_the_background(cache, monkeypatch):
    monkeypatch.setenv("PLAYOUT_COMPILE", "auto")
    monkeypatch.setattr(libraries, "DELAY", 0.05)
    game = load(FOLDER / "tic_tac_toe.kif")
    twin = load(FOLDER / "tic_tac_toe.kif")
    for thread in threading.enumerate():
        if thread.name == libraries.THREAD:
            thread.join()
    assert game.is_compiled
    assert twin.is_compiled


def test_never(cache, monkeypatch):
    monkeypatch.setenv("PLAYOUT_COMPILE", "never")
    assert not load(FOLDER / "tic_tac_toe.kif").is_compiled
    assert not cache.exists()


def test_an_unknown_mode(monkeypatch):
    monkeypatch.setenv("PLAYOUT_COMPILE", "often")
    with pytest.raises(ParameterError, match="PLAYOUT_COMPILE is 'often'; valid: auto, always, never"):
        load(FOLDER / "tic_tac_toe.kif")


def test_the_cache_keeps_what_was_used_last(cache, monkeypatch):
    load(FOLDER / "tic_tac_toe.kif")
    (first,) = cache.iterdir()
    os.utime(first, (0, 0))
    load(FOLDER / "tic_tac_toe.kif")
    assert first.stat().st_mtime > 0
    os.utime(first, (0, 0))
    (cache / f"left{libraries.NEW}").touch()
    os.utime(cache / f"left{libraries.NEW}", (0, 0))
    monkeypatch.setattr(libraries, "MAX_BYTES", 1)
    load(FOLDER / "goofspiel.kif")
    assert first not in cache.iterdir()
    assert len(list(cache.iterdir())) == 1


def test_a_compiler_that_is_late_or_fails_leaves_no_file(cache, monkeypatch):
    monkeypatch.setattr(libraries, "FLAGS", ["-no-such-flag"])
    assert not load(FOLDER / "tic_tac_toe.kif").is_compiled
    monkeypatch.setattr(libraries, "SECONDS", 0)
    assert not load(FOLDER / "goofspiel.kif").is_compiled
    assert list(cache.iterdir()) == []


@pytest.mark.long
@pytest.mark.skipif("PLAYOUT_SANITIZE" in os.environ, reason="other processes are without sanitizers")
def test_processes_share_one_compilation(cache, tmp_path):
    compiler = next(filter(None, map(shutil.which, libraries.COMPILERS)))
    log, program = tmp_path / "log", tmp_path / libraries.COMPILERS[0]
    program.write_text(f'#!/bin/sh\necho >> {log}\nexec {compiler} "$@"\n')
    program.chmod(0o755)
    text = "import mcts; assert mcts.load_game('tic_tac_toe').is_compiled"
    path = f"{tmp_path}:{os.environ['PATH']}"
    started = [subprocess.Popen([sys.executable, "-c", text], env={**os.environ, "PATH": path}) for _ in range(3)]
    assert [process.wait(HANG_SECONDS) for process in started] == [0, 0, 0]
    assert len(log.read_text()) <= 2  # with steps, and without where steps are not faster


def test_code_that_would_be_too_long(cache, monkeypatch):
    """Without steps, games side by side are compiled; without both, nothing is."""
    monkeypatch.setattr(c_code, "MAX_GATES", 150)
    monkeypatch.setattr(c_code, "MAX_GROUPED_GATES", 0)
    assert not load(FOLDER / "connect_four.kif").is_compiled
    assert list(cache.iterdir()) == []
    game = load(FOLDER / "tic_tac_toe.kif")
    assert game.is_compiled
    assert b"playout_step" not in next(cache.iterdir()).read_bytes()
    assert compare_games(game, 50, 2, 20)[0] == 50
    monkeypatch.setattr(c_code, "MAX_WIDE_GATES", 0)
    monkeypatch.setattr(c_code, "VERSION", 0)
    assert not load(FOLDER / "tic_tac_toe.kif").is_compiled


class Slow(RulesheetGame):
    """A game that says that steps of libraries are slower."""

    def gains_from(self, path):
        assert type(NetworkGame.gains_from(self, path)) is bool
        return False


def test_steps_that_are_slower_are_not_used(cache):
    text = (FOLDER / "tic_tac_toe.kif").read_text()
    assert Slow(text, "slow").is_compiled
    (library,) = cache.iterdir()
    assert b"playout_step" not in library.read_bytes()
    assert b"playout_view" in library.read_bytes()
