"""The contract of games: the fused playout, the table and all machine codes play the same games."""

import inspect
import json
import random
from importlib.machinery import EXTENSION_SUFFIXES

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampling import drawn, sweep
from support import VARIANTS, run_python, states

import mcts
from bench.native import play_recorded
from bots.steps import sample_joint_action
from cext import _variant
from cext._cpu import has_x86_64_v3, has_x86_64_v4
from cext.game.playouts import play_chunks
from mcts.reference.playouts import PlayoutPolicy, play_out
from mcts.reference.rng import Rng

for_every_game = sweep("spec", VARIANTS, 3)


@drawn(for_every_game, states, st.integers(0, 2**64 - 1), st.integers(1, 50))
def test_fused_playouts_equal_those_by_the_table(state, seed, count):
    before = state.clone()
    fused, table = (play_chunks(state, seed, count, 0, 1, False, way) for way in ("playout", "table"))
    assert fused == table
    assert state == before


def has_recorded_playouts(spec):
    return play_recorded(mcts.load_game(spec).new_initial_state(), 0) is not None


@sweep("spec", [spec for spec in VARIANTS if has_recorded_playouts(spec)], 3)
def test_recorded_playouts_are_those_by_the_table(spec):
    @given(states(spec), st.integers(0, 2**64 - 1))
    def check(state, seed):
        before, rng, recorded = state.clone(), Rng(seed), []
        returns = play_out(state.clone(), PlayoutPolicy(), rng, recorded)
        actions = [sorted({action for who, action in recorded if who == player}) for player in range(len(returns))]
        assert play_recorded(state, seed) == (returns, actions, rng.word())
        assert state == before

    check()


def test_board_games_record_their_playouts():
    for name in ("go", "mnk", "three_player_ttt"):
        assert has_recorded_playouts(name)
    assert not has_recorded_playouts("points_ttt")


@drawn(for_every_game, states, st.integers(0, 2**32))
def test_playouts_return_utilities_of_the_game(state, seed):
    game = state.game
    means = np.array(mcts.playouts(state, 20, seed=seed))
    assert means.shape == (game.num_players,)
    assert (means >= game.min_utility).all()
    assert (means <= game.max_utility).all()
    if game.utility_sum is not None:
        assert means.sum() == pytest.approx(game.utility_sum)
    if state.is_terminal():
        np.testing.assert_allclose(means, state.returns())


def random_returns(game, seed):
    """Return the returns of one game by sampled actions, whose distribution is that of playouts."""
    state, rng = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        state.apply_actions(sample_joint_action(state, rng.getrandbits(64)))
    return state.returns()


@for_every_game
def test_playouts_agree_with_random_play_in_python(spec):
    """The mean over games played by single actions agrees with the mean of bulk playouts, within five sigma."""
    game = mcts.load_game(spec)
    count = 400
    returns = np.array([random_returns(game, seed) for seed in range(count)])
    means = mcts.playouts(game.new_initial_state(), 20_000 if game.name == "chess" else 100_000, seed=4)
    error = np.maximum(returns.std(axis=0), 1.0) / np.sqrt(count)
    assert (abs(returns.mean(axis=0) - means) < 5 * error).all()


def report(specs):
    """Hashes and playouts of some states of every game, as this process's machine code has them."""
    told = []
    for spec in specs:
        state = mcts.load_game(spec).new_initial_state()
        count = 2 if state.game.name == "chess" else 100  # whose games are long
        for step in range(1000):
            sums = [play_chunks(state, step, count, 0, 1, False, way) for way in ("lanes", "playout")]
            told.append([spec, state.key()[0], hash(state.view(0)), sums, state.to_dict()])
            if state.is_terminal():
                break
            state.apply_actions(sample_joint_action(state, step))
    return told


REPORT_HERE = f"""
import json, sys
import mcts
from bots.steps import sample_joint_action
from cext.game.playouts import play_chunks
{inspect.getsource(report)}
print(json.dumps(report(json.loads(sys.argv[1]))))
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("build", _variant.available())
def test_all_builds_play_the_same_games(build):
    told = json.loads(run_python(REPORT_HERE, json.dumps(VARIANTS), PLAYOUT_VARIANT=build))
    assert told == json.loads(json.dumps(report(VARIANTS)))
    assert len(told) > 2 * len(VARIANTS)


LOADED_HERE = """
import importlib, json, sys
import cext
print(json.dumps([cext.variant, {name: importlib.import_module(name).__file__ for name in sys.argv[1:]}]))
"""


def modules_of(build):
    """Return the compiled modules that one build has: name -> path."""
    root = _variant.FOLDER if build == _variant.BASELINE else _variant.FOLDER / build
    paths = [path for suffix in EXTENSION_SUFFIXES for path in root.rglob(f"*{suffix}")]
    names = {path: ["cext", *path.relative_to(root).parts[:-1], path.name.partition(".")[0]] for path in paths}
    return {".".join(parts): str(path) for path, parts in names.items() if parts[1] not in (_variant.V3, _variant.V4)}


def test_the_environment_selects_the_build():
    builds = _variant.available()
    assert len(builds) == 1 + has_x86_64_v3() + has_x86_64_v4()
    expected = {}
    for build in builds:
        own = modules_of(build)
        assert own
        expected |= own
        assert json.loads(run_python(LOADED_HERE, *expected, PLAYOUT_VARIANT=build)) == [build, expected]
    refused = "import sys\ntry:\n    import cext\nexcept ImportError as error:\n    print(error)"
    assert "PLAYOUT_VARIANT='nonsense' cannot be used here; valid: baseline" in run_python(
        refused, PLAYOUT_VARIANT="nonsense"
    )
