"""Steps of a game as text, for records, bots and external engines.

A step is a joint action of the acting players, or an outcome of chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcts import CHANCE, NOOP, Action, IllegalActionError, State
from mcts.random_steps import is_in_turns as is_in_turns
from mcts.random_steps import sample_joint_action as sample_joint_action


def step_text(state: State, acting: Sequence[int], joint: Sequence[Action]) -> str:
    """Return the text of a step.

    If one player decides, it is the text of the action. If several decide, it is the texts of the actions of all
    players, joined by `|`, with `noop` for a player who does not decide. If chance decides, it is the text of the
    outcome.

    Args:
        state: the state before the step.
        acting: the players who decide; none where chance decides.
        joint: an action for each player, NOOP for a player who does not decide, and behind them the outcome of chance.
    """
    return "|".join(step_texts(state, acting, joint))


def step_texts(state: State, acting: Sequence[int], joint: Sequence[Action]) -> list[str]:
    """Return the texts that `step_text` joins: one for each player if several decide, else one alone."""
    if len(acting) > 1:
        return [state.action_to_string(player, action) for player, action in enumerate(joint)]
    player = acting[0] if acting else CHANCE
    return [state.action_to_string(player, joint[player])]


def read_step(state: State, text: str) -> list[Action]:
    """Return the joint action of a text from `step_text`.

    Raises:
        IllegalActionError: the text is not a step from this state.
    """
    if state.is_chance():
        return [*[NOOP] * state.game.num_players, state.string_to_action(CHANCE, text)]
    acting = state.acting_players()
    words = text.split("|")
    if len(acting) == 1 and len(words) == 1:
        joint: list[Action] = [NOOP] * state.game.num_players
        joint[acting[0]] = state.string_to_action(acting[0], text)
        return joint
    if len(acting) < 2 or len(words) != state.game.num_players:
        wanted = f"{state.game.num_players} actions joined by |" if len(acting) > 1 else "the action of one player"
        raise IllegalActionError(
            f"{text!r} is not a step of {state.game.spec}; valid here: {wanted if acting else 'none'}"
        )
    return [state.string_to_action(player, word) for player, word in enumerate(words)]


def apply_step(state: State, text: str) -> None:
    """Apply a step, given as text from `step_text`. An IllegalActionError leaves the state unchanged."""
    state.apply_actions(read_step(state, text))


def why_illegal(state: State, seat: int, action: Any) -> str:
    """Return the reason why an action is illegal. The action may be any object."""
    joint = sample_joint_action(state, 0)
    joint[seat] = action
    try:
        state.clone().apply_actions(joint)
    except IllegalActionError as error:
        return str(error)
    except Exception:
        return f"an object of type {type(action).__name__} is not an action of {state.game.spec}"
    raise AssertionError("the action is legal")
