"""Playouts: a simulation below the tree, to the end of the game."""

from __future__ import annotations

from cext.game.game import State

from .rng import Rng
from .tree import Played, PlayedTable

MAST_RANDOM = 0.4
"""Share of the actions of a MAST playout that are random."""


def _after(state: State, player: int, action: int) -> State:
    """Return the state after an action of the one player that decides."""
    after = state.clone()
    after.apply_actions([action if other == player else -1 for other in range(state.game.num_players)])
    return after


def _has_won(state: State, player: int) -> bool:
    """Return True when the game is over and a player has the greatest possible return."""
    return state.is_terminal() and state.returns()[player] >= state.game.max_utility


def _can_win(state: State, other: int) -> bool:
    """Return True when one player decides, not `other`, and has an action that wins."""
    acting = state.acting_players()
    if len(acting) != 1 or acting[0] == other:
        return False
    return any(_has_won(_after(state, acting[0], action), acting[0]) for action in state.legal_actions(acting[0]))


def _decisive(state: State, player: int, rng: Rng) -> int:
    """Return an action that wins; else a random one after which the next player cannot win (Teytaud 2010)."""
    legal = state.legal_actions(player)
    for action in legal:
        if _has_won(_after(state, player, action), player):
            return action
    first = rng.below(len(legal))
    for action in legal[first:] + legal[:first]:
        if not _can_win(_after(state, player, action), player):
            return action
    return legal[first]


def _mast(legal: list[int], player: int, known: PlayedTable, rng: Rng) -> int:
    """Return mostly the action of the best mean wherever it was played (e-greedy MAST: Tak et al. 2012)."""
    if rng.unit() < MAST_RANDOM:
        return legal[rng.below(len(legal))]

    def mean(action: int) -> float:
        record = known.get((player, action), Played())
        return record.value / record.visits if record.visits else 1e18

    return max(legal, key=mean)


def play_out(state: State, playout: str, mast: PlayedTable, rng: Rng, recorded: list[tuple[int, int]]) -> list[float]:
    """Play a state to its end and return the returns. Append every (player, action) to `recorded`."""
    while not state.is_terminal():
        if state.is_chance():
            outcomes, weights = zip(*state.chance_weights(), strict=True)
            state.apply_action(outcomes[rng.weighted(list(weights))])
            continue
        acting = state.acting_players()
        joint = [-1] * state.game.num_players
        for player in acting:
            if playout == "decisive" and len(acting) == 1:
                joint[player] = _decisive(state, player, rng)
            elif playout == "mast":
                joint[player] = _mast(state.legal_actions(player), player, mast, rng)
            else:
                legal = state.legal_actions(player)
                joint[player] = legal[rng.below(len(legal))]
            recorded.append((player, joint[player]))
        state.apply_actions(joint)
    return state.returns()
