"""`Course`: the plies of one game from its start to the present state, as joint actions and as texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcts import CHANCE, Action, State

from .steps import step_text

CHANCE_NAME = "chance"
"""Key of an outcome of chance in a ply."""

Ply = dict[str, str]
"""The actions of a ply: name of the player -> text, `?` for a hidden one. An outcome of chance has the key `chance`."""
HIDDEN = "?"
"""Stands for an action that is hidden."""
Joint = Sequence[Action]
"""A joint action, as `State.apply_actions` takes it."""


@dataclass(frozen=True)
class Turn:
    """A joint action or an outcome of chance, and what is known of the decisions."""

    joint: Joint
    seconds: Mapping[int, float] = field(default_factory=dict)
    """Player -> time of the decision."""
    values: Mapping[int, float] = field(default_factory=dict)
    """Player -> return that the bot expects."""


class Course:
    """A state that remembers how it was reached.

    Args:
        start: the first state; it is not changed.

    Attributes:
        state: the present state.
        start: the first state.
        plies: the plies since the start.
        turns: the same as joint actions.
    """

    def __init__(self, start: State) -> None:
        self.start = start
        self.state = start.clone()
        self.plies: list[Ply] = []
        self.turns: list[Turn] = []

    def apply(self, turn: Turn) -> str:
        """Apply a joint action or an outcome of chance. Return its text, as `step_text` does."""
        joint = turn.joint
        state, acting = self.state, self.state.acting_players()
        step = step_text(state, acting, joint)
        names = {player: state.game.players[player] for player in acting} or {CHANCE: CHANCE_NAME}
        ply = {name: state.action_to_string(player, joint[player]) for player, name in names.items()}
        state.apply_actions(joint)
        self.plies.append(ply)
        self.turns.append(turn)
        return step

    def restart(self, turns: Sequence[Turn]) -> None:
        """Go back to the start, and apply turns from there."""
        self.state, self.plies, self.turns = self.start.clone(), [], []
        for turn in turns:
            self.apply(turn)

    def steps(self) -> list[str] | None:
        """Return the texts of all steps from the initial state of the game; None if they do not lead to this state."""
        state, steps = self.state.game.new_initial_state(), []
        try:
            for joint in self.state.history():
                steps.append(step_text(state, state.acting_players(), joint))
                state.apply_actions(joint)
        except ValueError:
            return None
        return steps if state == self.state else None


def seen_by(own: str | None, plies: Sequence[Ply]) -> list[Ply]:
    """Return plies with HIDDEN for the actions of all but one player, or of all players for None."""
    return [{name: text if name == own else HIDDEN for name, text in ply.items()} for ply in plies]
