"""How a simulation goes on behind the tree."""

from __future__ import annotations

from collections.abc import Callable

from cext.game import State

from .nodes import Memory, Record
from .streams import Stream

Move = tuple[int, int]
"""A player and its action."""

MAST_RANDOM = 0.4
"""Share of moves of a MAST playout that are made at random."""


def _after(state: State, player: int, action: int) -> State:
    """The state behind a move of the one player that decides."""
    after = state.clone()
    after.apply_actions([action if other == player else -1 for other in range(state.game.num_players)])
    return after


def _has_won(state: State, player: int) -> bool:
    """True when the game is over with all that a player can get."""
    return state.is_terminal() and state.returns()[player] >= state.game.max_utility


def _can_win(state: State) -> bool:
    """True when one player decides and has a move that wins."""
    acting = state.acting_players()
    if len(acting) != 1:
        return False
    return any(_has_won(_after(state, acting[0], action), acting[0]) for action in state.legal_actions(acting[0]))


def _decisive(state: State, player: int, stream: Stream) -> int:
    """A move that wins; else a random one of those that leave the next player none that does (Teytaud 2010)."""
    legal = state.legal_actions(player)
    for action in legal:
        if _has_won(_after(state, player, action), player):
            return action
    for i in range(len(legal)):
        j = i + stream.below(len(legal) - i)
        legal[i], legal[j] = legal[j], legal[i]
        if not _can_win(_after(state, player, legal[i])):
            return legal[i]
    return legal[0]


def _mast(legal: list[int], player: int, known: Memory, stream: Stream) -> int:
    """The move that has done best wherever it was played, mostly (e-greedy MAST: Tak, Winands and Bjornsson 2012)."""
    if stream.unit() < MAST_RANDOM:
        return legal[stream.below(len(legal))]

    def mean(action: int) -> float:
        record = known.get((player, action), Record())
        return record.value / record.visits if record.visits else 1e18

    return max(legal, key=mean)


def roll_out(state: State, playout: str, mast: Memory, stream: Stream, seen: Callable[[Move], None]) -> list[float]:
    """Play a state to its end, tell `seen` every move, and return the returns."""
    while not state.is_terminal():
        acting = state.acting_players()
        joint = [-1] * state.game.num_players
        for player in acting:
            if playout == "decisive" and len(acting) == 1:
                joint[player] = _decisive(state, player, stream)
            elif playout == "mast":
                joint[player] = _mast(state.legal_actions(player), player, mast, stream)
            else:
                legal = state.legal_actions(player)
                joint[player] = legal[stream.below(len(legal))]
            seen((player, joint[player]))
        state.apply_actions(joint)
    return state.returns()
