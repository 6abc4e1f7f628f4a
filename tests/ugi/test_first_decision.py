"""The first decision of a process: as fast as the next ones, because preparation is done before."""

import json
import random
import subprocess
import sys
import time

import pytest
from support import environment, run_python

import bots
import mcts
from cext.spec import format_spec

TRIES = 3
"""New processes that may try: this machine may be busy with something else at any moment."""


def is_no_longer(seconds):
    """True where the first of some times is about as long as the longest of the others, or shorter."""
    return seconds[0] <= 1.5 * max(seconds[1:]) + 0.005


def seconds_of_goes(game, bot, go):
    """How long the first goes of a new engine take that was ready."""
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "bots.cli", "ugi", game, bot, "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
        text=True,
        bufsize=1,
    ) as engine:

        def ask(line, word):
            engine.stdin.write(line + "\n")
            while not engine.stdout.readline().startswith(word):
                pass

        ask("uginewgame\nisready", "readyok")
        found = []
        for _ in range(8):
            begin = time.perf_counter()
            ask(go, "bestmove mark" if game != "bidding_ttt" else "bestmove bid")
            found.append(time.perf_counter() - begin)
        engine.stdin.write("quit\n")
    return found


@pytest.mark.parametrize(
    ("game", "bot", "go"),
    [("bidding_ttt", "mcts", "go seat 1 nodes 200"), ("mnk(m=8,n=8,k=5)", "mcts(solver=false)", "go nodes 5000")],
)
def test_the_first_go_of_an_engine_takes_no_longer_than_the_next_ones(game, bot, go):
    tries = []
    while len(tries) < TRIES and not (tries and is_no_longer(tries[-1])):
        tries.append(seconds_of_goes(game, bot, go))
    assert is_no_longer(tries[-1]), tries


FIRST_DECISIONS = """
import json, sys, time
import bots, mcts
game = mcts.load_game(sys.argv[1])
bot = bots.load_bot("mcts")
bot.set_limit(mcts.Limit(simulations=200, memory_mb=64))
bot.new_game(game, 0, 1)
view = game.new_initial_state().view(0)
times = []
for _ in range(8):
    begin = time.perf_counter()
    bot.choose(view, mcts.Limit(simulations=200, memory_mb=64))
    times.append(time.perf_counter() - begin)
print(json.dumps(times))
"""


@pytest.mark.parametrize("game", ["bidding_ttt", "three_player_ttt"])
def test_the_first_decision_of_the_bot_mcts_takes_no_longer_than_the_next_ones(game):
    tries = []
    while len(tries) < TRIES and not (tries and is_no_longer(tries[-1])):
        tries.append(json.loads(run_python(FIRST_DECISIONS, game)))
    assert is_no_longer(tries[-1]), tries


@pytest.mark.parametrize(
    "options",
    [
        {"selection": "ucb1"},
        {"selection": "grave", "playout": "mast"},
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
