"""Games of rulesheets in the library and on the command line."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from rulesheets import COMMON_NOOP, ENDLESS, FOLDER, WITHOUT_MOVE, load, written
from typer.testing import CliRunner

import mcts
from bots.commands.application import app
from bots.steps import is_in_turns
from mcts.errors import ParameterError, RulesheetError, SpecError, StateError
from mcts.gdl import rulesheets
from mcts.gdl.game import RulesheetGame
from mcts.gdl.rulesheets import library_games, library_text

TIC_TAC_TOE = FOLDER / "tic_tac_toe.kif"


def test_the_spec_loads_the_same_game():
    game = load(TIC_TAC_TOE)
    assert (game.spec, game.name) == (f"tic_tac_toe.kif(sha256={game.digest[:16]})", "tic_tac_toe.kif")
    assert mcts.load_game(game.spec) == game
    assert game.is_zero_sum
    state = game.new_initial_state()
    state.apply_action(3)
    assert pickle.loads(pickle.dumps(state)) == state
    assert game.state_from_text(state.to_text()) == state


def test_a_search_proves_a_win():
    state = load(TIC_TAC_TOE).new_initial_state()
    for text in ("mark(1,1)", "mark(3,3)", "mark(1,3)", "mark(1,2)"):
        state.apply_action(state.string_to_action(state.current_player(), text))
    result = mcts.MCTS.plain(state.game, seed=1, solver=True).run(state, simulations=2000)
    assert state.action_to_string(0, result.action) == "mark(3,1)"


def test_exact_values_are_those_of_the_native_game():
    assert mcts.solve(load(TIC_TAC_TOE), cache=False).value() == pytest.approx((50, 50))


def test_random_play_has_the_distribution_of_the_native_game():
    means = [
        mcts.playouts(game.new_initial_state(), 4000, seed=2)[0] for game in (load(TIC_TAC_TOE), mcts.load_game("mnk"))
    ]
    assert means[0] == pytest.approx(means[1], abs=4)  # about three standard deviations of the difference


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"step": 0}, "valid: step, facts"),
        ({"step": -1, "facts": []}, "'step' is -1"),
        ({"step": 0, "facts": "cell"}, "a list of facts"),
        ({"step": 0, "facts": ["cell(9,9,x)"]}, "is not a fact"),
        ({"step": 0, "facts": ["control(x)", "control(x)"]}, "given twice"),
        ({"step": 0, "facts": [[]]}, "is not a fact"),
    ],
)
def test_wrong_states_are_refused(given, message):
    with pytest.raises(StateError, match=message):
        load(TIC_TAC_TOE).state_from_dict(given)


def test_a_game_without_end_stops_after_max_steps(tmp_path):
    path = written(tmp_path, ENDLESS)
    game = mcts.load_game(path, max_steps=7)
    assert mcts.check_game(game, games=3).plies == (7, 7, 7)
    assert 0 < mcts.playouts(game.new_initial_state(), 100)[0] < 30


def test_roles_that_can_only_wait_act_where_nobody_else_does(tmp_path):
    state = mcts.load_game(written(tmp_path, COMMON_NOOP)).new_initial_state()
    assert state.acting_players() == (0, 1)
    assert state.action_to_string(0, 0) == "noop()"
    state.apply_actions([0, 0])
    assert state.returns() == [70, 15]  # the mean of two goals


def test_a_role_without_a_move_does_not_act(tmp_path):
    state = mcts.load_game(written(tmp_path, WITHOUT_MOVE)).new_initial_state()
    for acting in ((0,), (0,), (0, 1)):
        assert state.acting_players() == acting
        state.apply_actions([0 if player in acting else mcts.NOOP for player in (0, 1)])
    assert state.is_terminal()


def test_a_missing_file_is_named():
    with pytest.raises(RulesheetError, match=r"nowhere\.kif cannot be read"):
        mcts.load_game("nowhere.kif")


def test_a_tournament_of_a_rulesheet():
    result = CliRunner().invoke(app, ["arena", str(TIC_TAC_TOE), "random", "greedy", "--games", "4", "--no-db"])
    assert result.exit_code == 0, result.output
    assert "greedy" in result.output


def test_check_explains_a_rulesheet():
    result = CliRunner().invoke(app, ["check", str(TIC_TAC_TOE), "--games", "2"])
    assert result.exit_code == 0, result.output
    assert "x 10, o 10" in result.output
    assert "29 fluents that change" in result.output
    assert "8 symmetries" in result.output
    assert "zero-sum" in result.output


def test_threads_and_jumps_between_states_change_nothing():
    game = mcts.load_game("connect_four")
    start = game.new_initial_state()
    results = [mcts.MCTS.plain(game, seed=3, threads=3).run(start, simulations=3000) for _ in range(2)]
    assert results[0].visits == results[1].visits
    states = [start.clone() for _ in range(6)]
    for number, state in enumerate(states):
        for ply in range(3 * number):
            state.apply_actions([state.sample_action(player, ply) for player in range(2)])
    for state in [*states, *reversed(states)]:  # each state after another one, and in a game of its own
        alone = mcts.load_game("connect_four", seconds=59).new_initial_state()
        alone = alone.game.state_from_text(state.to_text())
        for seed in range(3):
            joint = [state.sample_action(player, seed) for player in range(2)]
            after = [each.clone() for each in (state, alone)]
            for each in after:
                each.apply_actions(joint)
            assert after[0].to_dict() == after[1].to_dict()
            assert after[0].legal_actions(0) == after[1].legal_actions(0)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", library_games())
def test_a_game_of_the_library_is_described_without_its_network(name):
    info = mcts.game_info(name)
    game = mcts.load_game(name)
    assert (game.name, game.spec, game.text) == (name, name, library_text(name))
    assert game.info.players == info.players
    assert (game.info.title, game.info.summary, game.info.size) == (info.title, info.summary, info.size)
    words = ["turns" if is_in_turns(game) else "simultaneous"]
    words += ["hidden"] * game.has_hidden_information + ["chance"] * game.has_chance
    assert info.kind == ", ".join(words)
    assert mcts.load_game(f"{name}(max_steps=40)").spec == mcts.load_game(name, max_steps=40).spec
    assert mcts.load_game(f"{name}(max_steps=40)") != game == mcts.load_game(f"{name}(max_steps=1000)")


def test_the_cache_of_texts_keeps_what_was_used_last(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "playout" / "rulesheets"
    (folder / "folder.kif").mkdir(parents=True)
    paths = [tmp_path / f"{letter}.kif" for letter in "abc"]
    for path in paths:
        path.write_text(TIC_TAC_TOE.read_text() + f"; {path.name}")
    monkeypatch.setattr(rulesheets, "MAX_BYTES", 5 * paths[0].stat().st_size // 2)
    kept = [folder / f"{rulesheets.digest_of(path.read_text())[:16]}.kif" for path in paths]
    for path, age in zip(paths[:2], (2000, 1000), strict=True):
        mcts.load_game(str(path))
        os.utime(kept[paths.index(path)], (kept[paths.index(path)].stat().st_mtime - age,) * 2)
    mcts.load_game(str(paths[0]))
    mcts.load_game(str(paths[2]))
    assert [path.exists() for path in kept] == [True, False, True]
    assert (folder / "folder.kif").exists()


def test_a_file_is_known_by_its_text_wherever_it_is(tmp_path):
    path, other = tmp_path / "my game (2).kif", tmp_path / "b.kif"
    for each in (path, other):
        each.write_text(TIC_TAC_TOE.read_text() + "; a copy")
    game = mcts.load_game(f"{path}(max_steps=20)")
    spec = f"my_game__2_.kif(sha256={game.digest[:16]},max_steps=20)"
    assert (game.spec, game.name, game.head.title) == (spec, "my_game__2_.kif", "Tic-tac-toe")
    assert game == mcts.load_game(str(other), max_steps=20) != mcts.load_game(str(other))
    assert game != mcts.load_game("tic_tac_toe", max_steps=20)
    assert str(tmp_path) not in repr((game.spec, game.info, game.parameters, mcts.rules(game)))
    copy = pickle.loads(pickle.dumps(game))
    assert (copy, copy.spec, hash(copy)) == (game, spec, hash(game))
    path.unlink()
    kept = Path(os.environ["XDG_CACHE_HOME"]) / "playout" / "rulesheets" / f"{game.digest[:16]}.kif"
    code = f"import mcts; print(mcts.load_game({spec!r}).spec)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == spec
    kept.write_text("(role damaged)")
    assert mcts.load_game(spec) == game
    del game, copy
    with pytest.raises(RulesheetError, match=r"my_game__2_.kif with the SHA-256 '\w{16}' was not loaded on this"):
        mcts.load_game(spec)


@pytest.mark.parametrize("digits", ["", "0123", "X" * 16, "0" * 65, "../../0123456789"])
def test_digits_that_are_no_sha256_are_refused(digits):
    with pytest.raises(RulesheetError, match="SHA-256"):
        mcts.load_game("x.kif", sha256=digits)
    with pytest.raises(RulesheetError, match="tic_tac_toe has the SHA-256"):
        mcts.load_game("tic_tac_toe", sha256=digits)


@pytest.mark.parametrize("given", ["compiled=1", "text=x", "name=x", "self=1", "file=x.kif", "max_steps=0", "7"])
def test_other_parameters_are_refused(given):
    with pytest.raises((ParameterError, SpecError), match=r"valid|key=value"):
        mcts.load_game(f"tic_tac_toe({given})")


def test_no_cache_of_the_user_is_needed(tmp_path, monkeypatch):
    (tmp_path / "playout").write_text("a file, not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game = mcts.load_game(written(tmp_path, ENDLESS))
    assert mcts.load_game(game.spec) == game


def test_rules_end_no_block_of_code():
    game = RulesheetGame(f"; ```` [link](x)\n{COMMON_NOOP}", "a.kif")
    assert mcts.rules(game).count("`````") == 2
