"""Searchers by name: what is found in their folder, and how a text names one."""

import pkgutil

import pytest
from registries import forget_registered
from searchers_by_path import FlatMonteCarlo, NamedFlatMonteCarlo

import bots
import mcts
import mcts.searchers
from mcts.errors import UnknownSearcherError


def test_every_file_of_the_folder_is_found():
    files = {found.name for found in pkgutil.iter_modules(mcts.searchers.__path__)}
    assert mcts.registered_searchers() == sorted(files - {"base", "strongest"})


def test_a_text_names_a_searcher_and_its_parameters():
    game = mcts.load_game("mnk")
    named = mcts.load_searcher("mcts(selection=puct,solver=true,transpositions=false,exploration=0.5)", game, seed=3)
    given = mcts.MCTS.plain(game, selection="puct", solver=True, exploration=0.5, seed=3)
    assert named.parameters == given.parameters
    state = game.new_initial_state()
    assert named.run(state, simulations=500).visits == given.run(state, simulations=500).visits


def test_parameters_follow_a_colon_too():
    game = mcts.load_game("bidding_3d_ttt")
    assert mcts.load_searcher("double_oracle:types=3,naive=0", game).parameters["types"] == 3


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("minimax", UnknownSearcherError, "'minimax'; valid: cfr, double_oracle, ismcts, mcts, oos,"),
        ("mcts(depth=3)", mcts.ParameterError, "no parameter 'depth'; valid: selection"),
        ("mcts(threads=0)", mcts.ParameterError, "threads=0 is out of range; valid: 1 to 256"),
        ("mcts(", mcts.errors.SpecError, "mcts"),
        ("double_oracle", mcts.UnsupportedGameError, "double_oracle cannot play mnk.*use mcts"),
        ("minimax", UnknownSearcherError, "or the path of a class, package.module.Class"),
        ("no_such.Searcher", UnknownSearcherError, "unknown searcher 'no_such.Searcher': cannot import 'no_such'"),
        ("searchers_by_path.NOT_A_SEARCHER", UnknownSearcherError, "derived from mcts.Searcher"),
        ("searchers_by_path.FlatMonteCarlo(depth=3)", mcts.ParameterError, "no parameter 'depth'; valid: most_actions"),
    ],
)
def test_bad_texts_are_refused(spec, error, message):
    with pytest.raises(error, match=message):
        mcts.load_searcher(spec, mcts.load_game("mnk"))


PATH = "searchers_by_path.FlatMonteCarlo"


def late_state():
    """A state in which one action wins at once."""
    return mcts.load_game("mnk").state_from_text("xx./oo./..._x")


def test_a_searcher_of_another_package_is_named_by_its_path():
    state = late_state()
    search = mcts.load_searcher(f"{PATH}(most_actions=50)", state.game, seed=2)
    assert isinstance(search, FlatMonteCarlo)
    assert (search.name(), search.seed, search.parameters) == (PATH, 2, {"most_actions": 50})
    for position in (state, state.view(0)):
        found = search.run(position, mcts.Limit(simulations=100))
        assert state.action_to_string(0, found.action) == "mark(1,3)"
        assert found.values == (100.0, 0.0)


def test_a_bot_over_a_searcher_of_another_package():
    bot = bots.load_bot("searchers_by_path.FlatBot(simulations=60,most_actions=9)")
    state = late_state()
    bot.new_game(state.game, 0, seed=1)
    assert state.action_to_string(0, bot.choose(state.view(0))) == "mark(1,3)"
    assert bot.search_info.simulations == 60
    assert bots.load_bot(bot.spec).parameters == bot.parameters
    assert "use double_oracle" in bot.why_unsupported(mcts.load_game("bidding_3d_ttt"))
    with pytest.raises(mcts.ParameterError, match="most_actions=0 is out of range"):
        bots.load_bot("searchers_by_path.FlatBot(most_actions=0)")


def test_a_searcher_can_be_registered_under_a_name(monkeypatch):
    forget_registered(monkeypatch, "searchers")
    mcts.register_searcher(NamedFlatMonteCarlo)
    assert "flat" in mcts.registered_searchers()
    assert isinstance(mcts.load_searcher("flat", mcts.load_game("mnk")), NamedFlatMonteCarlo)
    with pytest.raises(mcts.errors.SpecError, match="already registered"):
        mcts.register_searcher(NamedFlatMonteCarlo)
    with pytest.raises(mcts.errors.SpecError, match="cannot be registered as ''"):
        mcts.register_searcher(FlatMonteCarlo)
    with pytest.raises(TypeError, match=r"valid: a class derived from mcts\.Searcher"):
        mcts.register_searcher(object)


def test_every_searcher_takes_a_view_and_a_state_where_nothing_is_hidden():
    state = mcts.load_game("mnk").new_initial_state()
    search = mcts.MCTS.plain(state.game, seed=1)
    from_view = search.run(state.view(0), simulations=300)
    assert (from_view.player, from_view.visits) == (0, search.run(state, simulations=300).visits)
    both = mcts.load_game("bidding_ttt").new_initial_state()
    assert mcts.MCTS.plain(both.game).run(both.view(1), simulations=50).player == 1
    with pytest.raises(ValueError, match="player 1 has nothing to decide here; valid: 0"):
        search.run(state.view(1), simulations=10)
    hidden = mcts.load_game("bidding_3d_ttt").new_initial_state()
    with pytest.raises(mcts.StateError, match=r"has hidden information; valid: a view"):
        mcts.DoubleOracle(hidden.game).run(hidden, simulations=10)
    for kind in (mcts.MCTS, mcts.DoubleOracle, FlatMonteCarlo):
        game = hidden.game if kind is mcts.DoubleOracle else state.game
        with pytest.raises(TypeError, match="'x' is not a position; valid: a view"):
            kind(game).run("x", simulations=10)
