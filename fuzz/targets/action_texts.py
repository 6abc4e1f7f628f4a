"""Texts of actions and steps, and joint actions of any values: `string_to_action`, `apply_step`, `apply_actions`."""

from __future__ import annotations

from bots.steps import apply_step
from fuzz.games import chosen_game, played
from fuzz.reader import Reader
from mcts import CHANCE, NOOP, Action, IllegalActionError, State

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
                check_text(state, CHANCE if state.is_chance() else reader.below(game.num_players), text)
            elif kind == 1:
                apply_step(state, text)
            elif kind == 2:
                state.apply_actions(legal_joint(reader, state))
            else:
                state.apply_actions(joint_of(reader, state))
        except (IllegalActionError, TypeError, ValueError):
            assert state == before, "a refused step changed the state"
            assert state.history() == before.history()


def check_text(state: State, player: int, text: str) -> None:
    """An accepted text names an action, or an outcome of chance, whose own text names it again."""
    action = state.string_to_action(player, text)
    assert state.string_to_action(player, state.action_to_string(player, action)) == action
    if player != CHANCE:
        state.is_legal(player, action)


def legal_joint(reader: Reader, state: State) -> list[Action]:
    """Return a legal joint action, or an outcome of chance as one."""
    if state.is_chance():
        return [*[NOOP] * state.game.num_players, state.sample_outcome(reader.byte())]
    return [state.sample_action(player, reader.byte()) for player in range(state.game.num_players)]


def joint_of(reader: Reader, state: State) -> object:
    """Return something that may be a joint action, or a legal one with a change."""
    if reader.flag():
        return reader.plain(2)
    joint = legal_joint(reader, state)
    player = reader.below(len(joint))
    action = joint[player]
    joint[player] = reader.changed(list(action)) if isinstance(action, tuple) else reader.changed(action)
    return joint
