"""`Course`: the plies of one game from its start to the present state, as joint actions and as texts."""

from __future__ import annotations

from collections.abc import Sequence

from mcts import CHANCE, Action, State

from .steps import step_text

CHANCE_NAME = "chance"
"""Key of an outcome of chance in a ply."""

Ply = dict[str, str]
"""The actions of a ply: name of the player -> text, `?` for a hidden one. An outcome of chance has the key `chance`."""
Joint = Sequence[Action]
"""A joint action, as `State.apply_actions` takes it."""


class Course:
    """A state that remembers how it was reached.

    Args:
        start: the first state; it is not changed.

    Attributes:
        state: the present state.
        plies: the plies since the start.
    """

    def __init__(self, start: State) -> None:
        self._start = start
        self.state = start.clone()
        self.plies: list[Ply] = []

    def apply(self, joint: Joint) -> str:
        """Apply a joint action or an outcome of chance. Return its text, as `step_text` does."""
        state, acting = self.state, self.state.acting_players()
        step = step_text(state, acting, joint)
        names = {player: state.game.players[player] for player in acting} or {CHANCE: CHANCE_NAME}
        ply = {name: state.action_to_string(player, joint[player]) for player, name in names.items()}
        state.apply_actions(joint)
        self.plies.append(ply)
        return step

    def joints(self) -> list[Joint]:
        """Return the joint actions since the start."""
        return list(self.state.history()[len(self._start.history()) :])

    def restart(self, joints: Sequence[Joint]) -> None:
        """Go back to the start, and apply joint actions from there."""
        self.state, self.plies = self._start.clone(), []
        for joint in joints:
            self.apply(joint)

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
