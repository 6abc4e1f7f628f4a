"""Random games side by side: the distribution of games one after the other, and the same bits on every processor."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from rulesheets import COMMON_NOOP, ENDLESS, FOLDER, SMALL, WITHOUT_MOVE, load, means, written

import mcts
from bench.native import compare_games
from cext import _variant
from cext.game.playouts import UNIT, play_chunks
from cext.gdl.game import NetworkGame

SIMULTANEOUS = ("bidding_ttt", "goofspiel", "pursuit", "rock_paper_scissors", "tic_block", "tron")
"""Rulesheets in which several players decide in the first state."""


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", SMALL, ids=[path.stem for path in SMALL])
@pytest.mark.parametrize("plies", [0, 3])
def test_the_distribution_is_that_of_games_one_by_one(path, plies):
    state = load(path).new_initial_state()
    for ply in range(plies):
        state.apply_actions([state.sample_action(player, ply) for player in range(state.game.num_players)])
    deviation = 50 / np.sqrt(4000)  # of the mean, at most
    assert means(state, 50_000, "lanes") == pytest.approx(means(state, 4000, "playout"), abs=4.5 * deviation)


@pytest.mark.sample(12)
@pytest.mark.parametrize("path", [path for path in SMALL if path.stem not in SIMULTANEOUS], ids=lambda path: path.stem)
def test_games_from_a_leaf_have_the_same_distribution(path):
    game = load(path)
    state = game.new_initial_state()
    result = mcts.MCTS.plain(game, leaves=1, seed=1).run(state, simulations=1)
    after = state.child(result.action)
    deviation = 50 / np.sqrt(512)
    assert result.values == pytest.approx(means(after, 50_000, "lanes"), abs=4.5 * deviation)


def test_games_from_one_leaf_of_many_are_independent():
    """Games from 16 states share random orders of the moves; the 32 games from each of them do not."""
    state = load(FOLDER / "breakthrough.kif").new_initial_state()
    seeds = range(100)
    found = [mcts.MCTS.plain(state.game, leaves=16, exploration=100, seed=seed).run(state, 16) for seed in seeds]
    for action in state.legal_actions(0):
        values = np.array([result.action_values[action] for result in found])
        mean = means(state.child(action), 20_000, "lanes")[0]
        deviation = np.sqrt(mean * (100 - mean) / 32)
        assert values.mean() == pytest.approx(mean, abs=4.5 * deviation / np.sqrt(len(seeds)))
        assert values.std() == pytest.approx(deviation, rel=0.3)


@pytest.mark.parametrize("count", [1, 2, 511, 512, 513, 2000])
def test_every_game_is_counted_once(tmp_path, count):
    for text, returns in ((COMMON_NOOP, [70, 15]), (WITHOUT_MOVE, [0, 100])):
        state = mcts.load_game(written(tmp_path, text)).new_initial_state()
        assert play_chunks(state, 1, count, 0, 1, False, "lanes") == [value * count * UNIT for value in returns]


def test_games_without_end_stop_after_max_steps(tmp_path):
    state = mcts.load_game(written(tmp_path, ENDLESS), max_steps=7).new_initial_state()
    deviation = 15 / np.sqrt(4000)
    assert means(state, 50_000, "lanes")[0] == pytest.approx(15, abs=0.5)
    assert means(state, 4000, "playout")[0] == pytest.approx(15, abs=4.5 * deviation)


SUMS = """
import sys
from cext.game.playouts import play_chunks
import mcts
for path in sys.argv[1:]:
    state = mcts.load_game(path).new_initial_state()
    print([play_chunks(state, 9, 3000, 0, 1, False, by) for by in ("lanes", "playout")])
    result = mcts.MCTS.plain(state.game, leaves=32, solver=True, seed=2).run(state, simulations=200)
    print(result.simulations, result.values, result.policy, result.nodes)
"""


@pytest.mark.skipif(len(_variant.available()) == 1, reason="this processor has one build")
def test_all_builds_play_the_same_games():
    outputs = {
        subprocess.run(
            [sys.executable, "-P", "-c", SUMS, *map(str, SMALL[::4])],
            env={**os.environ, "PLAYOUT_VARIANT": variant},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for variant in (_variant.available()[0], _variant.available()[-1])
    }
    assert len(outputs) == 1


@pytest.mark.sample(12)
@pytest.mark.parametrize("path", SMALL, ids=[path.stem for path in SMALL])
def test_gates_that_follow_changes_agree_with_the_whole_network_for_64_and_512_states(path):
    game = load(path)
    played, steps, sums, squares = compare_games(game, 300, 2, 60)
    assert played == 300
    assert steps >= 300
    assert all(total * total <= 300.0001 * square for total, square in zip(sums, squares, strict=True))


def test_compared_games_end_at_the_limit_of_time():
    assert compare_games(load(SMALL[0]), 10**9, 1, 0.01)[0] < 10**6


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        (lambda network, move: {"legal": np.append(network.legal[:-1], move)}, "the legal moves"),
        (lambda network, move: {"terminal": move}, "the ends"),
        (lambda network, move: {"num_next_gates": 0}, "the facts"),
        (lambda network, move: {"goals": (((100, move),), *network.goals[1:])}, "the returns"),
    ],
    ids=["legal", "terminal", "following", "goals"],
)
def test_a_network_whose_engines_differ_is_noticed(changes, found):
    """Gates that follow changes remember the last move, and leave out gates that the next facts do not depend on."""
    game = load(FOLDER / "connect_four.kif")
    first_move = 2 * (1 + len(game.network.fluents))
    network = replace(game.network, **changes(game.network, first_move))
    with pytest.raises(ArithmeticError, match=f"{found} differ"):
        compare_games(NetworkGame(game.info, {}, network, 100), 300, 1, 60)
