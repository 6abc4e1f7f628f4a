"""Whole decisions from Python: the overhead of a single run, of a bot, and of short searches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import repeat

import mcts
from bots import load_bot

from .workload import EXPLORATION, Workload

SPEC = "mnk(m=5,n=5,k=4)"
DECISIONS = {1: 1000, 1000: 50}
"""Simulations of a decision -> decisions of a round."""


def run_searches(searcher: mcts.MCTS, state: mcts.State, simulations: int, count: int) -> None:
    """Decide `count` times in the same state."""
    for _ in repeat(None, count):
        searcher.run(state, simulations=simulations)


def prepare_searches(simulations: int, count: int) -> Callable[[], None]:
    """Return a function that decides with `MCTS.run`."""
    game = mcts.load_game(SPEC)
    return partial(
        run_searches, mcts.MCTS.plain(game, exploration=EXPLORATION), game.new_initial_state(), simulations, count
    )


def prepare_bot(simulations: int, count: int) -> Callable[[], None]:
    """Return a function that decides with the bot `mcts`."""
    game = mcts.load_game(SPEC)
    bot = load_bot(f"mcts(simulations={simulations},selection=ucb1,exploration={EXPLORATION})")
    bot.new_game(game, player=0, seed=1)
    view = game.new_initial_state().view(0)

    def decide() -> None:
        for _ in repeat(None, count):
            bot.choose(view)

    return decide


WORKLOADS = tuple(
    Workload(
        f"decisions/{name}, simulations={simulations}", "decisions", count, partial(prepare, simulations), quick=quick
    )
    for name, prepare, quick in (("MCTS.run", prepare_searches, True), ("mcts bot", prepare_bot, False))
    for simulations, count in DECISIONS.items()
)
