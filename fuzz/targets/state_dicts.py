"""Dicts of states and views: `Game.state_from_dict`, `Game.view_from_dict`."""

from __future__ import annotations

import copy

from soundness import check_sound

from fuzz.games import chosen_game, played
from fuzz.reader import Reader
from mcts import StateError


def target(data: bytes) -> None:
    """Change the dict of a state or a view, and read it."""
    reader = Reader(data)
    game = chosen_game(reader)
    state = played(game, reader, 80)
    player = reader.below(game.num_players + 1)
    given = state.to_dict() if player == game.num_players else state.view(player).to_dict()
    for _ in range(reader.byte() % 4):
        given = reader.changed(given)
    before = copy.deepcopy(given)
    try:
        found = game.state_from_dict(given) if player == game.num_players else game.view_from_dict(player, given)
    except StateError:
        return
    finally:
        assert repr(given) == repr(before), "the dict was changed"
    check_sound(found)
