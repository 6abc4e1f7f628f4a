"""Results of tournaments for tests of ratings: written down, drawn at random, or simulated with dependent games."""

import itertools
import math
import random
from collections import Counter

import numpy as np

from bots.arena.ratings.blocks import GameOutcome, make_block


def two(first, second, score):
    """A game of the first player's score."""
    return GameOutcome((first, second), (100 * score, 100 - 100 * score))


def pair_blocks(first, second, times_of_scores):
    """Blocks of two games, from (score as first player, score as second player): times."""
    return Counter(
        {
            make_block([two(first, second, one), two(second, first, 1 - other)]): times
            for (one, other), times in times_of_scores.items()
        }
    )


def random_tournament(seed, bots=5, blocks=30):
    rng = random.Random(seed)
    found = Counter()
    for first, second in itertools.combinations(range(bots), 2):
        for _ in range(blocks):
            found.update(pair_blocks(first, second, {(rng.choice([0.0, 1.0]), rng.choice([0.0, 1.0])): 1}))
    return found


def block_scores(rng, shape, gap, seat, draw_width):
    """Scores of the first bot in the two games of blocks, as first and as second player [..., 2].

    An opening favours one bot in both games (its luck is shared), beside what the seat and the strength do.
    """
    luck = rng.normal(0, 2, shape)
    scores = []
    for side in (1, -1):
        strength = gap + side * seat + luck + rng.logistic(0, 1, shape)
        scores.append(np.where(np.abs(strength) < draw_width, 0.5, (strength > 0).astype(float)))
    return np.stack(scores, axis=-1)


def shared_draws(rng, games, shape, sharing):
    """Uniform numbers [games, ...], each like that of the game before with a probability, else new."""
    draws = rng.random((games, *shape))
    for game in range(1, games):
        draws[game] = np.where(rng.random(shape) < sharing, draws[game - 1], draws[game])
    return draws


def outcomes_of_three(worths, delta):
    """Every ranking of three with its probability, by stages; ties of two have strength delta."""
    found = {}

    def stage(left, ranks, place, probability):
        if not left:
            found[tuple(ranks[one] for one in range(3))] = probability
            return
        sets = [(one,) for one in left] + list(itertools.combinations(left, 2))
        weights = [(delta if len(s) > 1 else 1) * math.prod(worths[i] for i in s) ** (1 / len(s)) for s in sets]
        for top, weight in zip(sets, weights, strict=True):
            rest = [one for one in left if one not in top]
            stage(rest, {**ranks, **dict.fromkeys(top, place)}, place + 1, probability * weight / sum(weights))

    stage([0, 1, 2], {}, 0, 1.0)
    return found
