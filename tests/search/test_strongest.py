"""Every way to a search without options runs the same one: the strongest that is known for the game."""

import io
import re
import sys
from types import SimpleNamespace

import pytest
from rulesheets import path_of
from support import ROOT, forget_computed, noted_searches

import bots
import mcts
from bots.engines.server.ugi import UgiServer
from bots.match.analysis import analyst_of
from bots.studies.analysis.position import search_state
from bots.web.matches.evaluation import Evaluator
from mcts.nets import shipped_nets
from mcts.nets.shipped_nets import chosen_net
from mcts.options import COMMON, OPTIONS, PLAIN
from mcts.searchers.cfr import CFR
from mcts.searchers.ismcts import ISMCTS

SHEET = str(path_of("connect_four"))
GAMES = ["mnk", "mnk(m=5,n=5,k=4)", "three_player_ttt", "tic_block", "bidding_ttt", "breakthrough", SHEET]


def of_searcher(game):
    mcts.searcher_for(game, seed=1).run(game.new_initial_state(), simulations=10)


def of_bot(game, spec="mcts(simulations=10)"):
    bot = bots.load_bot(spec)
    bot.new_game(game, 0, 1)
    bot.choose(game.new_initial_state().view(0))
    bot.close()


def of_hint(game):
    with bots.Match(game) as match:
        match.hint(seconds=0.001)


def of_analysis(game):
    analyst_of(game).run(game.new_initial_state().view(0), simulations=10)


def of_evaluation(game):
    Evaluator(SimpleNamespace(states=(game.new_initial_state(),), joints=(), ply=0), None).entry(0)


def of_command(game):
    search_state(game.new_initial_state(), None, 10, None, 1)


def of_engine(game):
    if game.num_players == 2:
        bot = bots.load_bot("mcts")
        text = io.StringIO("ugi\nuginewgame\nposition startpos\ngo nodes 10\nisready\nquit\n")
        UgiServer(game, bot, lambda line: None, 1).serve_stream(text)


DOORS = {
    "searcher": of_searcher,
    "bot": of_bot,
    "hint": of_hint,
    "analysis": of_analysis,
    "evaluation": of_evaluation,
    "command": of_command,
    "engine": of_engine,
}


def test_a_game_loaded_by_its_path_leaves_the_net_to_the_named_one(tmp_path):
    """Both games are equal, but a net is for a name."""
    path = tmp_path / "mine.kif"
    path.write_text(path_of("breakthrough").read_text())
    named, mine = mcts.load_game("breakthrough"), mcts.load_game(str(path))
    for first, second in ((mine, named), (named, mine)):
        forget_computed(shipped_nets)
        assert [chosen_net(game, None) is not None for game in (first, second)] == [first is named, second is named]


@pytest.fixture
def ran(monkeypatch):
    """The options of the compiled searches that are made."""
    return noted_searches(monkeypatch)


@pytest.mark.sample(24)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("spec", GAMES)
def test_every_door_opens_the_same_search(ran, spec, door):
    game = mcts.load_game(spec)
    mcts.MCTS(game)
    [expected] = ran
    ran.clear()
    DOORS[door](game)
    assert ran or (door == "engine" and game.num_players > 2)
    assert all(options == expected for options in ran)


def test_the_lines_of_the_page_about_python_run_it(ran):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)
    code = next(text for text in blocks if "MCTS" in text)
    names = {}
    exec("\n".join(blocks).partition("searcher =")[0], names)
    exec("made = " + re.search(r"playout\.MCTS\(.*?\)", code).group(), names)
    mcts.MCTS(names["game"])
    assert len(ran) == 2
    assert ran[0] == ran[1]


def test_a_net_of_the_package_is_used_if_the_other_options_leave_it_a_place():
    game = mcts.load_game("breakthrough")
    for given in ({}, {"exploration": 1.0}, {"solver": False, "threads": 2}, {"gumbel_actions": 4}):
        found = mcts.MCTS(game, **given).parameters
        assert (found["net"], found["selection"], found["leaves"]) == ("shipped", "puct", 0)
    for given in ({"net": "none"}, {"selection": "grave"}, {"leaves": 8}, {"transpositions": True}):
        assert mcts.MCTS(game, **given).parameters["net"] == "none"
    assert mcts.MCTS(game, evaluator=chosen_net(game, "shipped")).parameters["net"] == "none"
    with pytest.raises(mcts.UnsupportedGameError, match="no net comes with the package for mnk"):
        mcts.MCTS(mcts.load_game("mnk"), net="shipped")


@pytest.mark.parametrize("spec", ["mnk", SHEET])
def test_plain_ucb1_is_one_call_away(spec):
    game = mcts.load_game(spec)
    found = mcts.MCTS.plain(game, exploration=0.7).parameters
    assert found == {**found, **PLAIN, "exploration": 0.7}
    with pytest.raises(mcts.ParameterError, match=r"no parameter 'depth'; valid: selection, joint_selection"):
        mcts.MCTS(game, depth=3)


def test_a_searcher_is_found_for_every_game():
    assert isinstance(mcts.searcher_for(mcts.load_game("bidding_3d_ttt"), seed=1), mcts.DoubleOracle)
    assert isinstance(mcts.searcher_for(mcts.load_game("mnk"), threads=2), mcts.MCTS)
    assert isinstance(mcts.searcher_for(mcts.load_game("liars_dice")), CFR)
    for spec in ("kuhn_poker(players=3)", "liars_dice(dice=2)"):  # no opposite interests, too many histories
        assert isinstance(mcts.searcher_for(mcts.load_game(spec)), ISMCTS)
    assert isinstance(analyst_of(mcts.load_game("liars_dice"), memory_mb=2), ISMCTS)  # too many information sets
    assert list(OPTIONS) == list(mcts.MCTS.PARAMETERS)


def test_the_docstring_lists_every_option_and_the_page_those_that_are_common():
    page = (ROOT / "docs" / "bots.md").read_text().partition("results: search_options")[2].partition("<!-- end")[0]
    for name in OPTIONS:
        assert f"        {name}: " in mcts.MCTS.__doc__
        assert (f"| `{name}` |" in page) == (name in COMMON)
    documented = mcts.MCTS.PARAMETERS["memory_mb"].default * (1 if sys.maxsize > 1 << 32 else 8)
    assert f"| `memory_mb` | `{documented}` |" in page
