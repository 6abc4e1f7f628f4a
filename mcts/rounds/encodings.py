"""Facts about the encoding of `bidding_3d_ttt` that a training uses: its blocks, and mirror images of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import float32, intp
    from numpy.typing import NDArray

_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
"""Cells of a line of 3x3, in the order of the encoding."""
_BOARD = 20
_LAYOUT_AT = 9 * _BOARD
_CHIPS_AT = _LAYOUT_AT + 24
BLOCKS = (_BOARD,) * 9 + (24, 10)
"""Numbers of each block of the encoding."""


@dataclass(frozen=True)
class Mirror:
    """A symmetry of the game as a map of its encodings.

    Attributes:
        order: number i of an image is number `order[i]` of the encoding ...
        factors: ... times this,
        offsets: ... plus this.
        exchanges: the players change sides, so the value of the first player becomes 1 minus it.
    """

    order: NDArray[intp]
    factors: NDArray[float32]
    offsets: NDArray[float32]
    exchanges: bool

    def encodings(self, inputs: NDArray[float32]) -> NDArray[float32]:
        """Return the images of encoded states, [N, inputs]."""
        return inputs[:, self.order] * self.factors + self.offsets

    def values(self, values: NDArray[float32]) -> NDArray[float32]:
        """Return the values of the images."""
        return 1 - values if self.exchanges else values


def mirrors() -> tuple[Mirror, ...]:
    """Return the symmetries of the game that its encoding does not have already, the identity first."""
    return tuple(_mirror(exchanges, upside) for exchanges in (False, True) for upside in (False, True))


def _mirror(exchanges: bool, upside: bool) -> Mirror:
    """Return a mirror: left to right with an exchange of the players, top to bottom, or both."""
    order = np.arange(_CHIPS_AT + 10)
    factors, offsets = np.ones(len(order), np.float32), np.zeros(len(order), np.float32)

    def cell(number: int) -> int:
        row, column = divmod(number, 3)
        return 3 * (2 - row if upside else row) + (2 - column if exchanges else column)

    def owner(player: int) -> int:
        return 1 - player if exchanges else player

    line_of = {frozenset(line): number for number, line in enumerate(_LINES)}
    for player in range(2):
        for board in range(9):
            at = _BOARD * board + 10 * player
            order[at : at + 10] = np.arange(10) + _BOARD * cell(board) + 10 * owner(player)
        for number, line in enumerate(_LINES):
            image = line_of[frozenset(map(cell, line))]
            order[_LAYOUT_AT + 8 * player + number] = _LAYOUT_AT + 8 * owner(player) + image
    if exchanges:
        for first in (_LAYOUT_AT + 16, _LAYOUT_AT + 19, _CHIPS_AT + 3, _CHIPS_AT + 7):  # of red, then of blue
            order[[first, first + 1]] = first + 1, first
        for lead in (_LAYOUT_AT + 18, _LAYOUT_AT + 21, _LAYOUT_AT + 22, _LAYOUT_AT + 23, _CHIPS_AT + 5):
            factors[lead] = -1
        factors[_CHIPS_AT + 6], offsets[_CHIPS_AT + 6] = -1, 1  # a share
    return Mirror(order, factors, offsets, exchanges)
