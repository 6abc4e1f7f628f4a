"""The loop of a game: those who decide are asked, outcomes of chance are drawn, and all are told of each step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mcts.seeds import seed_for

from ..steps import sample_joint_action
from .course import Course, Turn


def play_on(
    course: Course,
    seed: int,
    ask: Callable[[Sequence[int]], Turn | None],
    told: Callable[[str], bool],
) -> None:
    """Play until the game is over, or until `ask` or `told` ends the loop.

    Args:
        course: the game so far.
        seed: root of the outcomes of chance: each depends on it, on how many there were before, and on the state's
            distribution.
        ask: called with the players who decide. Returns their actions, or None to end the loop before this ply.
        told: called with the text of each step, as `step_text` writes it, after it was applied. Returns True to go on.
    """
    state = course.state
    players = state.game.num_players
    goes_on = True
    while goes_on and not state.is_terminal():
        acting = state.acting_players()
        if acting:
            turn = ask(acting)
            if turn is None:
                return
        else:
            outcomes = sum(len(joint) > players for joint in state.history())
            turn = Turn(sample_joint_action(state, seed_for(seed, players, outcomes)))
        goes_on = told(course.apply(turn))
