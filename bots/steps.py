"""Steps of a game as texts: what stands in records, is told to bots, and goes to external engines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from mcts import NOOP, Action, Game, IllegalActionError, State

_LOOKS = 8
"""Random games that show whether players ever decide at once."""


def step_text(state: State, acting: Sequence[int], joint: Sequence[Action]) -> str:
    """A step in words: the action of the one player who decides, or where several do, the actions of all players joined
    by `|`, with `noop` for one who does not.

    Args:
        state: before the step.
        acting: who decides there.
        joint: an action for each player, NOOP for those who do not decide.
    """
    if len(acting) == 1:
        return state.action_to_string(acting[0], joint[acting[0]])
    return "|".join(state.action_to_string(player, action) for player, action in enumerate(joint))


def read_step(state: State, text: str) -> list[Action]:
    """The joint action that `step_text` has put into words.

    Raises:
        IllegalActionError: the text is no step from this state.
    """
    acting = state.acting_players()
    words = text.split("|")
    if len(acting) == 1 and len(words) == 1:
        joint: list[Action] = [NOOP] * state.game.num_players
        joint[acting[0]] = state.string_to_action(acting[0], text)
        return joint
    if len(acting) < 2 or len(words) != state.game.num_players:
        wanted = f"{state.game.num_players} actions joined by |" if len(acting) > 1 else "the action of one player"
        raise IllegalActionError(
            f"{text!r} is no step of {state.game.spec}; valid here: {wanted if acting else 'none'}"
        )
    return [state.string_to_action(player, word) for player, word in enumerate(words)]


def apply_step(state: State, text: str) -> None:
    """Play a step that `step_text` has put into words. Raises IllegalActionError, and leaves the state as it was."""
    state.apply_actions(read_step(state, text))


@lru_cache(maxsize=64)
def is_in_turns(game: Game) -> bool:
    """True where one player decides at a time, as far as a few random games show."""
    for number in range(_LOOKS):
        state = game.new_initial_state()
        while acting := state.acting_players():
            if len(acting) > 1:
                return False
            state.apply_actions([state.sample_action(player, number) for player in range(game.num_players)])
    return True


def why_illegal(state: State, seat: int, action: Any) -> str:
    """The reason why an action is not legal. It may be any object."""
    joint = [state.sample_action(player, 0) for player in range(state.game.num_players)]
    joint[seat] = action
    try:
        state.clone().apply_actions(joint)
    except IllegalActionError as error:
        return str(error)
    except Exception:
        return f"an object of type {type(action).__name__} is no action of {state.game.spec}"
    raise AssertionError("a legal action was to be explained as illegal")
