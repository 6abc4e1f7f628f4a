"""Batches of new states from which random games are played, as in `cext/search/leaf_batches.pyx`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cext.game.game import State

from .bounds import tighten
from .playouts import PlayoutPolicy, play_out
from .proofs import keep_exact
from .search_state import SearchState, WaitingLeaf, exact_value, value_of_returns
from .simulation import Outcome, backpropagate, count_ahead, simulate
from .tree import SingleNode, child_of
from .values import VALUE_UNIT, sum_in_order

LANES = 512
"""Most games of a batch."""
MOST_FINISHED = 256
"""Simulations that need no games, until a batch ends."""


@dataclass
class RandomGame:
    """A game from a state that waits."""

    first: list[int]
    """The first joint action."""
    returns: list[float]


def play_game(search: SearchState, start: State) -> RandomGame:
    """Play a random game."""
    state, rng = start.clone(), search.rng
    first = [-1] * search.game.num_players
    for player in state.acting_players():
        legal = state.legal_actions(player)
        first[player] = legal[rng.below(len(legal))]
    state.apply_actions(first)
    return RandomGame(first, play_out(state, PlayoutPolicy(), rng, []))


def mean_of(numbers: list[float]) -> float:
    """Return the mean, with the roundings of a sum in the given order."""
    return sum_in_order(numbers) / len(numbers)


def add_first_actions(search: SearchState, node: SingleNode, games: list[RandomGame]) -> None:
    """Count the games from a new node as a visit of each action that they began with."""
    players = range(search.game.num_players)
    for other in range(len(node.arms), len(node.actions)):
        mine = [game.returns for game in games if game.first[node.mover] == node.actions[other]]
        if not mine:
            continue
        arm = node.arms[node.take_untried(other)]
        values = value_of_returns(search, [mean_of([returns[player] for returns in mine]) for player in players])
        arm.value = values[node.mover]
        arm.visits = 1
        arm.mean, arm.width = np.float32(arm.value * VALUE_UNIT), np.float32(1.0)
        node.visits += 1
    node.sums = [node.visits * value for value in search.value]


def finish_leaf(search: SearchState, leaf: WaitingLeaf, games: list[RandomGame]) -> None:
    """Finish a simulation with the mean value of the games from its leaf."""
    leaf.node.pending = False
    players = range(search.game.num_players)
    search.value = value_of_returns(search, [mean_of([game.returns[player] for game in games]) for player in players])
    if isinstance(leaf.node, SingleNode):
        add_first_actions(search, leaf.node, games)
        if search.prefer_unproven:
            tighten(leaf.node, search.zero_sum, search.transpositions)
    if leaf.node.proven:
        search.value = exact_value(search, leaf.node)
    backpropagate(search, leaf.path, counted=True)
    for step in reversed(leaf.path) if search.solver else ():
        _, child = child_of(step.node, step.chosen)
        if child is not None and child.proven:
            keep_exact(search, step.node, step.chosen, child)


def play_batch(search: SearchState) -> list[list[RandomGame]]:
    """Play games from the states that wait, and return those of each."""
    each = 1
    while 2 * each * len(search.waiting) <= LANES:
        each *= 2
    return [[play_game(search, leaf.state) for _ in range(each)] for leaf in search.waiting]


def finish_batch(search: SearchState) -> None:
    """Play games from the states that wait, and finish their simulations."""
    games = play_batch(search)
    for path in search.passed:
        count_ahead(path, -1)
    search.passed.clear()
    for leaf, its_games in zip(search.waiting, games, strict=True):
        finish_leaf(search, leaf, its_games)
    search.waiting.clear()


def run_batches(search: SearchState, simulations: int) -> int:
    """Simulate in batches. Return the simulations done."""
    done = 0
    while done < simulations and not search.root.proven:
        last = done + MOST_FINISHED
        while done < last and len(search.waiting) < search.leaves and done + len(search.waiting) < simulations:
            outcome = Outcome.NOTHING_LEFT if search.root.proven else simulate(search)
            if outcome is Outcome.NOTHING_LEFT or len(search.passed) > search.leaves:
                break
            done += outcome is Outcome.DONE
        if search.waiting:
            done += len(search.waiting)
            finish_batch(search)
    return done


def correct_nodes(search: SearchState) -> None:
    """Play games from the states that wait, and give their nodes in the graph the values of the games."""
    players = range(search.game.num_players)
    for leaf, games in zip(search.waiting, play_batch(search), strict=True):
        means = value_of_returns(search, [mean_of([game.returns[player] for game in games]) for player in players])
        changes = zip(leaf.node.sums, means, leaf.value, strict=True)
        leaf.node.sums = [total + mean - value for total, mean, value in changes]
    search.waiting.clear()


def run_late(search: SearchState, simulations: int) -> int:
    """Simulate in a graph, whose new nodes get the values of games later. Return the simulations done."""
    done = 0
    while done < simulations and not search.root.proven:
        last = min(simulations, done + MOST_FINISHED)
        while done < last and len(search.waiting) < search.leaves and not search.root.proven:
            if simulate(search) is Outcome.NOTHING_LEFT:
                return done
            done += 1
        if search.waiting:
            correct_nodes(search)
    return done
