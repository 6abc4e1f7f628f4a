"""Bids of bidding 3D tic-tac-toe up to the names of tiles that are all alike.

With one or two chips nobody can ever own three tiles (each costs a chip, and recapturing does not give chips back), so
no board is won; and no bid touches three tiles, so neither the rule of round 1 on lines nor that of round 2 on boards
can forbid one. Who won then depends on how many tiles and chips each has. So any rearrangement of the 63 tiles outside
of D and F is a symmetry of the game, and where on the boards a tile lies means nothing.

What has happened on a tile is its mark. Two histories that have the same marks on different tiles are alike, and so
are two bids on equally marked tiles.
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
"""With more, the place of a tile begins to matter."""
ALIKE_TILES = tuple(9 * board + cell for board, name in enumerate(BOARD_NAMES) if name not in "DF" for cell in range(9))
TILES = 81

Bid = tuple[int, ...]
Mark = tuple[Any, ...]
"""All that is known to have happened on a tile, round by round; () on a tile that nobody has touched."""
Marks = Mapping[int, Mark]
"""Tile -> its mark, without the untouched tiles."""
Shape = tuple[Mark, ...]
"""The marks of a whole position in order: what is left of it when tiles have no names."""

_NOBODY = "."


def shape_of(marks: Marks) -> Shape:
    """What is left of marks when tiles have no names."""
    return tuple(sorted(marks.values()))


def count_alike(shape: Shape) -> int:
    """In how many ways the marks can be laid on the 63 tiles."""
    return perm(len(ALIKE_TILES), len(shape)) // prod(factorial(count) for count in Counter(shape).values())


def marks_of(shown: Mapping[str, Any], players: Iterable[int]) -> dict[int, Mark]:
    """The marks of the finished rounds as players know them together.

    Args:
        shown: dict of a state, or of a view of the only one of `players`.
        players: whose bids are part of a mark.

    Returns:
        Tile -> for each finished round what each of the players bid and who owned the tile then.
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
    """Marks that tell apart what `marks` and a bid tell apart together."""
    both = {tile: (mark, bid[tile]) for tile, mark in marks.items()}
    return both | {tile: (marks.get(tile, ()), chips) for tile, chips in enumerate(bid) if chips}


def bid_on(chips: Mapping[int, int]) -> Bid:
    """The action that puts chips on tiles."""
    return tuple(chips.get(tile, 0) for tile in range(TILES))


def unlike_bids(marks: Marks, most: int) -> Iterator[Bid]:
    """One bid of each kind, of up to `most` chips, closed tiles included.

    Two bids are of a kind if a rearrangement of equally marked tiles makes one of the other.
    """
    marked = sorted(ALIKE_TILES, key=lambda tile: (marks.get(tile, ()), tile))
    alike = [list(tiles)[:most] for _, tiles in groupby(marked, key=lambda tile: marks.get(tile, ()))]
    for chips in _descending(alike, most):
        yield bid_on(chips)


def _descending(alike: list[list[int]], most: int) -> Iterator[dict[int, int]]:
    """Chips for some tiles: within tiles that are alike, earlier ones get no fewer than later ones."""
    if not alike:
        yield {}
        return
    for piles in _piles(most, most, len(alike[0])):
        for rest in _descending(alike[1:], most - sum(piles)):
            yield {**dict(zip(alike[0], piles, strict=False)), **rest}


def _piles(most: int, highest: int, count: int) -> Iterator[tuple[int, ...]]:
    """Up to `count` piles of together up to `most` chips, none higher than the one before it."""
    yield ()
    if count:
        for first in range(1, min(most, highest) + 1):
            for rest in _piles(most - first, first, count - 1):
                yield (first, *rest)


@cache
def all_bids(most: int) -> tuple[Bid, ...]:
    """Every bid of up to `most` chips, closed tiles included: 64 for one chip, 2,080 for two."""

    def place(chips: dict[int, int], left: int, first: int) -> Iterator[Bid]:
        yield bid_on(chips)
        for index in range(first, len(ALIKE_TILES)):
            for pile in range(1, left + 1):
                yield from place({**chips, ALIKE_TILES[index]: pile}, left - pile, index + 1)

    return tuple(place({}, most, 0))
