"""Damaged rulesheets are refused in words, or are games that keep the contract."""

import random
import re

from rulesheets import FOLDER
from sampling import sweep

import mcts
from mcts.errors import RulesheetError
from mcts.gdl.game import RulesheetGame
from mcts.gdl.texts import term_text
from mcts.reference.rulesheet import Rulesheet

TOKENS = re.compile(r"[()]|[^\s();]+")


def mutated(text, rng):
    """Return a text in which some words and lists are replaced, deleted or repeated."""
    tokens = TOKENS.findall(re.sub(r";.*", "", text))
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(tokens))
        way = rng.randrange(4)
        if way == 0:
            del tokens[place]
        elif way == 1:
            tokens.insert(place, rng.choice(tokens))
        else:
            words = [number for number, token in enumerate(tokens) if token not in "()"]
            tokens[rng.choice(words)] = tokens[rng.choice(words)]
    return " ".join(tokens)


@sweep("seed", range(40), 12)
def test_a_damaged_rulesheet(seed):
    rng = random.Random(seed)
    text = mutated((FOLDER / "tic_tac_toe.kif").read_text(), rng)
    try:
        game = RulesheetGame(text, "sheet.kif", seconds=5, max_steps=30)
    except RulesheetError:
        return
    assert mcts.check_game(game, games=2).problems == ()
    mcts.playouts(game.new_initial_state(), 600)
    rules = Rulesheet(text)
    state = game.new_initial_state()
    known = {*game.network.fluents, *game.network.always}
    assert {*state.to_dict()["facts"], *game.network.always} == {term_text(each) for each in rules.initial()} & known
    assert state.is_terminal() or not rules.terminal(rules.initial())
