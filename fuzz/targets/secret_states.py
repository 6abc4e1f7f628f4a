"""Positions of games in Python that hide something: dicts and texts, and searches from what is read."""

from __future__ import annotations

import json
from unittest.mock import patch

from soundness import check_sound

import mcts
from cext.exact.sequence_form import SequenceForm
from cext.game import observations
from fuzz.games import SECRETS, chosen_game, loaded, played
from fuzz.reader import Reader
from mcts.searchers.ismcts import ISMCTS

MASKS = (-1, 0, 1, 2, 3, 4, 8, 255, 256, 2**31, 2**32)
"""Masks of players, of chance and of nobody, right and wrong ones."""
SEEDS = tuple(
    bytes([place, 4, 0, 0, 0]) + loaded(spec).new_initial_state().to_text().encode()
    for place, spec in enumerate(SECRETS)
)
TOKENS = ('"seen"', "[-1,", "-1", "256", "2147483648", '"prizes"', '"bids"', '"facts"', '"waiting"', '"()"')
MOST_STEPS = 2_000
"""Steps of the game that a search for a state takes here."""


def target(data: bytes) -> None:
    """Read a changed dict of a state or a view, or the text of the input, and search from it."""
    reader = Reader(data)
    game = chosen_game(reader, SECRETS)
    kind = reader.byte() % 5
    state = played(game, reader, 20)
    player = reader.below(game.num_players + 1)
    is_view = player < game.num_players
    if kind < 4:
        given = state.view(player).to_dict() if is_view else state.to_dict()
        for _ in range(kind):
            given = reader.changed(given, MASKS)
        try:
            text = json.dumps(given)
        except (TypeError, ValueError):
            return
    else:
        text = reader.rest_text()
    with patch.object(observations, "MOST_STEPS", MOST_STEPS):
        try:
            found = game.view_from_text(player, text) if is_view else game.state_from_text(text)
        except mcts.StateError:
            return
        use(found)


def use(found: mcts.State | mcts.View) -> None:
    """Play on and search from a state, or search a view."""
    check_sound(found)
    if isinstance(found, mcts.State):
        SequenceForm(found.game, 1, found).explore(200)
    for player in found.acting_players():
        view = found.view(player) if isinstance(found, mcts.State) else found
        if view.player != player:
            continue
        try:
            ISMCTS(found.game).run(view, simulations=3)
        except mcts.StateError as error:
            if isinstance(found, mcts.View) or "no state of" not in str(error):
                raise  # a state may tell of a past that no play leads to, a view may not
