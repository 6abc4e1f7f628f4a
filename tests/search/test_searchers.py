"""Searchers by name: what is found in their folder, and how a text names one."""

import pkgutil

import pytest

import mcts
import mcts.searchers


def test_every_file_of_the_folder_is_found():
    assert mcts.registered_searchers() == sorted(found.name for found in pkgutil.iter_modules(mcts.searchers.__path__))


def test_a_text_names_a_searcher_and_its_parameters():
    game = mcts.load_game("mnk")
    named = mcts.load_searcher("mcts(selection=grave,solver=true,exploration=0.5)", game, seed=3)
    given = mcts.MCTS(game, selection="grave", solver=True, exploration=0.5, seed=3)
    assert named.parameters == given.parameters
    state = game.new_initial_state()
    assert named.run(state, simulations=500).visits == given.run(state, simulations=500).visits


def test_parameters_follow_a_colon_too():
    game = mcts.load_game("bidding_3d_ttt")
    assert mcts.load_searcher("sampled_mcts:candidates=8,replies=2", game).parameters["candidates"] == 8


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("minimax", mcts.UnknownSearcherError, "'minimax'; valid: mcts, sampled_mcts"),
        ("mcts(depth=3)", mcts.ParameterError, "no parameter 'depth'; valid: selection"),
        ("mcts(threads=0)", mcts.ParameterError, "threads=0 is out of range; valid: 1 to 256"),
        ("mcts(", mcts.SpecError, "mcts"),
        ("sampled_mcts", mcts.UnsupportedGameError, "sampled_mcts cannot play mnk"),
    ],
)
def test_bad_texts_are_refused(spec, error, message):
    with pytest.raises(error, match=message):
        mcts.load_searcher(spec, mcts.load_game("mnk"))
