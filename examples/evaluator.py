"""An evaluator instead of playouts: a linear model of the values, fitted by least squares.

The search asks it, a batch at a time, what states are worth and which actions look promising. A neural network would
stand in the same place; this model is the smallest thing that learns.

usage: python examples/evaluator.py
"""

import random

import numpy as np
from numpy.typing import NDArray

import mcts

GAME = mcts.load_game("mnk(m=4,n=4,k=3)")
SAMPLES, PLAYOUTS = 3000, 30
Numbers = NDArray[np.floating]
GAMES, SIMULATIONS = 20, 200


class LinearValue:
    """Values that are linear in features of a state; all actions look equally promising."""

    def __init__(self, weights: Numbers) -> None:
        self.weights = weights

    def evaluate(self, batch: Numbers) -> tuple[Numbers, Numbers]:
        """Priors [B, num_actions] and values [B, num_players] of a batch of encoded states [B, encoding_size]."""
        first = np.clip(features(batch) @ self.weights, GAME.min_utility, GAME.max_utility)
        priors = np.ones((len(batch), GAME.num_actions), dtype=np.float32)
        return priors, np.stack([first, (GAME.utility_sum or 0.0) - first], axis=1)


def features(batch: Numbers) -> Numbers:
    """What the model sees [B, features]: a constant, and per side, all cells and all pairs of cells.

    Of an encoded state of mnk the first numbers are the cells of the first player, then come those of the second, and
    the last two say who moves. Every feature is there once for either player to move.
    """
    cells = (batch.shape[1] - 2) // 2
    one, two = np.triu_indices(cells)  # a cell with itself is the cell
    sides = [batch[:, :cells], batch[:, cells : 2 * cells]]
    seen = np.hstack([np.ones((len(batch), 1)), *(side[:, one] * side[:, two] for side in sides)])
    return np.hstack([seen * batch[:, -2:-1], seen * batch[:, -1:]])


def random_states(count: int, luck: random.Random) -> list[mcts.State]:
    """States that random play reaches, at random moments."""
    found: list[mcts.State] = []
    while len(found) < count:
        state = GAME.new_initial_state()
        path = []
        while not state.is_terminal():
            path.append(state.clone())
            state.apply_action(luck.choice(state.legal_actions()))
        found.append(luck.choice(path))
    return found


def learn(luck: random.Random) -> tuple[LinearValue, float, float]:
    """Fit a model to the mean returns of playouts; how far it is off on states that it was not fitted to."""
    states = random_states(SAMPLES, luck)
    inputs = features(np.stack([state.encode() for state in states]))
    values = np.array([mcts.playouts(state, PLAYOUTS, seed=number)[0] for number, state in enumerate(states)])
    half = SAMPLES * 4 // 5
    # A little of every weight's square is added to the error, as there are not many more states than weights.
    damping = 3.0 * np.eye(inputs.shape[1])
    weights = np.linalg.solve(inputs[:half].T @ inputs[:half] + damping, inputs[:half].T @ values[:half])
    off = np.abs(inputs[half:] @ weights - values[half:]).mean()
    plain = np.abs(values[:half].mean() - values[half:]).mean()
    return LinearValue(weights), off, plain


def play(first: mcts.MCTS, second: mcts.MCTS, luck: random.Random) -> float:
    """The first player's return in a game between two searchers, begun by two random moves."""
    state = GAME.new_initial_state()
    for _ in range(2):
        state.apply_action(luck.choice(state.legal_actions()))
    while not state.is_terminal():
        searcher = (first, second)[state.current_player()]
        state.apply_action(searcher.run(state, simulations=SIMULATIONS).action)
    return state.returns()[0]


def main() -> None:
    """Fit, then play."""
    luck = random.Random(1)
    model, off, plain = learn(luck)
    print(f"fitted to {PLAYOUTS} playouts from each of {SAMPLES * 4 // 5} states of {GAME.spec}")
    print(f"on other states the model is off by {off:.1f} of 100 on average; always saying the mean, by {plain:.1f}")
    judged = mcts.MCTS(GAME, selection="puct", evaluator=model, batch_size=8, seed=1)
    played_out = mcts.MCTS(GAME, selection="ucb1", seed=2)
    returns = []
    for number in range(GAMES):
        if number % 2:
            returns.append(100 - play(played_out, judged, luck))
        else:
            returns.append(play(judged, played_out, luck))
    print(f"{GAMES} games at {SIMULATIONS} simulations a move, two random moves first, taking turns to begin:")
    print(
        f"the model against playouts with ucb1: {returns.count(100)} won, {returns.count(50)} drawn, "
        f"{returns.count(0)} lost; mean return {np.mean(returns):.0f} of 100"
    )


if __name__ == "__main__":
    main()
