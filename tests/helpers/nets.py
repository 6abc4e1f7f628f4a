"""Random nets."""

from itertools import pairwise

import numpy as np

import mcts


def random_layers(sizes, seed=1):
    """Layers of a net with these sizes, from the inputs to the outputs."""
    rng = np.random.default_rng(seed)
    return [
        (rng.normal(0, 0.3, after).astype(np.float32), rng.normal(0, (2 / before) ** 0.5, (before, after)))
        for before, after in pairwise(sizes)
    ]


def random_net(game, hidden=(16, 8), seed=1, policies=0):
    """A net with random weights for a game, with so many policies."""
    actions = random_layers((hidden[-1], policies * game.num_actions), seed + 1)[0] if policies else None
    outputs = 1 if game.is_zero_sum else game.num_players
    layers = random_layers((game.encoding_size, *hidden, outputs), seed)
    return mcts.ValueNet(game, layers, policy=actions)
