"""The defaults of the bot `mcts` for a game, and the estimate of its number of states behind them."""

import pytest
from rulesheets import path_of
from support import forget_computed, noted_searches

import bots
import mcts
from bots.clocks import TurnLimit
from mcts.exact.size_estimate import estimate_size
from mcts.searchers import strongest

CHOICES = [
    ("mnk", ("ucb1", True, True)),
    ("mnk(m=4,n=3,k=3)", ("ucb1", True, True)),
    ("mnk(m=3,n=5,k=3)", ("grave", True, False)),
    ("mnk(m=4,n=4,k=3)", ("grave", True, False)),
    ("points_ttt", ("ucb1", True, True)),
    ("three_player_ttt(torus=true)", ("grave", True, False)),
    ("bidding_ttt(coins=40)", ("ucb1", True, True)),
    ("bidding_ttt(coins=100)", ("ucb1", False, True)),
    ("tic_block(block_phase=alternating)", ("ucb1", True, False)),
    ("tic_block(block_phase=simultaneous)", ("ucb1", False, True)),
    ("connect_four.kif", ("ucb1", True, False)),
    ("tic_block.kif", ("ucb1", False, False)),
    ("tic_tac_toe.kif", ("ucb1", True, True)),
    ("tron.kif", ("ucb1", False, True)),
]
"""Game -> selection, solver, transpositions, as estimates with eight times as many random games choose them."""


def load(name):
    return mcts.load_game(str(path_of(name.removesuffix(".kif"))) if name.endswith(".kif") else name)


@pytest.fixture
def chosen(monkeypatch):
    """Return a function: game, limit -> the selection, solver and transpositions of the first search of a bot."""
    made = noted_searches(monkeypatch)

    def of(game, limit=None):
        made.clear()
        bot = bots.load_bot("mcts(simulations=1)")
        if limit is not None:
            bot.set_limit(limit)
        bot.new_game(game, 0, 1)
        return tuple(made[0][name] for name in ("selection", "solver", "transpositions"))

    return of


@pytest.fixture
def estimates(monkeypatch):
    """The estimates that are made, each with its number of random games."""
    found = []

    def counted(game, **keywords):
        found.append((game.spec, keywords["walks"]))
        return estimate_size(game, **keywords)

    forget_computed(strongest)
    monkeypatch.setattr("mcts.exact.size_estimate.estimate_size", counted)
    yield found
    forget_computed(strongest)


@pytest.mark.parametrize(("name", "options"), CHOICES)
def test_defaults_follow_from_one_short_estimate(estimates, chosen, name, options):
    game = load(name)
    assert chosen(game) == options
    assert chosen(game) == options
    assert estimates == [(game.spec, 8192)]


def test_an_estimate_ends_within_the_deadline(estimates, chosen):
    """Without time, a game counts as one with many states. This is not kept for bots that have time."""
    game = load("mnk")
    assert chosen(game, TurnLimit(deadline_seconds=1e-9)) == ("grave", True, False)
    assert chosen(game) == ("ucb1", True, True)
    assert len(estimates) == 2


def test_an_estimate_takes_little_processor_time(estimates, chosen, monkeypatch):
    monkeypatch.setattr(strongest, "SIZE_SECONDS", 0.0)
    assert chosen(load("mnk")) == ("grave", True, False)
