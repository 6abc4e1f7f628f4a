"""The first decision of a process does no more work than the next ones, because preparation is done before."""

import json
import random
import sys

import pytest
from support import HELPERS, run_python

import bots
import mcts
from cext.spec import format_spec

FEW = 8
"""Page faults that any decision may have."""

WORK = """
import resource, sys
import bots.players.mcts

bots.players.mcts.WARM_UP_SECONDS = 300  # on a busy machine, too

def work(decide):
    "Return the number of page faults, and the names of modules that were imported, in each of some decisions."
    found = []
    for _ in range(8):
        modules, faults = set(sys.modules), resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        decide()
        found.append([resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults, sorted({*sys.modules} - modules)])
    return found
"""

GOES = """
import json
from ugi_conversation import Conversation

engine = Conversation(sys.argv[1], sys.argv[2])
engine.say("uginewgame")
assert engine.ask("isready") == "readyok"
print(json.dumps(work(lambda: engine.move(sys.argv[3]))))
assert engine.end()
"""

FIRST_DECISIONS = """
import json
import bots, mcts

game = mcts.load_game(sys.argv[1])
bot = bots.load_bot("mcts")
limit = mcts.Limit(simulations=200, memory_mb=64)
bot.set_limit(limit)
bot.new_game(game, 0, 1)
view = game.new_initial_state().view(0)
print(json.dumps(work(lambda: bot.choose(view, limit))))
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs the number of page faults")


def check(found):
    faults, imported = zip(*found, strict=True)
    assert imported[0] == []
    assert faults[0] <= max(faults[1:]) + FEW, faults


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("game", "bot", "go"),
    [("bidding_ttt", "mcts", "go seat 1 nodes 200"), ("mnk(m=8,n=8,k=5)", "mcts(solver=false)", "go nodes 500")],
)
def test_the_first_go_of_an_engine_does_no_more_work_than_the_next_ones(game, bot, go):
    check(json.loads(run_python(WORK + GOES, game, bot, go, PYTHONPATH=str(HELPERS))))


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", ["bidding_ttt", "three_player_ttt"])
def test_the_first_decision_of_the_bot_mcts_does_no_more_work_than_the_next_ones(game):
    check(json.loads(run_python(WORK + FIRST_DECISIONS, game)))


@pytest.mark.parametrize(
    "options",
    [
        {"selection": "ucb1"},
        {"selection": "grave"},
        {"selection": "ucb1", "transpositions": True},
        {"selection": "grave", "threads": 2},
    ],
)
def test_preparation_changes_no_result(options):
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    start = game.new_initial_state()
    bot = bots.load_bot(format_spec("mcts", {"transpositions": False, **options}))
    bot.new_game(game, 0, 3)
    bot.choose(start.view(0), mcts.Limit(simulations=300))
    fresh = mcts.MCTS.plain(game, solver=True, seed=random.Random(3).getrandbits(64), **options).run(start, 300)
    assert (bot.search_info.arms, bot.search_info.pv) == (fresh.arms, fresh.pv)
