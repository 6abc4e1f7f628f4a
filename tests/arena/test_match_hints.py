"""Hints are for the person who decides, in every seat of every game in which players decide at once."""

import pytest
from rulesheets import path_of

import bots
import mcts

SHEETS = [str(path_of(name)) for name in ("bidding_ttt", "goofspiel", "tic_block", "tron")]
GAMES = ["bidding_ttt", "bidding_ttt(coins=8)", "tic_block", "bidding_3d_ttt(chips=20)", *SHEETS]
CASES = [(game, seat) for game in GAMES for seat in range(mcts.load_game(game).num_players)]
MOST_HINTS = 12


def name_of(value):
    return value.rpartition("/")[2] if isinstance(value, str) else str(value)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("game", "seat"), CASES, ids=name_of)
def test_a_hint_is_an_action_that_its_person_can_play(game, seat):
    loaded = mcts.load_game(game)
    opponents = {number: "random" for number in range(loaded.num_players) if number != seat}
    together = 0
    for seed in range(3):
        with bots.Match(loaded, opponents, seed=seed) as match:
            for _ in range(MOST_HINTS):
                if match.is_over:
                    break
                together += loaded.has_hidden_information or len(match.state.acting_players()) > 1
                match.play(match.hint(seconds=0.01))
    assert together > 3


@pytest.mark.parametrize("seat", ["x", "o"])
def test_an_analysis_is_of_the_person_who_has_not_chosen(seat):
    match = bots.Match("bidding_ttt", {})
    other = {"x": "o", "o": "x"}[seat]
    match.play("bid(1)", other)
    assert match.analyse(simulations=10).player == match.game.players.index(seat)
    match.play(match.hint(seconds=0.01), seat)
    assert len(match.history()) == 1


def test_without_a_decision_of_a_person_the_bot_is_analysed():
    match = bots.Match("mnk", {"x": "random"}, begin=False)
    assert match.analyse(simulations=10).player == 0
