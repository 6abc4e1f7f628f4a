"""Texts of actions and steps, and joint actions of any values: `string_to_action`, `apply_step`, `apply_actions`."""

from __future__ import annotations

from bots.steps import apply_step
from fuzz.games import chosen_game, played
from fuzz.reader import Reader
from mcts import IllegalActionError, State

TOKENS = (
    "mark(", "bid(", ",tiebreaker)", "pass", "reset", "noop", "|", "A1:3", "I9:12", ",", ")", "1", "9",
)  # fmt: skip


def target(data: bytes) -> None:
    """Play steps of the input until it ends."""
    reader = Reader(data)
    game = chosen_game(reader)
    state = played(game, reader, 80)
    while reader:
        kind = reader.byte() % 4
        before = state.clone()
        text = reader.text(60)
        try:
            if kind == 0:
                check_text(state, reader.below(game.num_players), text)
            elif kind == 1:
                apply_step(state, text)
            elif kind == 2:
                state.apply_actions([state.sample_action(player, reader.byte()) for player in range(game.num_players)])
            else:
                state.apply_actions(joint_of(reader, state))
        except (IllegalActionError, TypeError, ValueError):
            assert state == before, "a refused step changed the state"
            assert state.history() == before.history()


def check_text(state: State, player: int, text: str) -> None:
    """An accepted text names an action whose own text names it again."""
    action = state.string_to_action(player, text)
    assert state.string_to_action(player, state.action_to_string(player, action)) == action
    state.is_legal(player, action)


def joint_of(reader: Reader, state: State) -> object:
    """Return something that may be a joint action, or a legal one with a change."""
    if reader.flag():
        return reader.plain(2)
    joint = [state.sample_action(player, reader.byte()) for player in range(state.game.num_players)]
    player = reader.below(len(joint))
    action = joint[player]
    joint[player] = reader.changed(list(action)) if isinstance(action, tuple) else reader.changed(action)
    return joint
