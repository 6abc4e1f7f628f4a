"""An evaluator instead of playouts: a linear model of the values, fitted by least squares.

The search passes batches of states to the evaluator, which returns their values and the priors of their actions. A
neural network has the same interface; this model is small enough for an example.

usage: python examples/evaluator.py
"""

import random

import numpy as np
from numpy.typing import NDArray

import playout

GAME = playout.load_game("mnk(m=4,n=4,k=3)")
SAMPLES, PLAYOUTS = 3000, 30
Numbers = NDArray[np.floating]
GAMES, SIMULATIONS = 20, 200


class LinearValue:
    """Values that are linear in features of a state; all actions have equal priors."""

    def __init__(self, weights: Numbers) -> None:
        self.weights = weights

    def evaluate(self, batch: Numbers) -> tuple[Numbers, Numbers]:
        """Return priors [B, num_actions] and values [B, num_players] of encoded states [B, encoding_size]."""
        first = np.clip(features(batch) @ self.weights, GAME.min_utility, GAME.max_utility)
        priors = np.ones((len(batch), GAME.num_actions), dtype=np.float32)
        return priors, np.stack([first, (GAME.utility_sum or 0.0) - first], axis=1)


def features(batch: Numbers) -> Numbers:
    """Return the features [B, features] of the model: a constant, and for each side, all cells and all pairs of cells.

    An encoded state of mnk has the cells of the first player, then those of the second; the last two numbers are the
    player to move, one-hot. Each feature exists twice, once for each player to move.
    """
    cells = (batch.shape[1] - 2) // 2
    one, two = np.triu_indices(cells)  # the pair of a cell with itself is the cell
    sides = [batch[:, :cells], batch[:, cells : 2 * cells]]
    seen = np.hstack([np.ones((len(batch), 1)), *(side[:, one] * side[:, two] for side in sides)])
    return np.hstack([seen * batch[:, -2:-1], seen * batch[:, -1:]])


def random_states(count: int, luck: random.Random) -> list[playout.State]:
    """Return states of random games, at random plies."""
    found: list[playout.State] = []
    while len(found) < count:
        state = GAME.new_initial_state()
        path = []
        while not state.is_terminal():
            path.append(state.clone())
            state.apply_action(luck.choice(state.legal_actions()))
        found.append(luck.choice(path))
    return found


def learn(luck: random.Random) -> tuple[LinearValue, float, float]:
    """Fit a model to the mean returns of playouts.

    Returns:
        The model, its mean error on states that it was not fitted to, and the mean error of a constant.
    """
    states = random_states(SAMPLES, luck)
    inputs = features(np.stack([state.encode() for state in states]))
    values = np.array([playout.playouts(state, PLAYOUTS, seed=number)[0] for number, state in enumerate(states)])
    half = SAMPLES * 4 // 5
    # Ridge regression: there are not many more states than weights.
    damping = 3.0 * np.eye(inputs.shape[1])
    weights = np.linalg.solve(inputs[:half].T @ inputs[:half] + damping, inputs[:half].T @ values[:half])
    off = np.abs(inputs[half:] @ weights - values[half:]).mean()
    plain = np.abs(values[:half].mean() - values[half:]).mean()
    return LinearValue(weights), off, plain


def play(first: playout.MCTS, second: playout.MCTS, luck: random.Random) -> float:
    """Return the first player's return of a game between two searchers that starts with two random actions."""
    state = GAME.new_initial_state()
    for _ in range(2):
        state.apply_action(luck.choice(state.legal_actions()))
    while not state.is_terminal():
        searcher = (first, second)[state.current_player()]
        state.apply_action(searcher.run(state, simulations=SIMULATIONS).action)
    return state.returns()[0]


def main() -> None:
    """Fit the model, then play games."""
    luck = random.Random(1)
    model, off, plain = learn(luck)
    print(f"fitted to {PLAYOUTS} playouts from each of {SAMPLES * 4 // 5} states of {GAME.spec}")
    print(f"mean error on other states: {off:.1f} of 100; of a constant: {plain:.1f}")
    judged = playout.MCTS(GAME, selection="puct", evaluator=model, batch_size=8, seed=1)
    played_out = playout.MCTS(GAME, selection="ucb1", seed=2)
    returns = []
    for number in range(GAMES):
        if number % 2:
            returns.append(100 - play(played_out, judged, luck))
        else:
            returns.append(play(judged, played_out, luck))
    print(f"{GAMES} games with {SIMULATIONS} simulations per action, after two random actions, with alternating seats:")
    print(
        f"the model against playouts with ucb1: {returns.count(100)} won, {returns.count(50)} drawn, "
        f"{returns.count(0)} lost; mean return {np.mean(returns):.0f} of 100"
    )


if __name__ == "__main__":
    main()
