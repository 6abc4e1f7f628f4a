"""States that a view may be of: those that are drawn are all that the play so far allows, found by enumeration."""

from itertools import product

import pytest
from sampling import sweep
from support import random_path

import mcts

GAMES = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "oh_hell(players=2,suits=2,ranks=3,tricks=2)",
    "oh_hell(players=3,suits=4,ranks=2,tricks=2)",
    "oh_hell(players=3,suits=2,ranks=4,tricks=2)",
    "liars_dice",
    "dark_mnk(m=3,n=2,k=2)",
    "secret_goofspiel",
]
MOST = 6000
"""Most states that are enumerated for a view."""
FEW = 100
"""Most states of a view from which states are drawn."""
DRAWS = 8
"""Draws for each possible state."""


def successors(state):
    if state.is_chance():
        return [state.child(outcome) for outcome, _ in state.chance_weights()]
    if state.is_terminal():
        return []
    found = []
    for joint in product(*(state.legal_actions(player) for player in range(state.game.num_players))):
        after = state.clone()
        after.apply_actions(joint)
        found.append(after)
    return found


def possible(path, player):
    """What a player sees on a path, in turn without repetitions, each with the keys of all states it may be of.

    A step that the player does not notice changes the state alone, so a view may be of states of several plies.
    """
    views = []
    for state in path:
        if not views or state.view(player) != views[-1]:
            views.append(state.view(player))
    found, reached = [], {path[0].key(): path[0]}
    for number, view in enumerate(views):
        todo, later = list(reached.values()), {}
        while todo:
            for after in successors(todo.pop()):
                seen = after.view(player)
                if seen == view and after.key() not in reached:
                    reached[after.key()] = after
                    todo.append(after)
                elif views[number + 1 : number + 2] == [seen]:
                    later[after.key()] = after
            if len(reached) > MOST:
                return found
        found.append((view, set(reached)))
        reached = later
    return found


@sweep("seed", range(12), 4)
@pytest.mark.parametrize("spec", GAMES)
def test_all_states_that_a_view_allows_are_drawn_and_no_others(spec, seed):
    path, compared = random_path(mcts.load_game(spec), seed), 0
    for player in range(path[0].game.num_players):
        for view, wanted in possible(path, player):
            if player not in view.acting_players() or len(wanted) > FEW:
                continue
            compared += 1
            drawn = {view.resample(number).key() for number in range(DRAWS * len(wanted))}
            assert drawn <= wanted
            assert len(drawn) >= 0.75 * len(wanted)
    assert compared


@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker", "liars_dice", "oh_hell"])
def test_everybody_is_told_what_is_said_and_played(spec):
    assert mcts.load_game(spec).info.public_actions
