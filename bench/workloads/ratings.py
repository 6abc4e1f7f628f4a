"""Counting and rating the results of a million games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import combinations, permutations

from bots.arena.ratings.blocks import Block, BlockCounts, GameOutcome, make_block
from bots.arena.ratings.ratings import Ratings, rate

from .workload import Workload

GAMES = 1_000_000
BOTS = {2: 20, 3: 8}
"""Players of a game -> bots."""
DRAWS = 20
"""Blocks that are drawn for each group of bots that meet. Each counts many times: there are few distinct results."""
SEED = 5


@cache
def results(num_players: int, games: int) -> BlockCounts:
    """Return the blocks of a tournament of all against all with random results. A bot of lower index is better."""
    rng = random.Random(SEED)
    groups = list(combinations(range(BOTS[num_players]), num_players))
    drawn = [draw_block(rng, group) for group in groups for _ in range(DRAWS)]
    blocks = games // len(drawn[0])
    times, left = divmod(blocks, len(drawn))
    counts: BlockCounts = Counter()
    for number, block in enumerate(drawn):
        counts[block] += times + (number < left)
    return +counts


def draw_block(rng: random.Random, group: Sequence[int]) -> Block:
    """Return one game in every seat assignment, each with a random ranking."""
    games = []
    for seats in permutations(group):
        ranking = sorted(seats, key=lambda bot: bot + rng.gauss(0, BOTS[len(group)] / 3))
        worst = len(group) - 1
        games.append(GameOutcome(seats, tuple(100 * (worst - ranking.index(bot)) / worst for bot in seats)))
    return make_block(games)


def prepare(num_players: int, games: int) -> Callable[[], Ratings]:
    """Return a function that rates the bots."""
    return partial(rate, BOTS[num_players], results(num_players, games))


WORKLOADS = (
    Workload("ratings/Bradley-Terry, 20 bots", "games", GAMES, partial(prepare, 2), short_units=2000, passes=5),
    Workload("ratings/Plackett-Luce, 8 bots", "games", GAMES, partial(prepare, 3), short_units=2000, passes=5),
)
