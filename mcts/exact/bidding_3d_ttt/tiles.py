"""Bids of bidding 3D tic-tac-toe up to permutations of tiles.

With one or two chips no player can own three tiles: each costs a chip, and recaptures return none. So nobody wins a
board. No bid touches three tiles, so that the rules of round 1 on lines and of round 2 on boards forbid no bid. The
winner depends only on the numbers of tiles and chips. So each permutation of the 63 tiles outside of boards D and F is
a symmetry of the game.

The mark of a tile is all that has happened on it. The pattern of a position is the multiset of its marks. Histories
with equal patterns are equivalent, and so are bids on equally marked tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from math import factorial, perm, prod
from typing import Any

from cext.games.bidding_3d_ttt.bid_text import BOARD_NAMES

MOST_CHIPS = 2
"""Greatest number of chips: with more, the positions of tiles matter."""
ALIKE_TILES = tuple(9 * board + cell for board, name in enumerate(BOARD_NAMES) if name not in "DF" for cell in range(9))
TILES = 81

Bid = tuple[int, ...]
Mark = tuple[Any, ...]
"""The events on a tile, round by round, as far as they are known; () for a tile that nobody has touched."""
Marks = Mapping[int, Mark]
"""Tile -> mark, without untouched tiles."""
Pattern = tuple[Mark, ...]
"""The sorted marks of a position."""

_NOBODY = "."


def pattern_of(marks: Marks) -> Pattern:
    """Return the pattern of marks."""
    return tuple(sorted(marks.values()))


def count_alike(pattern: Pattern) -> int:
    """Return the number of ways to put the marks of a pattern on the 63 tiles."""
    return perm(len(ALIKE_TILES), len(pattern)) // prod(factorial(count) for count in Counter(pattern).values())


def marks_of(shown: Mapping[str, Any], players: Iterable[int]) -> dict[int, Mark]:
    """Return the marks after the finished rounds, as far as some players together know them.

    Args:
        shown: dict of a state, or of a view of the only player in `players`.
        players: the players whose bids are part of a mark.

    Returns:
        Tile -> for each finished round, the bids of these players on the tile, and its owner afterwards.
    """
    rounds = [([finished["bids"][player] for player in players], finished["tiles"]) for finished in shown["history"]]
    touched = {
        tile
        for bids, owners in rounds
        for tile in ALIKE_TILES
        if owners[tile] != _NOBODY or any(bid[tile] for bid in bids)
    }
    return {tile: tuple((*(bid[tile] for bid in bids), owners[tile]) for bids, owners in rounds) for tile in touched}


def add_bid(marks: Marks, bid: Bid) -> dict[int, Mark]:
    """Return the marks extended by a bid: tiles have equal new marks if their old marks and bids are equal."""
    both = {tile: (mark, bid[tile]) for tile, mark in marks.items()}
    return both | {tile: (marks.get(tile, ()), chips) for tile, chips in enumerate(bid) if chips}


def bid_on(chips: Mapping[int, int]) -> Bid:
    """Return the bid of given chips, tile -> number of chips."""
    return tuple(chips.get(tile, 0) for tile in range(TILES))


def distinct_bids(marks: Marks, most: int) -> Iterator[Bid]:
    """Yield one bid of each class, of up to `most` chips, closed tiles included.

    Two bids are in one class if a permutation of equally marked tiles maps one to the other.
    """
    marked = sorted(ALIKE_TILES, key=lambda tile: (marks.get(tile, ()), tile))
    alike = [list(tiles)[:most] for _, tiles in groupby(marked, key=lambda tile: marks.get(tile, ()))]
    for chips in _descending(alike, most):
        yield bid_on(chips)


def _descending(alike: list[list[int]], most: int) -> Iterator[dict[int, int]]:
    """Yield tile -> chips; among tiles that are alike, the numbers of chips descend."""
    if not alike:
        yield {}
        return
    for piles in _piles(most, most, len(alike[0])):
        for rest in _descending(alike[1:], most - sum(piles)):
            yield {**dict(zip(alike[0], piles, strict=False)), **rest}


def _piles(most: int, highest: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield up to `count` descending piles of up to `highest` chips each and `most` chips together."""
    yield ()
    if count:
        for first in range(1, min(most, highest) + 1):
            for rest in _piles(most - first, first, count - 1):
                yield (first, *rest)


@cache
def all_bids(most: int) -> tuple[Bid, ...]:
    """Return all bids of up to `most` chips, closed tiles included: 64 for one chip, 2,080 for two."""

    def place(chips: dict[int, int], left: int, first: int) -> Iterator[Bid]:
        yield bid_on(chips)
        for index in range(first, len(ALIKE_TILES)):
            for pile in range(1, left + 1):
                yield from place({**chips, ALIKE_TILES[index]: pile}, left - pile, index + 1)

    return tuple(place({}, most, 0))
