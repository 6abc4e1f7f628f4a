"""Texts of positions: `Game.state_from_text`, `Game.view_from_text`."""

from __future__ import annotations

from soundness import check_sound

from fuzz.games import SPECS, chosen_game, loaded, played
from fuzz.reader import Reader
from mcts import StateError

SEEDS = tuple(
    bytes([place, 2, 0, 0]) + loaded(spec).new_initial_state().to_text().encode() for place, spec in enumerate(SPECS)
)
TOKENS = (
    "...", "/", "_", "?", "-", "x", "o", "z", "xplayer", "xcplayer", "both", "A1:3", "I9:255", '{"board":',
    "null",
)  # fmt: skip


def target(data: bytes) -> None:
    """Read a text of the input, or a changed text of a state."""
    reader = Reader(data)
    game = chosen_game(reader)
    kind = reader.byte() % 4
    player = reader.below(game.num_players)
    if kind < 2:
        state = played(game, reader, 80)
        text = reader.changed(state.to_text() if kind == 0 else state.view(player).to_text())
    else:
        reader.byte()
        text = reader.rest_text()
    try:
        found = game.state_from_text(text) if kind % 2 == 0 else game.view_from_text(player, text)
    except StateError:
        return
    check_sound(found)
    again = found.to_text()
    assert (game.state_from_text(again) if kind % 2 == 0 else game.view_from_text(player, again)) == found
    assert not any(letter.isspace() for letter in again)
