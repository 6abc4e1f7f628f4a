"""Faults of a game: errors of its own code that play repeats without any bot."""

from __future__ import annotations

from collections.abc import Iterable

from cext.arguments import shown
from mcts import CHANCE, IllegalActionError, State, StateError

from ..errors import GameFaultError
from ..system.untrusted import Steps, failure_of

MOST_TEXTS = 1000
"""Actions of a player in one state whose texts are made."""


def fault_of(starts: Iterable[State], steps: Steps) -> GameFaultError | None:
    """Return the fault of a game that play without bots shows, or None.

    Args:
        starts: states that may be faulty, or from which the steps may lead to the fault. Nothing is played from the
            first illegal step on.
        steps: joint actions.
    """
    for start in starts:
        state = start.clone()
        try:
            _look_at(state)
            for step in steps:
                state.apply_actions(step)
            _look_at(state)
        except IllegalActionError:
            continue
        except Exception as error:
            after = f"after the joint actions {shown(state.history())}" if state.history() else "at the start"
            return GameFaultError(
                f"the code of {state.game.spec} fails without any bot, {after}: {failure_of(error).message}"
            )
    return None


def _look_at(state: State) -> None:
    """Ask the rules for all that referees, bots and searches need in a state."""
    game = state.game
    state.key()
    if state.is_terminal():
        state.returns()
    if state.is_chance():
        for outcome, _ in state.chance_weights():
            state.action_to_string(CHANCE, outcome)
    for player in range(game.num_players):
        state.view(player)
    for player in state.acting_players() if game.is_enumerable else ():
        actions = state.legal_actions(player)
        if not actions:
            raise StateError(f"{game.players[player]} decides and has no legal action; valid: one or more")
        for action in actions[:MOST_TEXTS]:
            state.action_to_string(player, action)
    if game.encoding_size:
        state.encode()
